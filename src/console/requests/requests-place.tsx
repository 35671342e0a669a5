import type { ComponentChildren } from 'preact'
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'
import { pathOf } from '../../checks/reports/text.ts'
import type { RequestView } from '../../client/connect-sandbox.ts'
import { firstCommand } from '../../mock/api/endpoints.ts'
import { formatCount } from '../../mock/input/values.ts'
import { useConsole } from '../live/console-context.ts'
import type { UnderWayRequest } from '../live/live-store.ts'
import { useThrottled } from '../live/throttle.ts'
import { useResponse } from '../live/use-client.ts'
import { outcomeText, reasonOf, visible } from '../model/entry-text.ts'
import {
  type EntryFilter,
  entryMatcher,
  filterIn,
  type KeyOf,
  kindNames,
  kinds,
  queryOf,
} from '../model/filter-entries.ts'
import { linkTo, type PlaceProps } from '../model/route.ts'
import { Button, CopyButton } from '../parts/button.tsx'
import { Boundary, Empty, Pill } from '../parts/display.tsx'
import { Chip, SearchInput, Segments } from '../parts/filters.tsx'
import { later } from '../parts/later.tsx'
import { type Column, Table } from '../parts/table.tsx'
import { Instant, tookText } from '../parts/time.tsx'
import { RequestLine } from './request-line.tsx'
import type { FilterMenu, SaveMenu } from './requests-menus.tsx'
import type { SendButton } from './send-button.tsx'
import type { TimeStrip } from './time-strip.tsx'

/** Loaded later, since the list doesn't need it at first, least of all in the panel. */
const RequestDetails = later(async () => (await import('./request-details.tsx')).RequestDetails)
const Comparison = later(async () => (await import('./comparison.tsx')).Comparison)

/** Parts that only the console has room for, not a panel. */
export interface WideParts {
  readonly TimeStrip: typeof TimeStrip
  readonly FilterMenu: typeof FilterMenu
  readonly SaveMenu: typeof SaveMenu
  readonly SendButton: typeof SendButton
}

interface RequestsPlaceProps extends PlaceProps {
  readonly wide?: WideParts
}

