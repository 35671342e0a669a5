import type { ComponentChildren } from 'preact'
import { useEffect, useId, useRef, useState } from 'preact/hooks'
import { Button } from './button.tsx'

interface DialogProps {
  readonly title: string
  /** `wide` for what stands side by side. */
  readonly width?: 'usual' | 'wide'
  /** Called when it is closed, by the Escape key too. */
  readonly onClose: () => void
  readonly children: ComponentChildren
}

/** A dialog that is open for as long as it is there; the focus goes back to where it was. */
export function Dialog({ title, width = 'usual', onClose, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  const id = useId()
  useEffect(() => {
    const { activeElement, body } = document
    // Who was nowhere goes on from the content.
    const before = activeElement === body ? document.querySelector('main') : activeElement
    const shown = dialog.current
    shown?.showModal()
    // The first field, or else the button that does no harm; not ✕, which the browser would take.
    shown?.querySelector<HTMLElement>('input, select, .group .button:last-child')?.focus()
    return () => {
      // What was done in it may have led the focus elsewhere already.
      if (document.activeElement === body && before instanceof HTMLElement) before.focus()
    }
  }, [])
  return (
    <dialog ref={dialog} class={`dialog ${width}`} aria-labelledby={id} onClose={onClose}>
      <div class="row">
        <h2 id={id} class="title grow">
          {title}
        </h2>
        <Button kind="quiet" label="Close" onClick={onClose}>
          ✕
        </Button>
      </div>
      {children}
    </dialog>
  )
}

interface ConfirmProps {
  readonly title: string
  readonly text: string
  /** What the button says that does it. */
  readonly verb: string
  readonly onConfirm: () => void
  readonly onClose: () => void
}

/** Asks before something is done that can't be taken back. */
export function Confirm({ title, text, verb, onConfirm, onClose }: ConfirmProps) {
  return (
    <Dialog title={title} onClose={onClose}>
      <p>{text}</p>
      <div class="group">
        <Button
          kind="danger"
          onClick={() => {
            onClose()
            onConfirm()
          }}
        >
          {verb}
        </Button>
        <Button onClick={onClose}>Cancel</Button>
      </div>
    </Dialog>
  )
}

/** Gives what opens a dialog, which is given what closes it; and the dialog, as long as one is open. */
export function useDialog() {
  const [dialog, show] = useState<ComponentChildren>(null)
  const open = (make: (close: () => void) => ComponentChildren): void =>
    show(make(() => show(null)))
  return { dialog, open }
}
