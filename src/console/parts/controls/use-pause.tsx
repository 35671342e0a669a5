import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { useConsole } from '../../live/console-context.ts'
import { Button } from './button.tsx'

/**
 * Gives what changes by itself, or what it was when it was paused; and the button for that.
 *
 * @param pausedText What the button says while it is paused.
 */
export function usePause<Value>(
  live: Value,
  pausedText: (held: Value) => string = () => 'Pause',
): {
  readonly shown: Value
  readonly pause: ComponentChildren
} {
  const [held, setHeld] = useState<{ readonly value: Value } | undefined>(undefined)
  // A file stays as it is.
  const pause =
    useConsole().file !== undefined ? null : (
      <Button
        pressed={held !== undefined}
        about="Stop the page from changing"
        onClick={() => setHeld(held === undefined ? { value: live } : undefined)}
      >
        {held === undefined ? 'Pause' : pausedText(held.value)}
      </Button>
    )
  return { shown: held === undefined ? live : held.value, pause }
}
