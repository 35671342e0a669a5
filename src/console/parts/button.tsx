import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { useConsole } from '../live/console-context.ts'

interface ButtonProps {
  readonly children: ComponentChildren
  readonly onClick?: () => void
  /** `danger` for what can't be taken back. */
  readonly kind?: 'plain' | 'primary' | 'quiet' | 'danger'
  readonly type?: 'button' | 'submit'
  readonly disabled?: boolean | undefined
  /** Whether it has the focus when its dialog opens. */
  readonly autofocus?: boolean
  /** Whether it is switched on; for a button that stays so. */
  readonly pressed?: boolean
  /** What it does, where its text is only a sign. */
  readonly label?: string | undefined
  /** More than its text says. */
  readonly about?: string | undefined
  /** The id of the popover that it opens. */
  readonly opens?: string
}

/** A button. */
export function Button(props: ButtonProps) {
  const { kind = 'plain', type = 'button', pressed, label, about, opens, ...others } = props
  return (
    <button
      {...others}
      type={type}
      class={`button ${kind}`}
      popovertarget={opens}
      aria-pressed={pressed}
      aria-label={label}
      title={about ?? label}
    />
  )
}

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
