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
