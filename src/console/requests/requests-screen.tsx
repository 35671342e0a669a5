import type { ComponentChildren } from 'preact'
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'
import type { JournalEntry } from '../../client/connect-sandbox.ts'
import { firstCommand } from '../../contract/endpoints.ts'
import { useConsole } from '../live/console-context.ts'
import { useCalm } from '../live/throttle.ts'
import { outcomeText, reasonOf, requestText, timeOfDay } from '../model/entry-text.ts'
import {
  type EntryFilter,
  entryMatcher,
  filterIn,
  type KeyOf,
  kindNames,
  kinds,
  queryOf,
} from '../model/filter-entries.ts'
import { linkTo, type ScreenProps } from '../model/route.ts'
import { Boundary } from '../parts/boundary.tsx'
import { Button } from '../parts/controls/button.tsx'
import { CopyButton } from '../parts/controls/copy-button.tsx'
import { Chips, SearchInput, usePause } from '../parts/controls/filters.tsx'
import { Badge, Empty } from '../parts/display.tsx'
import { type Column, Table } from '../parts/table.tsx'
import { Instant } from '../parts/time.tsx'
import { Asked, RequestDetails } from './request-details.tsx'

/** The exchanges of the sandbox, and why each was answered as it was. */
export function RequestsScreen({ route }: ScreenProps) {
  const { store, apiUrl, file, go, root } = useConsole()
  const [isFollowing, setFollowing] = useState(false)
  const live = store.entries.value
  const { shown: entries, pause } = usePause(live, (held) => {
    const lastHeld = held.at(-1)?.id ?? 0
    const waiting = live.filter(({ id }) => id > lastHeld).length
    return waiting > 0 ? `Paused (${waiting} new)` : 'Pause'
  })
  const queryText = route.query.toString()
  const filter = filterIn(route.query)
  const keyOf = store.keyOf.value
  const found = store.found.value
  const matching = useMemo(
    () => entries.filter(entryMatcher(filter, found, keyOf)),
    [entries, queryText, found, keyOf],
  )
  // Browsers refuse an address that changes more often than some ten times a second.
  const latest = useCalm(matching.at(-1)?.id)
  useEffect(() => {
    if (isFollowing && latest !== undefined) {
      go(linkTo('requests', [latest], new URLSearchParams(queryText)), 'replace')
    }
  }, [isFollowing, latest, queryText])
  const command = firstCommand(apiUrl, store.keys.value[0]?.key ?? 'KEY')
  const id = Number(route.path[0] ?? Number.NaN)
  const hasDetails = route.path.length > 0
  const closeLink = linkTo('requests', [], route.query)
  const place = useFocusOn(id, route.query, isFollowing)
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the details have a link for it
    <div
      ref={place}
      class={`stack requests ${hasDetails ? 'with-details' : ''}`}
      onKeyDown={(event) => {
        const { key, target } = event
        if (key !== 'Escape' || !hasDetails || hasUseOfEscape(target, root)) return
        event.preventDefault()
        setFollowing(false)
        go(closeLink)
      }}
    >
      <section class="requests-list" aria-label="Requests">
        <RequestsBar filter={filter} path={route.path}>
          {file !== undefined ? null : (
            <div class="group">
              <Button
                pressed={isFollowing}
                about="Show each new request in full"
                onClick={() => setFollowing(!isFollowing)}
              >
                Follow
              </Button>
              {pause}
            </div>
          )}
          <p class="hint">
            {matching.length === entries.length ? '' : `${matching.length} of `}
            {entries.length}
          </p>
        </RequestsBar>
        {matching.length > 0 ? (
          <div class="box">
            <Table
              caption="The latest requests, the newest first"
              columns={requestColumns(route.query, keyOf)}
              rows={matching.toReversed()}
              keyOf={({ id: one }) => one}
              current={id}
              // In a narrow window, the details stand above the list.
              seeksCurrent={!isFollowing && matchMedia('(min-width: 1001px)').matches}
              onOpen={(entry) => go(linkTo('requests', [entry.id], route.query))}
            />
          </div>
        ) : entries.length > 0 ? (
          <Empty title="No request fits" text="Search for something else, or take a filter away." />
        ) : (store.status.value?.requests?.length ?? 1) > 0 ? null : (
          <Empty
            title="No requests yet"
            text="They appear here as they come in. To send the first one:"
          >
            <pre>{command}</pre>
            <CopyButton what="curl" text={() => command} />
          </Empty>
        )}
      </section>
      {hasDetails ? (
        <Boundary key={route.path[0] ?? ''} what="the request">
          <RequestDetails
            id={id}
            known={entries.find((entry) => entry.id === id)}
            closeLink={closeLink}
            stopFollowing={() => setFollowing(false)}
          />
        </Boundary>
      ) : null}
    </div>
  )
}

