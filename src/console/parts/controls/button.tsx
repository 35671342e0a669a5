import type { ComponentChildren } from 'preact'

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
