import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { useConsole } from '../live/console-context.ts'

interface ButtonProps {
  readonly children: ComponentChildren
  readonly onClick?: () => void
  /** `danger` for actions that can't be undone. */
  readonly kind?: 'plain' | 'primary' | 'quiet' | 'danger'
  readonly type?: 'button' | 'submit'
  readonly disabled?: boolean | undefined
  /** Whether the button gets the focus when its dialog opens. */
  readonly autofocus?: boolean
  /** Whether a toggle button is on; `undefined` for other buttons. */
  readonly pressed?: boolean
  /** Accessible name of a button that shows only a sign. */
  readonly label?: string | undefined
  /** Tooltip. */
  readonly hint?: string | undefined
  /** Id of the popover that the button opens. */
  readonly opens?: string
}

export function Button(props: ButtonProps) {
  const { kind = 'plain', type = 'button', pressed, label, hint, opens, ...others } = props
  return (
    <button
      {...others}
      type={type}
      class={`button ${kind}`}
      popovertarget={opens}
      aria-pressed={pressed}
      aria-label={label}
      title={hint ?? label}
    />
  )
}

interface CopyButtonProps {
  /** Name of the text; the button shows "Copy curl" for `curl`. */
  readonly what: string
  /** Returns the text when the user clicks. */
  readonly text: () => string
}

/** Time for which the button shows that it has copied, in milliseconds. */
const saidMs = 2_000

/** Button that copies a text to the clipboard and shows that it has. */
export function CopyButton({ what, text }: CopyButtonProps) {
  const { notices } = useConsole()
  const [isCopied, setCopied] = useState(false)
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(text())
      setCopied(true)
      setTimeout(() => setCopied(false), saidMs)
    } catch {
      notices.add('error', `Cannot copy ${what}: the browser doesn't let the page; copy by hand`)
    }
  }
  return (
    <Button onClick={() => void copy()}>
      <span aria-live="polite">{isCopied ? 'Copied ✓' : `Copy ${what}`}</span>
    </Button>
  )
}
