import type { ComponentChildren } from 'preact'
import { useId, useRef, useState } from 'preact/hooks'
import { Button } from './button.tsx'

interface PopoverProps {
  /** What its button says. */
  readonly text: ComponentChildren
  /** What it is, where the text of its button is only a sign. */
  readonly label?: string | undefined
  readonly about?: string
  readonly disabled?: boolean
  readonly kind?: 'plain' | 'quiet'
  /** Made while it is open; is given what closes it. */
  readonly children: (close: () => void) => ComponentChildren
}

/** A button, and what it opens below itself; the Escape key or a click elsewhere closes it. */
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
        // Not before it is closed: the focus would be lost with what has it.
        onToggle={({ newState }) => newState === 'closed' && setOpen(false)}
      >
        {isOpen ? children(close) : null}
      </div>
    </>
  )
}

/** What a menu offers: what it says, what it does, and more than it says. */
export type MenuItem = readonly [text: string, act: () => void, about?: string]

interface MenuButtonProps {
  readonly item: MenuItem
  /** Called first. */
  readonly close?: () => void
  readonly kind?: 'plain' | 'quiet'
}

/** A button for what a menu offers. */
export function MenuButton({ item: [text, act, about], close, kind }: MenuButtonProps) {
  const choose = (): void => {
    close?.()
    act()
  }
  return (
    <Button {...(kind && { kind })} about={about} onClick={choose}>
      {text}
    </Button>
  )
}

interface MenuProps extends Omit<PopoverProps, 'children'> {
  readonly items: readonly MenuItem[]
  /** What stands below them, and leaves the menu open. */
  readonly children?: ComponentChildren
}

/** A button, and a menu that closes when something is chosen from it. */
export function Menu({ items, children, ...button }: MenuProps) {
  return (
    <Popover {...button}>
      {(close) => (
        <div class="menu">
          {items.map((item) => (
            <MenuButton key={item[0]} item={item} close={close} />
          ))}
          {children}
        </div>
      )}
    </Popover>
  )
}
