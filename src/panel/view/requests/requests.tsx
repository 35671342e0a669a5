import { useSignal } from '@preact/signals'
import type { VNode } from 'preact'
import { outcomeText, whyText } from '../../../console/model/entry-text.ts'
import { Badge } from '../../../console/parts/badge.tsx'
import { Boundary } from '../../../console/parts/boundary.tsx'
import { Button } from '../../../console/parts/controls/button.tsx'
import type { JournalEntry } from '../../../state/journal-entry.ts'
import type { PartProps } from '../part-props.ts'
import { mostEntries } from '../sight.ts'
import { RequestDetails } from './request-details.tsx'

/** The latest requests, and why they were answered so. */
export function Requests({ store }: PartProps): VNode {
  const entries = store.shown.value
  return (
    <>
      <div class="row tools">
        <p class="quiet">{noteOf(entries.length, store.missed.value)}</p>
        <Button pressed={store.isPaused.value} onClick={() => store.pause()}>
          Pause
        </Button>
      </div>
      <ol class="requests" reversed>
        {entries.map((entry) => (
          <li key={`${entry.order.start} ${entry.id}`}>
            <Boundary what="this request">
              <Request entry={entry} />
            </Boundary>
          </li>
        ))}
      </ol>
    </>
  )
}

function noteOf(count: number, missed: number): string {
  // No more of them are looked at.
  if (missed === mostEntries) return `${missed} or more since the pause`
  if (missed > 0) return `${missed} more since the pause`
  return count === 0 ? 'No request has come yet.' : 'The latest first'
}

function Request({ entry }: { readonly entry: JournalEntry }): VNode {
  const { at, request } = entry
  const isOpen = useSignal(false)
  return (
    <details
      onToggle={({ currentTarget }) => {
        isOpen.value = currentTarget.open
      }}
    >
      <summary>
        <Badge {...outcomeText(entry)} />
        <span class="what">
          <b>{request.method}</b> <bdi>{request.url}</bdi>
        </span>
        <time class="quiet" dateTime={at}>
          {at.slice(11, 19)}
        </time>
        {/* The status stands before it. */}
        <span class="why">{whyText(entry)}</span>
      </summary>
      {isOpen.value && <RequestDetails entry={entry} />}
    </details>
  )
}
