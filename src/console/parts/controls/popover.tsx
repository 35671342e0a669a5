import type { ComponentChildren } from 'preact'
import { useId, useRef, useState } from 'preact/hooks'

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
export function Popover(props: PopoverProps) {
  const { text, label, about, disabled, kind = 'plain', children } = props
  const [isOpen, setOpen] = useState(false)
  const opened = useRef<HTMLDivElement>(null)
  const id = useId()
  const close = (): void => opened.current?.hidePopover()
  return (
    <>
      <button
        type="button"
        popovertarget={id}
        class={`button ${kind}`}
        aria-label={label}
        title={about ?? label}
        disabled={disabled}
      >
        {text}
      </button>
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
