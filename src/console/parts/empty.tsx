import type { ComponentChildren } from 'preact'

interface EmptyProps {
  readonly title: string
  /** What would put something here. */
  readonly text: string | undefined
  readonly children?: ComponentChildren
}

/** Stands where there is nothing to show yet. */
export function Empty({ title, text, children }: EmptyProps) {
  return (
    <div class="stack empty">
      <p>
        <b>{title}</b>
      </p>
      <p>{text}</p>
      {children}
    </div>
  )
}
