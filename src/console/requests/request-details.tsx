import type { JournalEntry } from '../../client/connect-sandbox.ts'
import { choicesText, type GapName, gapDescriptions, gapNames, gaps } from '../../contract/gaps.ts'
import type { DoorName } from '../../contract/message.ts'
import { curlText, fetchText, pathOf, vitestText } from '../../reports/request-text.ts'
import { countText } from '../../reports/text.ts'
import { useConsole } from '../live/console-context.ts'
import { useAsked } from '../live/use-asked.ts'
import { outcomeText, readableBody, reasonOf, requestText } from '../model/entry-text.ts'
import { linkTo } from '../model/route.ts'
import { Button } from '../parts/controls/button.tsx'
import { CopyButton } from '../parts/controls/copy-button.tsx'
import type { Typed } from '../parts/controls/data-form.tsx'
import { Dialog, useDialog } from '../parts/controls/dialog.tsx'
import { Popover } from '../parts/controls/popover.tsx'
import { Badge, Fact } from '../parts/display.tsx'
import { SourceLink } from '../parts/document-link.tsx'
import { Countdown } from '../parts/time.tsx'

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
