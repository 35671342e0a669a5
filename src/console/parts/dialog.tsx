import type { ComponentChildren } from 'preact'
import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { Button } from './button.tsx'
import { Sign } from './sign.tsx'

interface DialogProps {
  readonly title: string
  /** `wide` for content in columns. */
  readonly width?: 'normal' | 'wide'
  /** Called when the dialog is closed, also by the Escape key. */
  readonly onClose: () => void
  readonly children: ComponentChildren
}

/** A dialog that is open while it is mounted; the browser then restores the focus. */
export function Dialog({ title, width = 'normal', onClose, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  const id = useId()
  // A plain `useEffect` would close the dialog after it has left the page, and the focus would be lost.
  useLayoutEffect(() => {
    // Without a previous focus, the content gets it.
    if (document.activeElement === document.body) document.querySelector('main')?.focus()
    dialog.current?.showModal()
    return () => dialog.current?.close()
  }, [])
  return (
    <dialog ref={dialog} class={`dialog ${width}`} aria-labelledby={id} onClose={onClose}>
      <h2 id={id} class="title">
        {title}
      </h2>
      {children}
      {/* The browser focuses the first control, unless another one has `autofocus`. */}
      <Button kind="quiet" label="Close" onClick={onClose}>
        <Sign name="close" />
      </Button>
    </dialog>
  )
}

interface ConfirmProps {
  readonly title: string
  readonly text: string
  /** Text of the button that confirms. */
  readonly verb: string
  readonly onConfirm: () => void
  readonly onClose: () => void
}

/** Confirmation dialog for actions that can't be undone. */
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
        <Button autofocus onClick={onClose}>
          Cancel
        </Button>
      </div>
    </Dialog>
  )
}

/** Returns functions that open a dialog or a confirmation, and the open dialog, if any. */
export function useDialog() {
  const [dialog, show] = useState<ComponentChildren>(null)
  const open = (make: (close: () => void) => ComponentChildren): void =>
    show(make(() => show(null)))
  const confirm = (question: Omit<ConfirmProps, 'onClose'>): void =>
    open((close) => <Confirm {...question} onClose={close} />)
  return { dialog, open, confirm }
}
