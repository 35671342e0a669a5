import type { ComponentChildren } from 'preact'
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'
import type { JournalEntry } from '../../client/connect-sandbox.ts'
import { firstCommand } from '../../contract/endpoints.ts'
import { choicesText, type GapName, gapDescriptions, gapNames, gaps } from '../../contract/gaps.ts'
import type { DoorName } from '../../contract/message.ts'
import { curlText, fetchText, pathOf, vitestText } from '../../reports/request-text.ts'
import { countText } from '../../reports/text.ts'
import { useConsole } from '../live/console-context.ts'
import { useCalm } from '../live/throttle.ts'
import { useAsked } from '../live/use-client.ts'
import { outcomeText, readableBody, reasonOf, requestText, timeOfDay } from '../model/entry-text.ts'
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
import { Button, CopyButton } from '../parts/controls/button.tsx'
import type { Typed } from '../parts/controls/data-form.tsx'
import { Dialog, useDialog } from '../parts/controls/dialog.tsx'
import { Chips, SearchInput, usePause } from '../parts/controls/filters.tsx'
import { Popover } from '../parts/controls/popover.tsx'
import { Badge, Boundary, Empty, Fact } from '../parts/display.tsx'
import { SourceLink } from '../parts/document-link.tsx'
import { type Column, Table } from '../parts/table.tsx'
import { Countdown, Instant } from '../parts/time.tsx'

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

interface RequestDetailsProps {
  readonly id: number
  /** The exchange, if it is among those that are kept. */
  readonly known: JournalEntry | undefined
  readonly closeLink: string
  /** Called when it is closed, or something is done with it: another request would take its place. */
  readonly stopFollowing: () => void
}

