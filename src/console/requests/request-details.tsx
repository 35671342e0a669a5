import type { ComponentChildren } from 'preact'
import {
  curlText,
  fetchText,
  requestMarkdown,
  vitestText,
} from '../../checks/reports/request-text.ts'
import { countText, pathOf, requestText } from '../../checks/reports/text.ts'
import type { RequestView } from '../../client/connect-sandbox.ts'
import { type GapName, gapDescriptions, gapNames, gaps, valuesText } from '../../mock/api/gaps.ts'
import { formatCount } from '../../mock/input/values.ts'
import { useConsole } from '../live/console-context.ts'
import { requestAgain } from '../live/send-request.ts'
import { useAction, useResponse } from '../live/use-client.ts'
import { outcomeText, reasonOf } from '../model/entry-text.ts'
import { testOf } from '../model/filter-entries.ts'
import { linkTo } from '../model/route.ts'
import { Button, CopyButton } from '../parts/button.tsx'
import { Dialog, useDialog } from '../parts/dialog.tsx'
import { Fact, Pill } from '../parts/display.tsx'
import { ClauseText, SourceLink } from '../parts/document-link.tsx'
import { BodyText } from '../parts/json-text.tsx'
import { Popover } from '../parts/popover.tsx'
import { Sign } from '../parts/sign.tsx'
import { Countdown, Instant, tookText } from '../parts/time.tsx'
import { RequestLine } from './request-line.tsx'
import { SendButton } from './send-button.tsx'
import { useFocusOnMount } from './use-focus-on-mount.ts'

interface RequestDetailsProps {
  readonly id: number
  /** The request without its bodies, if it is loaded. */
  readonly known: RequestView | undefined
  /** Query of the address, with the filter of the list. */
  readonly query: URLSearchParams
  /** Links to the rows above and below, if any. */
  readonly previousLink: string | undefined
  readonly nextLink: string | undefined
}

/** Details of a request: the reason for its response, actions, request and response. */
export function RequestDetails(props: RequestDetailsProps) {
  const { id, known, query, previousLink, nextLink } = props
  const heading = useFocusOnMount()
  const { result, problem } = useResponse((client) => client.requests.get(id), [])
  const entry = result ?? known
  const title = Number.isNaN(id) ? 'Request' : `Request ${id}`
  const step = (link: string | undefined, name: 'previous' | 'next', rel: string) =>
    link === undefined ? null : (
      <a class="button quiet" rel={rel} href={link} aria-label={`The ${name} row`}>
        <Sign name={name} />
      </a>
    )
  return (
    <section class="box details" aria-label={`Details of ${title.toLowerCase()}`}>
      <header class="bar">
        {entry && <Pill {...outcomeText(entry)} />}
        <h2
          ref={heading}
          class="grow"
          tabIndex={-1}
          aria-label={entry && `${title}: ${requestText(entry.request)}`}
        >
          {entry === undefined ? (
            title
          ) : (
            <RequestLine method={entry.request.method} target={pathOf(entry.request)} />
          )}
        </h2>
        {step(previousLink, 'previous', 'prev')}
        {step(nextLink, 'next', 'next')}
        <a class="button quiet" href={linkTo('requests', [], query)} aria-label="Close the details">
          <Sign name="close" />
        </a>
      </header>
      {entry === undefined ? (
        <p>{problem ?? 'Loading …'}</p>
      ) : (
        <>
          <Summary entry={entry} />
          {/* Without its bodies, it could be neither copied nor sent. */}
          {result === undefined ? null : <Actions entry={result} query={query} />}
          <Facts entry={entry} />
          <Message title="Request" {...entry.request} />
          {'body' in entry.outcome ? (
            <Message title="Response" {...entry.outcome} meanings={meaningsOf(entry)} />
          ) : null}
        </>
      )}
    </section>
  )
}

