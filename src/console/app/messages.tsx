import { effect } from '@preact/signals'
import { useEffect, useRef, useState } from 'preact/hooks'
import { packageVersion } from '../../contract/package-version.ts'
import { countText } from '../../reports/text.ts'
import { useConsole } from '../live/console-context.ts'
import { useAsked } from '../live/use-client.ts'
import { Button } from '../parts/controls/button.tsx'

/** Whether the process doesn't answer, so that nothing can be changed. */
export function useIsAway(): boolean {
  return useConsole().store.link.value === 'waiting'
}

/** Says what stands between the page and its process: it is gone, or of another version. */
export function Strip() {
  const isAway = useIsAway()
  // It may be another one when it is back.
  const version = useAsked((client) => client.health(), [isAway]).answer?.version ?? packageVersion
  if (!isAway && version === packageVersion) return null
  return (
    <p class="strip" role="status">
      {isAway ? (
        <>
          Not running. Start it with <code>npx petstore-sandbox</code>; this page is trying again.
        </>
      ) : (
        <>
          This page is of version {packageVersion}, the process of {version}.{' '}
          <Button onClick={() => location.reload()}>Reload</Button>
        </>
      )}
    </p>
  )
}

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

/** Says what was found, and that the connection is lost, for those who don't see it; requests would be too many. */
export function Announcer() {
  const { store } = useConsole()
  const [text, setText] = useState('')
  useEffect(() => {
    // What was there before is no news.
    let told: number | undefined
    return effect(() => {
      const link = store.link.value
      const found = store.findings.value.length
      if (store.status.value === undefined) return
      if (link === 'waiting') setText('The connection is lost')
      else if (told !== undefined && found > told) setText(countText(found - told, 'new finding'))
      told = found
    })
  }, [store])
  return (
    <p class="unseen" role="status">
      {text}
    </p>
  )
}
