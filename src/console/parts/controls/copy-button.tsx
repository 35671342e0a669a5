import { useState } from 'preact/hooks'
import { useConsole } from '../../live/console-context.ts'
import { Button } from './button.tsx'

interface CopyButtonProps {
  /** Such as `curl`: the button says "Copy curl". */
  readonly what: string
  /** Made when it is asked for. */
  readonly text: () => string
}

/** How long the button says that it has copied. */
const saidMs = 2_000

/** Puts a text into the clipboard, and says so itself. */
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