/** One exchange in full: why it was answered so, what can be done with it, request, reply. */
export function RequestDetails({ id, known, closeLink, stopFollowing }: RequestDetailsProps) {
  // The list loses it when a thousand more have come.
  const { answer, problem } = useAsked(
    async (client) => known ?? (await client.journal.get(id)),
    [],
  )
  const entry = known ?? answer
  const title = Number.isNaN(id) ? 'Request' : `Request ${id}`
  return (
    <section class="box stack wide details" aria-label={`Details of ${title.toLowerCase()}`}>
      <header class="row">
        {/* Takes the focus when the details are opened. */}
        <h2 class="grow" tabIndex={-1} aria-label={entry && `${title}: ${requestText(entry)}`}>
          {entry === undefined ? title : <Asked request={entry.request} />}
        </h2>
        {entry && <span class="hint">#{entry.id}</span>}
        <a
          class="button quiet"
          href={closeLink}
          onClick={stopFollowing}
          aria-label="Close the details"
        >
          ✕
        </a>
      </header>
      {entry === undefined ? (
        <p>{problem ?? 'Looking for it …'}</p>
      ) : (
        <>
          <Outcome entry={entry} />
          <Actions entry={entry} onOpen={stopFollowing} />
          <Facts entry={entry} />
          <Message title="Request" {...entry.request} />
          {'body' in entry.outcome ? <Message title="Reply" {...entry.outcome} /> : null}
        </>
      )}
    </section>
  )
}

/** What became of a request, and why, in a sentence. */
function Outcome({ entry }: { readonly entry: JournalEntry }) {
  const { text, tags } = reasonOf(entry, useConsole().store.keyOf.value(entry))
  return (
    <p class="row">
      <Badge {...outcomeText(entry)} />
      <span class="grow">{text || 'Served'}</span>
      {tags.map((tag) =>
        tag.startsWith('spec ') ? (
          <SourceLink key={tag} source={tag} />
        ) : (
          <span key={tag} class="tag">
            {tag}
          </span>
        ),
      )}
    </p>
  )
}

interface ActionsProps {
  readonly entry: JournalEntry
  readonly onOpen: () => void
}

function Actions({ entry, onOpen }: ActionsProps) {
  const { store, apiUrl, file, isPanel } = useConsole()
  const { dialog, open } = useDialog()
  // What a dialog shows is there when it opens, to take the focus.
  const askWhatIf = async (): Promise<void> => {
    onOpen()
    const { WhatIfDialog } = await import('./what-if-dialog.tsx')
    open((close) => <WhatIfDialog entry={entry} onClose={close} />)
  }
  const makeFault = async (): Promise<void> => {
    onOpen()
    const { FaultForm } = await import('../situations/faults.tsx')
    open((close) => (
      <Dialog title="Make a fault of it" onClose={close}>
        <p>
          For the next requests like <Asked request={entry.request} />
        </p>
        <FaultForm first={faultLike(entry)} onClose={close} />
      </Dialog>
    ))
  }
  const source = () => ({ entry, apiUrl, key: store.keyOf.peek()(entry) })
  return (
    <div class="group">
      <Popover text="Copy ▾" label="Copy">
        {() => (
          <div class="menu">
            <CopyButton what="curl" text={() => curlText(source())} />
            <CopyButton what="fetch" text={() => fetchText(source())} />
            <CopyButton what="Vitest test" text={() => vitestText(source())} />
            {isPanel ? null : <CopyButton what="link" text={() => location.href} />}
          </div>
        )}
      </Popover>
      <Button about="Ask again under another choice" onClick={() => void askWhatIf()}>
        What if…
      </Button>
      {file !== undefined ? null : (
        <Button about="Let the next requests like this go wrong" onClick={() => void makeFault()}>
          Fault…
        </Button>
      )}
      {dialog}
    </div>
  )
}

/** A fault like what became of a request, or else like a server with a bug. */
function faultLike({ outcome, operation, request }: JournalEntry): Typed {
  const target = operation === undefined ? { method: request.method } : { operation }
  if (outcome.kind === 'disconnect' || outcome.kind === 'timeout') {
    return { ...target, fault: outcome.kind }
  }
  if (outcome.status === 429) return { ...target, fault: 'rate-limit' }
  return outcome.status >= 400 ? { ...target, status: String(outcome.status) } : target
}

/** How an exchange came to the sandbox; a newer process may have another way. */
const doorTexts: Readonly<Record<DoorName, string>> = {
  direct: 'by a call of handle()',
  fetch: 'by a fetch in code',
  msw: 'through MSW',
  playwright: 'through Playwright',
  express: 'through Express',
  process: 'over HTTP',
}

/** What else is known of an exchange; a newer process may leave some of it out. */
function Facts({ entry }: { readonly entry: JournalEntry }) {
  const { store } = useConsole()
  const { quota, durationMs, door, operation } = entry
  const { code, gap, retryAt } = entry.decision ?? {}
  const key = store.keyOf.value(entry)
  const findings = store.findings.value.filter(
    ({ exchanges, beforeReset }) => beforeReset !== true && exchanges.includes(entry.id),
  )
  return (
    <dl class="facts">
      {gap === undefined ? null : <GapRow name={gap} />}
      <Fact title="Error">{code && <code>{code}</code>}</Fact>
      <Fact title="Served again">{retryAt && <Countdown until={retryAt} />}</Fact>
      <Fact title="Quota">{quota && quotaText(quota)}</Fact>
      <Fact title="Key">
        <a href={linkTo('requests', [entry.id], { key })}>{key}</a>
      </Fact>
      <Fact title="Operation">
        {operation ?? 'none'}; took {durationMs} ms {doorTexts[door] ?? `by ${door}`}
      </Fact>
      {findings.map(({ rule, severity, verdict, advice }) => (
        <Fact key={rule} title="Finding">
          <Badge tone={severity} text={severity} /> <b>{rule}</b>: {verdict} {advice}
        </Fact>
      ))}
    </dl>
  )
}

function quotaText({ remaining, limit, window, spent }: NonNullable<JournalEntry['quota']>) {
  return `${remaining} of ${limit} left in this ${window}${spent ? '' : '; it spent none'}`
}

/** What the gap that decided leaves open, unless a newer process has one that this page doesn't know. */
function GapRow({ name }: { readonly name: GapName }) {
  const chosen = useConsole().store.gaps.value?.[name]
  if (!gapNames.includes(name)) return null
  return (
    <Fact title="Left open">
      <code>{name}</code>: {gapDescriptions[name].about}
      <br />
      <span class="hint">
        {chosen === undefined ? '' : `Now ${chosen}. `}Choices: {choicesText(gaps[name])}
      </span>
    </Fact>
  )
}

interface MessageProps {
  readonly title: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  /** Its size, if the body is not as it was sent. */
  readonly bodyBytes?: number | undefined
}

/** Headers that a client has to heed. */
const heeded = /^(?:x-ratelimit-.*|retry-after|deprecation|sunset|link)$/

/** The body of a request or a reply, and its headers: those that matter, and the others on demand. */
function Message({ title, headers, body, bodyBytes }: MessageProps) {
  const all = Object.entries(headers)
  const others = all.filter(([name]) => !heeded.test(name))
  return (
    <section class="stack message">
      <h3>{title}</h3>
      {body === '' ? null : <pre>{readableBody(body)}</pre>}
      {bodyBytes === undefined ? null : <p class="hint">The body has {bodyBytes} bytes.</p>}
      <Headers headers={all.filter(([name]) => heeded.test(name))} />
      {others.length === 0 ? null : (
        <details>
          <summary>
            {countText(others.length, title === 'Reply' ? 'other header' : 'header')}
          </summary>
          <Headers headers={others} />
        </details>
      )}
    </section>
  )
}

function Headers({ headers }: { readonly headers: readonly (readonly [string, string])[] }) {
  if (headers.length === 0) return null
  return (
    <dl class="facts mono">
      {headers.map(([name, value]) => (
        <Fact key={name} title={name}>
          {value}
        </Fact>
      ))}
    </dl>
  )
}

/** What was asked for: the method, the path, and the query. */
export function Asked({ request }: { readonly request: JournalEntry['request'] }) {
  return (
    <code class="asked">
      <b>{request.method}</b> {pathOf(request)}
    </code>
  )
}
