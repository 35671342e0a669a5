import type { ComponentChildren } from 'preact'

interface FactProps {
  readonly title: string
  readonly children?: ComponentChildren
}

/** A row of a list of facts (`<dl class="facts">`); nothing for what isn't known. */
export function Fact({ title, children }: FactProps) {
  if (children === undefined) return null
  return (
    <div>
      <dt>{title}</dt>
      <dd>{children}</dd>
    </div>
  )
}
