import type { ComponentChildren } from 'preact'
import { useId } from 'preact/hooks'

interface MenuProps {
  /** What its button says. */
  readonly title: string
  readonly children: ComponentChildren
}

/** A button that shows others below it, until one clicks elsewhere or presses Escape. */
export function Menu({ title, children }: MenuProps) {
  const id = useId()
  return (
    <>
      <button type="button" class="button plain" popovertarget={id}>
        {title}
        <span aria-hidden="true">&nbsp;▾</span>
      </button>
      <div id={id} popover="auto" class="menu">
        {children}
      </div>
    </>
  )
}