/** Duration, key, quota and time in a line; below them the reason for the response. */
function Summary({ entry }: { readonly entry: RequestView }) {
  const { store } = useConsole()
  const key = store.keyOf.value(entry)
  const { text, tags } = reasonOf(entry, key)
  const { quota, durationMs, at } = entry
  const clause = entry.decision?.code === undefined ? undefined : entry.decision.spec
  return (
    <>
      <p class="hint facts-line">
        <span class={durationMs >= 1_000 ? 'slow' : ''}>{tookText(durationMs)}</span>
        <a href={linkTo('requests', [entry.id], { key })}>
          <bdi>{key}</bdi>
        </a>
        {quota && (
          <span>
            {formatCount(quota.remaining)}/{formatCount(quota.limit)} left in the {quota.window}
          </span>
        )}
        <Instant at={at} />
        <span>#{entry.id}</span>
      </p>
      <p class="reason">{text || 'Succeeded'}</p>
      {tags.length === 0 ? null : (
        <p class="group">
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
      )}
      {clause === undefined ? null : <Clause clause={clause} />}
    </>
  )
}

/** Text of the clause in the spec, collapsed. */
function Clause({ clause }: { readonly clause: string }) {
  const { isPanel } = useConsole()
  if (isPanel) return null
  const section = /^4\.\d/.test(clause) ? clause : (clause.split('.')[0] ?? clause)
  return (
    <details class="clause">
      <summary>What the spec says</summary>
      <ClauseText clause={section} />
    </details>
  )
}

/** Buttons that copy a request in several forms. */
function CopyButtons({ entry }: { readonly entry: RequestView }) {
  const { store, apiUrl, linkOf } = useConsole()
  const source = () => ({ entry, apiUrl, key: store.keyOf.peek()(entry) })
  const link = linkOf(entry.id)
  return (
    <div class="menu">
      <CopyButton what="curl" text={() => curlText(source())} />
      <CopyButton what="fetch" text={() => fetchText(source())} />
      <CopyButton what="Vitest test" text={() => vitestText(source())} />
      <CopyButton what="Markdown" text={() => requestMarkdown(source())} />
      {link === undefined ? null : <CopyButton what="link" text={() => link} />}
    </div>
  )
}

interface ActionsProps {
  readonly entry: RequestView
  readonly query: URLSearchParams
}

function Actions({ entry, query }: ActionsProps) {
  const { run } = useConsole()
  const { dialog, open } = useDialog()
  // Loads the component before the dialog opens, so that its content can get the focus.
  const askWhatIf = async (): Promise<void> => {
    const { WhatIfDialog } = await import('./what-if-dialog.tsx')
    open((close) => <WhatIfDialog entry={entry} onClose={close} />)
  }
  const addFault = async (): Promise<void> => {
    const { FaultForm } = await import('../fail/fault-form.tsx')
    const { operation, request, outcome } = entry
    const status = 'status' in outcome && outcome.status >= 400 ? String(outcome.status) : '500'
    const target = operation === undefined ? { method: request.method } : { operation }
    open((close) => (
      <Dialog title="Add a fault" onClose={close}>
        <p>
          For the next requests like <code>{requestText(entry.request)}</code>
        </p>
        <FaultForm first={{ ...target, status }} onClose={close} />
      </Dialog>
    ))
  }
  return (
    <div class="group actions">
      <Popover
        text={
          <>
            Copy <Sign name="down" />
          </>
        }
        label="Copy"
      >
        {() => <CopyButtons entry={entry} />}
      </Popover>
      {run === undefined ? <SendAgain entry={entry} /> : null}
      <a
        class="button"
        href={linkTo('requests', [], { ...Object.fromEntries(query), compare: String(entry.id) })}
        title="With the request that you open next"
      >
        Compare…
      </a>
      <Button hint="Replay it with other gap values" onClick={() => void askWhatIf()}>
        What if…
      </Button>
      {run !== undefined ? null : (
        <Button hint="Let the next requests like this fail" onClick={() => void addFault()}>
          Fault…
        </Button>
      )}
      {dialog}
    </div>
  )
}

/** Buttons that send a request once more, as it was or changed. */
function SendAgain({ entry }: { readonly entry: RequestView }) {
  const { store, send, go } = useConsole()
  const run = useAction()
  const again = requestAgain(entry, store.keyOf.value(entry))
  const isCut = entry.request.bodyBytes !== undefined
  const sendAgain = (): void =>
    void run(async () => {
      const id = await send(again)
      if (id !== undefined) go(linkTo('requests', [id]))
    })
  return (
    <>
      <Button
        disabled={isCut}
        hint={isCut ? 'The log has only a part of its body' : undefined}
        onClick={sendAgain}
      >
        Send again
      </Button>
      <SendButton text="Edit and send…" first={again} />
    </>
  )
}