/** Puts the focus on details that were opened, and back to their row when they are closed. */
function useFocusOn(id: number, query: URLSearchParams, isFollowing: boolean) {
  const place = useRef<HTMLDivElement>(null)
  const shown = useRef(id)
  // At once: a key that is pressed next goes to what has the focus.
  useLayoutEffect(() => {
    const before = shown.current
    shown.current = id
    // The first screen takes no focus, and neither does one that follows.
    if (isFollowing || Object.is(before, id)) return
    const link = JSON.stringify(linkTo('requests', [before], query))
    const wanted = Number.isNaN(id) ? `.table a[href=${link}]` : '.details h2'
    place.current?.querySelector<HTMLElement>(wanted)?.focus()
  }, [id])
  return place
}

/** Whether Escape does something else where it was pressed: it empties a search, closes a dialog or a menu. */
function hasUseOfEscape(target: EventTarget | null, root: ParentNode): boolean {
  if (root.querySelector('dialog[open], :popover-open') !== null) return true
  return target instanceof HTMLInputElement
}

interface RequestsBarProps {
  readonly filter: EntryFilter
  /** The exchange in the address, which stays there. */
  readonly path: readonly string[]
  readonly children: ComponentChildren
}

/** What narrows the list of exchanges. */
function RequestsBar({ filter, path, children }: RequestsBarProps) {
  const { go } = useConsole()
  const change = (changes: Partial<EntryFilter>): void =>
    go(linkTo('requests', path, queryOf({ ...filter, ...changes })), 'replace')
  const isSpan = filter.from !== undefined || filter.to !== undefined
  return (
    <search class="row screen-bar">
      <SearchInput
        label="Search in requests, replies, keys and reasons"
        placeholder="Search: path, key, headers, bodies, why"
        value={filter.search}
        onInput={(search) => change({ search })}
      />
      <Chips
        label="Only these requests"
        choices={kinds}
        names={kindNames}
        chosen={filter.kinds}
        onChange={(chosen) => change({ kinds: chosen })}
      />
      {filter.key === undefined ? null : (
        <Button
          label={`Only requests of ${filter.key}; show all`}
          onClick={() => change({ key: undefined })}
        >
          {filter.key} ✕
        </Button>
      )}
      {isSpan ? (
        <Button
          about={`Only from ${filter.from ?? 'the beginning'} to ${filter.to ?? 'the end'}; show all`}
          onClick={() => change({ from: undefined, to: undefined })}
        >
          {spanText(filter)} ✕
        </Button>
      ) : null}
      {children}
    </search>
  )
}

/** From when to when; without the day, where it is the same. */
function spanText({ from = '…', to = '…' }: EntryFilter): string {
  const isOneDay = from.slice(0, 11) === to.slice(0, 11)
  return isOneDay ? `${timeOfDay(from)} – ${timeOfDay(to)}` : `${from} – ${to}`
}

/** The columns of the table of exchanges: what was asked for, by whom, and why it was answered as it was. */
function requestColumns(query: URLSearchParams, keyOf: KeyOf): readonly Column<JournalEntry>[] {
  return [
    {
      name: 'status',
      title: 'Status',
      isHeader: true,
      cell: (entry) => {
        const outcome = outcomeText(entry)
        return (
          <a
            href={linkTo('requests', [entry.id], query)}
            aria-label={`Request ${entry.id}: ${outcome.text}, ${requestText(entry)}`}
          >
            <Badge {...outcome} />
          </a>
        )
      },
    },
    { name: 'request', title: 'Request', cell: ({ request }) => <Asked request={request} /> },
    { name: 'key', title: 'Key', cell: (entry) => keyOf(entry) },
    {
      name: 'why',
      title: 'Why',
      cell: (entry) => {
        const { text, tags } = reasonOf(entry, keyOf(entry))
        return (
          <span class={entry.decision?.code === undefined ? 'row why served' : 'row why'}>
            <span class="grow">{text}</span>
            {tags.map((tag) => (
              <span key={tag} class="tag">
                {tag}
              </span>
            ))}
          </span>
        )
      },
    },
    { name: 'time', title: 'Time', cell: ({ at }) => <Instant at={at} /> },
    { name: 'id', title: '#', isNumber: true, cell: ({ id }) => id },
  ]
}
