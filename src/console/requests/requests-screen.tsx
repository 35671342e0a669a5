import { useEffect, useMemo, useState } from 'preact/hooks'
import type { JournalEntry } from '../../client/connect-sandbox.ts'
import { useConsole } from '../live/console-context.ts'
import { useCalm } from '../live/pace/use-calm.ts'
import { useGrowing } from '../live/pace/use-growing.ts'
import { entryMatcher, searchableText } from '../model/filter-entries.ts'
import { linkTo, replaceLink, type ScreenProps } from '../model/route.ts'
import { Boundary } from '../parts/boundary.tsx'
import { Empty } from '../parts/empty.tsx'
import { Table } from '../parts/table.tsx'
import { requestColumns } from './request-columns.tsx'
import { RequestDetails } from './request-details.tsx'
import { filterIn } from './request-filter.ts'
import { RequestsBar } from './requests-bar.tsx'

/** How many exchanges are shown at once; a search reaches all that are kept. */
const mostShown = 200

/** The exchanges of the sandbox, and why each was answered as it was. */
export function RequestsScreen({ route }: ScreenProps) {
  const { store, apiUrl } = useConsole()
  const [held, setHeld] = useState<readonly JournalEntry[] | undefined>(undefined)
  const [isFollowing, setFollowing] = useState(false)
  const live = store.entries.value
  const entries = held ?? live
  const queryText = route.query.toString()
  const filter = useMemo(() => filterIn(new URLSearchParams(queryText)), [queryText])
  const keyOf = store.keyOf.value
  const columns = useMemo(
    () => requestColumns(new URLSearchParams(queryText), keyOf),
    [queryText, keyOf],
  )
  const textOf = useMemo(searchableText, [])
  const found = store.found.value
  const matching = useMemo(
    () => entries.filter(entryMatcher(filter, { found, textOf, keyOf })),
    [entries, filter, found, textOf, keyOf],
  )
  const shown = useMemo(() => matching.slice(-mostShown).reverse(), [matching])
  const drawn = useGrowing(shown, idOf)
  // Browsers refuse an address that changes more often than some ten times a second.
  const latest = useCalm(matching.at(-1)?.id)
  useEffect(() => {
    if (isFollowing && latest !== undefined) {
      replaceLink(linkTo('requests', [latest], new URLSearchParams(queryText)))
    }
  }, [isFollowing, latest, queryText])
  const id = Number(route.path[0] ?? Number.NaN)
  const hasDetails = route.path.length > 0
  return (
    <div class={`requests ${hasDetails ? 'with-details' : ''}`}>
      <section class="box requests-list" aria-label="Requests">
        <RequestsBar
          filter={filter}
          path={route.path}
          counts={{ matching: matching.length, all: entries.length, shown: shown.length }}
          isPaused={held !== undefined}
          waiting={held === undefined ? 0 : newer(live, held)}
          onPause={() => setHeld(held === undefined ? live : undefined)}
          isFollowing={isFollowing}
          onFollow={() => setFollowing(!isFollowing)}
        />
        {shown.length > 0 ? (
          <Table
            caption="The latest requests, the newest first"
            columns={columns}
            rows={drawn}
            keyOf={idOf}
            current={id}
            onOpen={(entry) => location.assign(linkTo('requests', [entry.id], route.query))}
          />
        ) : entries.length > 0 ? (
          <Empty title="No request fits">
            <p>Search for something else, or take a filter away.</p>
          </Empty>
        ) : store.status.value === undefined ? null : (
          <Empty title="No requests yet">
            <p>They appear here as they come in. To send the first one:</p>
            <pre>{`curl -i "${apiUrl}/pets?limit=3" -H "Authorization: Bearer ${store.keys.value[0]?.key ?? 'KEY'}"`}</pre>
          </Empty>
        )}
      </section>
      {hasDetails ? (
        <Boundary key={route.path[0] ?? ''} what="the request">
          <RequestDetails
            id={id}
            known={entries.find((entry) => entry.id === id)}
            closeLink={linkTo('requests', [], route.query)}
            stopFollowing={() => setFollowing(false)}
          />
        </Boundary>
      ) : null}
    </div>
  )
}

function idOf({ id }: JournalEntry): number {
  return id
}

/** How many exchanges have come since others were held. */
function newer(live: readonly JournalEntry[], held: readonly JournalEntry[]): number {
  const lastId = held.at(-1)?.id ?? 0
  return live.filter(({ id }) => id > lastId).length
}
