import { useEffect, useRef } from 'preact/hooks'
import { useConsole } from '../live/console-context.ts'
import { Button } from '../parts/controls/button.tsx'

/** What became of the control that was used last, above all else; an error stays until it is dismissed. */
export function NoticePlace() {
  const { notices } = useConsole()
  const notice = notices.shown.value
  const place = useRef<HTMLElement>(null)
  useEffect(() => {
    if (notice === undefined) return
    // Shown last, it lies above a dialog that is open.
    place.current?.showPopover()
    return () => place.current?.hidePopover()
  }, [notice])
  return (
    <section ref={place} class="notices" popover="manual" aria-label="Notices" aria-live="polite">
      {notice === undefined ? null : (
        <div
          class={`bar notice ${notice.kind}`}
          role={notice.kind === 'error' ? 'alert' : undefined}
        >
          <span aria-hidden="true">{notice.kind === 'error' ? '✕' : '✓'}</span>
          <p class="grow">{notice.text}</p>
          <Button kind="quiet" label="Dismiss" onClick={() => notices.dismiss()}>
            ✕
          </Button>
        </div>
      )}
    </section>
  )
}
