import { useConsole } from '../live/console-context.ts'
import { Button } from '../parts/controls/button.tsx'

/** What became of the controls that were used; errors stay until they are dismissed. */
export function NoticeList() {
  const { notices } = useConsole()
  return (
    <section class="notices" aria-label="Notices" aria-live="polite">
      {notices.list.value.map(({ id, kind, text }) => (
        <div key={id} class={`notice ${kind}`} role={kind === 'error' ? 'alert' : undefined}>
          <span aria-hidden="true">{kind === 'error' ? '✕' : '✓'}</span>
          <p>{text}</p>
          <Button kind="quiet" label="Dismiss" onClick={() => notices.dismiss(id)}>
            ✕
          </Button>
        </div>
      ))}
    </section>
  )
}