/** Place for the requests to the sandbox: a strip of time, the list, and the details of one. */
export function RequestsPlace({ route, wide }: RequestsPlaceProps) {
  const { store, apiUrl, isOffline, isPanel, go, root, run } = useConsole()
  const live = store.entries.value
  const { entries, newer, hold, pause } = useHeld(live)
  const queryText = route.query.toString()
  const filter = useMemo(() => filterIn(route.query), [queryText])
  const matching = useMatching(entries, filter)
  const id = Number(route.path[0] ?? Number.NaN)
  const hasDetails = route.path.length > 0
  const compared = Number(route.query.get('compare') ?? Number.NaN)
  const isComparing = hasDetails && !Number.isNaN(compared) && compared !== id
  const closeLink = linkTo('requests', [], route.query)
  const place = useFocusBack(id, route.query)
  // Preloads the details, so that they are there as soon as a request is opened.
  useEffect(() => void RequestDetails.load().catch(() => {}), [])
  const newAfter = useNewAfter(live.at(-1)?.id ?? 0)
  const change = (changes: Partial<EntryFilter>): void => {
    const query = queryOf({ ...filter, ...changes })
    if (!Number.isNaN(compared)) query.set('compare', String(compared))
    go(linkTo('requests', route.path, query), 'replace')
  }
  const keyOf = store.keyOf.value
  const columns = useMemo(() => requestColumns(route.query, keyOf), [queryText, keyOf])
  const rows = useMemo(() => matching.toReversed(), [matching])
  const at = rows.findIndex((entry) => entry.id === id)
  const linkAt = (index: number): string | undefined => {
    const entry = at < 0 ? undefined : rows[index]
    return entry && linkTo('requests', [entry.id], route.query)
  }
  const open = (entry: RequestView): void => go(linkTo('requests', [entry.id], route.query))
  const current = hasDetails ? id : run?.step
  const total = store.hasOlder.value ? Math.max(matching.length + 1, 101) : matching.length
  const key = store.keys.value[0]?.key ?? 'KEY'
  // Only the page itself reaches the sandbox of a panel.
  const first = isPanel
    ? {
        what: 'fetch',
        where: ", in the browser's console",
        text: `await fetch('${apiUrl}/pets?limit=3', { headers: { Authorization: 'Bearer ${key}' } })`,
      }
    : { what: 'curl', where: '', text: firstCommand(apiUrl, key) }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the details have a link for it
    <div
      ref={place}
      class={`requests-place ${hasDetails ? 'with-details' : ''}`}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || !hasDetails || hasUseOfEscape(event.target, root)) return
        event.preventDefault()
        go(closeLink)
      }}
    >
      <section class="requests-list stack" aria-label="Requests">
        <RequestsBar
          entries={entries}
          count={matching.length}
          filter={filter}
          compared={compared}
          onChange={change}
          onCompared={() => go(linkTo('requests', route.path, queryOf(filter)), 'replace')}
          wide={wide}
        >
          {pause}
        </RequestsBar>
        {wide === undefined || matching.length === 0 ? null : (
          <Boundary what="the strip of time">
            <wide.TimeStrip entries={matching} onChange={change} current={current} onOpen={open} />
          </Boundary>
        )}
        <UnderWay requests={store.underWay.value} />
        {matching.length > 0 ? (
          <div class="box table-box" {...hold}>
            {newer}
            <Table
              caption="The latest requests, the newest first"
              columns={columns}
              rows={rows}
              keyOf={({ id: one }) => one}
              current={current}
              newAfter={newAfter}
              faintAfter={run?.step}
              total={total}
              onMore={() => void store.loadOlder()}
              onOpen={open}
            />
          </div>
        ) : entries.length > 0 ? (
          <Empty title="No request fits" text="Search for something else, or take a filter away." />
        ) : run !== undefined ? (
          <Empty title="No requests" text="The capture has none." />
        ) : isOffline ? (
          <Empty title="No requests yet" text="Send one with the form, or start a client." />
        ) : (
          <Empty
            title="No requests yet"
            text={`They appear here as they come in. To send the first one${first.where}:`}
          >
            <pre>{first.text}</pre>
            <CopyButton what={first.what} text={() => first.text} />
          </Empty>
        )}
      </section>
      {hasDetails ? (
        <Boundary key={route.path[0] ?? ''} what="the request">
          {isComparing ? (
            <Comparison ids={[compared, id]} closeLink={closeLink} />
          ) : (
            <RequestDetails
              key={id}
              id={id}
              known={entries.find((entry) => entry.id === id)}
              query={route.query}
              previousLink={linkAt(at - 1)}
              nextLink={linkAt(at + 1)}
            />
          )}
        </Boundary>
      ) : null}
    </div>
  )
}

/**
 * Holds the list still while the pointer or the focus is in it, or while it is paused: rows must not move from under a
 * click. Returns the requests to show, and a button above the list that shows those that came meanwhile.
 */
function useHeld(live: readonly RequestView[]) {
  const { run } = useConsole()
  const [hasPointer, setPointer] = useState(false)
  const [hasFocus, setFocus] = useState(false)
  const [isPaused, setPaused] = useState(false)
  const [, show] = useState(0)
  const lastId = live.at(-1)?.id ?? 0
  const upTo = useRef(lastId)
  // After a reset, ids may begin anew.
  if (!(hasPointer || hasFocus || isPaused) || lastId < upTo.current) upTo.current = lastId
  const until = upTo.current
  const entries = useMemo(
    () => (until === lastId ? live : live.filter(({ id }) => id <= until)),
    [live, until, lastId],
  )
  const count = live.length - entries.length
  const newer =
    count === 0 ? null : (
      <p class="newer" role="status">
        <Button
          kind="primary"
          onClick={() => {
            upTo.current = lastId
            show(lastId)
          }}
        >
          {formatCount(count)} new
        </Button>
      </p>
    )
  // A capture doesn't change.
  const pause =
    run !== undefined ? null : (
      <Button pressed={isPaused} hint="Hold the list still" onClick={() => setPaused(!isPaused)}>
        {isPaused ? 'Paused' : 'Pause'}
      </Button>
    )
  const hold = {
    onPointerEnter: () => setPointer(true),
    onPointerLeave: () => setPointer(false),
    // Not for a focus that came back with a click elsewhere.
    onFocusIn: ({ target }: FocusEvent) =>
      setFocus(target instanceof Element && target.matches(':focus-visible')),
    onFocusOut: () => setFocus(false),
  }
  return { entries, newer, hold, pause }
}