/** Further facts about a request; a newer server may leave some of them out. */
function Facts({ entry }: { readonly entry: RequestView }) {
  const { store, sentFrom } = useConsole()
  const { operation } = entry
  const { code, gap, retryAt } = entry.decision ?? {}
  const test = testOf(entry, store.marks.value)
  const sender = sentFrom?.(entry) ?? entry.request.headers['user-agent']
  const findings = store.findings.value.filter(
    ({ requests, beforeReset }) => beforeReset !== true && requests.includes(entry.id),
  )
  return (
    <dl class="facts">
      {gap === undefined ? null : <GapFact name={gap} />}
      <Fact title="Error">{code && <code>{code}</code>}</Fact>
      <Fact title="Retry">
        {retryAt && <Countdown until={retryAt} past={`from ${retryAt.slice(11, 19)} on`} />}
      </Fact>
      <Fact title="Quota">{entry.quota?.counted === false ? 'Not counted' : undefined}</Fact>
      <Fact title="Operation">{operation}</Fact>
      <Fact title="Test">
        {test && <a href={linkTo('requests', [entry.id], { test })}>{test}</a>}
      </Fact>
      <Fact title="Sent from">{sender && <code>{sender}</code>}</Fact>
      {findings.map(({ rule, severity, message, advice }) => (
        <Fact key={rule} title="Finding">
          <Pill tone={severity} text={rule} /> {message} {advice}
        </Fact>
      ))}
    </dl>
  )
}

/** Description of the gap that decided the response; empty for a gap of a newer server that this page doesn't know. */
function GapFact({ name }: { readonly name: GapName }) {
  const chosen = useConsole().store.gaps.value?.[name]
  if (!gapNames.includes(name)) return null
  return (
    <Fact title="Gap">
      <a href={linkTo('spec', [gaps[name].spec])}>{name}</a>: {gapDescriptions[name].summary}
      <br />
      <span class="hint">
        {chosen === undefined ? '' : `Now ${chosen}. `}Values: {valuesText(gaps[name])}
      </span>
    </Fact>
  )
}

interface MessageProps {
  readonly title: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  /** Size of the original body, if the body isn't shown as sent. */
  readonly bodyBytes?: number | undefined
  /** Meanings of values that people can't read, by header. */
  readonly meanings?: Readonly<Record<string, ComponentChildren>>
}

/** Returns the instants that headers stand for, as the engine logged them. */
function meaningsOf({ quota, decision }: RequestView): Record<string, ComponentChildren> {
  const { resetAt } = quota ?? {}
  const { retryAt } = decision ?? {}
  return {
    ...(resetAt === undefined
      ? {}
      : {
          'x-ratelimit-reset': (
            <>
              {resetAt.slice(11, 19)}, <Countdown until={resetAt} past="past" />
            </>
          ),
        }),
    ...(retryAt === undefined ? {} : { 'retry-after': `until ${retryAt.slice(11, 19)}` }),
  }
}

/** Headers that clients must evaluate. */
const heeded = /^(?:x-ratelimit-.*|retry-after|deprecation|sunset|link|www-authenticate)$/

/** Headers of a request or a response, the important ones first and the others collapsed; then the body. */
function Message({ title, headers, body, bodyBytes, meanings = {} }: MessageProps) {
  const all = Object.entries(headers)
  const others = all.filter(([name]) => !heeded.test(name))
  return (
    <section class="stack message">
      <h3>{title}</h3>
      <Headers headers={all.filter(([name]) => heeded.test(name))} meanings={meanings} />
      {body === '' ? null : <BodyText body={body} />}
      {bodyBytes === undefined ? null : <p class="hint">The body has {bodyBytes} bytes.</p>}
      {others.length === 0 ? null : (
        <details>
          <summary>
            {countText(others.length, title === 'Response' ? 'other header' : 'header')}
          </summary>
          <Headers headers={others} meanings={{}} />
        </details>
      )}
    </section>
  )
}

interface HeadersProps extends Required<Pick<MessageProps, 'meanings'>> {
  readonly headers: readonly (readonly [string, string])[]
}

function Headers({ headers, meanings }: HeadersProps) {
  if (headers.length === 0) return null
  return (
    <dl class="facts headers">
      {headers.map(([name, value]) => (
        <Fact key={name} title={name}>
          {value}
          {meanings[name] === undefined ? null : <span class="hint"> · {meanings[name]}</span>}
        </Fact>
      ))}
    </dl>
  )
}
