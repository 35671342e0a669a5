import type { ComponentChildren } from 'preact'

interface FactProps {
  readonly title: string
  readonly children: ComponentChildren
}

/** A row of a list of facts (`<dl class="facts">`). */
export function Fact({ title, children }: FactProps) {
  return (
    <div>
      <dt>{title}</dt>
      <dd>{children}</dd>
    </div>
  )
}
