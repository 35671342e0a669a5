import type { ComponentChildren } from 'preact'

interface ButtonProps {
  readonly children: ComponentChildren
  readonly onClick?: () => void
  /** `danger` for what can't be taken back. */
  readonly kind?: 'plain' | 'primary' | 'quiet' | 'danger'
  readonly type?: 'button' | 'submit'
  readonly disabled?: boolean
  /** Whether it is switched on; for a button that stays so. */
  readonly pressed?: boolean
  /** What it does, where its text is only a sign. */
  readonly label?: string
  /** More than its text says. */
  readonly about?: string
}

/** A button. */
export function Button(props: ButtonProps) {
  const {
    children,
    onClick,
    kind = 'plain',
    type = 'button',
    disabled,
    pressed,
    label,
    about,
  } = props
  return (
    <button
      type={type}
      class={`button ${kind}`}
      disabled={disabled}
      aria-pressed={pressed}
      aria-label={label}
      title={about ?? label}
      onClick={onClick}
    >
      {children}
    </button>
  )
}
