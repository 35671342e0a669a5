import type { ComponentChildren } from 'preact'
import { useId, useRef, useState } from 'preact/hooks'
import { Button } from './button.tsx'

interface PopoverProps {
  /** Content of the button. */
  readonly text: ComponentChildren
  /** Accessible name of a button that shows only a sign. */
  readonly label?: string | undefined
  readonly hint?: string
  readonly disabled?: boolean
  readonly kind?: 'plain' | 'quiet'
  /** Renders the content while it is open; `close` closes the popover. */
  readonly children: (close: () => void) => ComponentChildren
}

/** A button and the popover below it; the Escape key or a click elsewhere closes it. */
export function Popover({ text, children, ...button }: PopoverProps) {
  const [isOpen, setOpen] = useState(false)
  const opened = useRef<HTMLDivElement>(null)
  const id = useId()
  const close = (): void => opened.current?.hidePopover()
  return (
    <>
      <Button {...button} opens={id}>
        {text}
      </Button>
      <div
        ref={opened}
        id={id}
        class="popover"
        popover="auto"
        onBeforeToggle={({ newState }) => newState === 'open' && setOpen(true)}
        // Only after it is closed; otherwise the focus would be lost with the focused element.
        onToggle={({ newState }) => newState === 'closed' && setOpen(false)}
      >
        {isOpen ? children(close) : null}
      </div>
    </>
  )
}

/** An item of a menu: its text, its action, and a line below the text. */
export type MenuItem = readonly [text: string, act: () => void, hint?: string]

interface MenuProps extends Omit<PopoverProps, 'children'> {
  readonly items: readonly MenuItem[]
  /** Content below the items; clicks on it leave the menu open. */
  readonly children?: ComponentChildren
}

/** A button and a menu that closes when the user picks an item. */
export function Menu({ items, children, ...button }: MenuProps) {
  return (
    <Popover {...button}>
      {(close) => (
        <div class="menu">
          {items.map(([name, act, hint]) => (
            <Button
              key={name}
              onClick={() => {
                close()
                act()
              }}
            >
              {name} {hint && <span class="hint">{hint}</span>}
            </Button>
          ))}
          {children}
        </div>
      )}
    </Popover>
  )
}
