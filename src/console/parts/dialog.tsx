import type { ComponentChildren } from 'preact'
import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { Button } from './button.tsx'
import { Sign } from './sign.tsx'

interface DialogProps {
  readonly title: string
  /** `wide` for what stands side by side. */
  readonly width?: 'normal' | 'wide'
  /** Called when it is closed, by the Escape key too. */
  readonly onClose: () => void
  readonly children: ComponentChildren
}

/** A dialog that is open for as long as it is there; the browser gives the focus back to where it was. */
export function Dialog({ title, width = 'normal', onClose, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  const id = useId()
  // A plain `useEffect` would close what is no longer in the page, and the focus would be lost.
  useLayoutEffect(() => {
    // Who was nowhere goes on from the content.
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
      {/* The browser gives the focus to what comes first, unless something asks for it. */}
      <Button kind="quiet" label="Close" onClick={onClose}>
        <Sign name="close" />
      </Button>
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
        <Button autofocus onClick={onClose}>
          Cancel
        </Button>
      </div>
    </Dialog>
  )
}

/** Returns what opens a dialog, which is given what closes it, or a question; and the dialog, as long as one is open. */
export function useDialog() {
  const [dialog, show] = useState<ComponentChildren>(null)
  const open = (make: (close: () => void) => ComponentChildren): void =>
    show(make(() => show(null)))
  const confirm = (question: Omit<ConfirmProps, 'onClose'>): void =>
    open((close) => <Confirm {...question} onClose={close} />)
  return { dialog, open, confirm }
}