/** Returns the requests that match a filter; searches for text in bodies or for older requests go to the sandbox. */
function useMatching(entries: readonly RequestView[], filter: EntryFilter) {
  const { store } = useConsole()
  const keyOf = store.keyOf.value
  const found = store.found.value
  const marks = store.marks.value
  const { search, pet } = filter
  const isAsked = search.trim() !== '' || pet !== undefined
  const { result } = useResponse(
    async (client) => {
      if (!isAsked) return undefined
      const query = { ...(search.trim() === '' ? {} : { search }), ...(pet && { pet }) }
      const matches = await client.requests.list({ ...query, bodies: false, limit: 1_000 })
      store.add(matches)
      return new Set(matches.map(({ id }) => id))
    },
    [search, pet, useThrottled(entries, 1_000)],
  )
  const isNarrow = filter.kinds.length > 0 || queryOf(filter).size > 0
  useEffect(() => {
    if (isNarrow) void store.loadOlder()
  }, [isNarrow, store])
  return useMemo(
    () => entries.filter(entryMatcher(filter, { found, keyOf, marks, ids: result })),
    [entries, filter, found, keyOf, marks, result],
  )
}

/** Maximum number of rows that fade in at once: in a flood, nothing but the fading would be drawn. */
const maxFading = 10

/**
 * Returns the id after which requests are new.
 *
 * @param lastId Id of the latest request.
 */
function useNewAfter(lastId: number): number {
  const latest = useRef({ before: lastId, last: lastId })
  if (latest.current.last !== lastId) latest.current = { before: latest.current.last, last: lastId }
  const { before, last } = latest.current
  return last - before > maxFading ? last : before
}

/** Moves the focus back to the row of a request when its details are closed; opened details take it by themselves. */
function useFocusBack(id: number, query: URLSearchParams) {
  const place = useRef<HTMLDivElement>(null)
  const shown = useRef(id)
  // A layout effect, so that the next key press already goes to the focused element.
  useLayoutEffect(() => {
    const before = shown.current
    shown.current = id
    if (!Number.isNaN(id) || Number.isNaN(before)) return
    const link = JSON.stringify(linkTo('requests', [before], query))
    place.current?.querySelector<HTMLElement>(`.table a[href=${link}]`)?.focus()
  }, [id])
  return place
}

/** Returns whether Escape has another effect at its target: it clears a search, or closes a dialog or a menu. */
function hasUseOfEscape(target: EventTarget | null, root: ParentNode): boolean {
  if (root.querySelector('dialog[open], [popover="auto"]:popover-open') !== null) return true
  return target instanceof HTMLInputElement
}

interface RequestsBarProps {
  readonly entries: readonly RequestView[]
  /** Number of requests that match the filter. */
  readonly count: number
  readonly filter: EntryFilter
  /** Id of the request to compare another one with; `NaN` for none. */
  readonly compared: number
  readonly onChange: (changes: Partial<EntryFilter>) => void
  /** Called when no request is to be compared any longer. */
  readonly onCompared: () => void
  readonly wide: WideParts | undefined
  readonly children: ComponentChildren
}

/** Toolbar that filters and saves the list of requests. */
function RequestsBar(props: RequestsBarProps) {
  const { entries, count, filter, compared, onChange, onCompared, wide, children } = props
  const { store, isOffline, run } = useConsole()
  const found = store.found.value
  const choices = kindNames.map((name) => ({
    name,
    text: kinds[name].label,
    hint: kinds[name].hint,
    count: entries.filter((entry) => kinds[name].fits(entry, found)).length,
  }))
  const chips: readonly (readonly [string | undefined, string, Partial<EntryFilter>])[] = [
    [filter.key, `key ${filter.key}`, { key: undefined }],
    [filter.pet, `pet ${filter.pet}`, { pet: undefined }],
    [filter.test, `test ${filter.test}`, { test: undefined }],
    [filter.reason, `${filter.reason}`, { reason: undefined }],
    [filter.from ?? filter.to, spanText(filter), { from: undefined, to: undefined }],
  ]
  return (
    <search class="row screen-bar">
      <SearchInput
        label="Search in requests: path, key, headers, bodies, reason"
        placeholder={`Search ${countOf(entries.length, entries.length, store.hasOlder.value)}`}
        value={filter.search}
        onInput={(search) => onChange({ search })}
      />
      <Segments
        label="Only requests of a kind"
        choices={choices}
        chosen={filter.kinds}
        onChange={(names) => onChange({ kinds: names })}
      />
      {chips.map(([value, text, change]) =>
        value === undefined ? null : (
          <Chip
            key={text}
            text={text}
            remove={`Remove the filter: ${text}`}
            onRemove={() => onChange(change)}
          />
        ),
      )}
      {Number.isNaN(compared) ? null : (
        <Chip
          text={`#${compared} compared with the one you open`}
          tone="warning"
          remove="Compare no longer"
          onRemove={onCompared}
        />
      )}
      <div class="group end">
        {count === entries.length ? null : (
          <p class="hint count-text">{countOf(count, entries.length, store.hasOlder.value)}</p>
        )}
        {wide === undefined ? null : <wide.FilterMenu onChange={onChange} filter={filter} />}
        {children}
        {wide === undefined || isOffline || run !== undefined ? null : (
          <wide.SendButton text="Send…" />
        )}
        {wide === undefined ? null : <wide.SaveMenu />}
      </div>
    </search>
  )
}

function countOf(shown: number, count: number, hasOlder: boolean): string {
  const prefix = shown < count ? `${formatCount(shown)} of ` : ''
  if (hasOlder || count >= 1_000) return `${prefix}the last ${formatCount(count)}`
  return prefix + (count === 1 ? '1 request' : `${formatCount(count)} requests`)
}

function spanText({ from, to }: EntryFilter): string {
  const timeOf = (at: string | undefined): string => at?.slice(11, 19) ?? '…'
  return `${timeOf(from)} – ${timeOf(to)}`
}

/** The requests that wait for their response. */
function UnderWay({ requests }: { readonly requests: readonly UnderWayRequest[] }) {
  const now = useConsole().store.time.now.value ?? 0
  if (requests.length === 0) return null
  return (
    <ul class="box under-way" aria-label="Under way">
      {requests.map(({ number, method, url, key, at }) => (
        <li key={number} class="row">
          <Pill tone="waiting" text="…" />
          <RequestLine method={method} target={url} />
          <span class="hint">{key ?? 'no key'}</span>
          <span class="number">{tookText(Math.max(0, now - Date.parse(at)))}</span>
        </li>
      ))}
    </ul>
  )
}

function requestColumns(query: URLSearchParams, keyOf: KeyOf): readonly Column<RequestView>[] {
  return [
    { name: 'status', title: 'Status', cell: (entry) => <Pill {...outcomeText(entry)} /> },
    {
      name: 'request',
      title: 'Request',
      isHeader: true,
      cell: ({ id, request }) => (
        <a
          href={linkTo('requests', [id], query)}
          // Its text can be selected.
          draggable={false}
          onClick={(event) => getSelection()?.isCollapsed === false && event.preventDefault()}
        >
          <RequestLine method={request.method} target={pathOf(request)} />
        </a>
      ),
    },
    { name: 'key', title: 'Key', cell: (entry) => <bdi>{visible(keyOf(entry))}</bdi> },
    {
      name: 'why',
      title: 'Why',
      cell: (entry) => {
        const { text, tags } = reasonOf(entry, keyOf(entry))
        const isError = !('status' in entry.outcome) || entry.outcome.status >= 400
        return (
          <span class="why">
            <span class={isError ? 'reason' : 'reason hint'}>{text}</span>
            {tags.map((tag) => (
              <span key={tag} class="tag">
                {tag}
              </span>
            ))}
          </span>
        )
      },
    },
    {
      name: 'took',
      title: 'Took',
      isNumber: true,
      cell: ({ durationMs }) => (
        <span class={durationMs >= 1_000 ? 'slow' : ''}>{tookText(durationMs)}</span>
      ),
    },
    { name: 'time', title: 'Time', isNumber: true, cell: ({ at }) => <Instant at={at} /> },
    { name: 'id', title: '#', isNumber: true, cell: ({ id }) => id },
  ]
}
