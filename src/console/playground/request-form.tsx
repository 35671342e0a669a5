import { useState } from 'preact/hooks'
import { coverageItems } from '../../checks/coverage/cells.ts'
import { curlText, fetchText, vitestText } from '../../checks/reports/request-text.ts'
import type { RequestView } from '../../client/connect-sandbox.ts'
import { useConsole } from '../live/console-context.ts'
import { outcomeText, reasonOf } from '../model/entry-text.ts'
import { linkTo } from '../model/route.ts'
import { CopyButton } from '../parts/button.tsx'
import { DataForm, Select, TextArea, TextInput } from '../parts/data-form.tsx'
import { Pill } from '../parts/display.tsx'
import { BodyText } from '../parts/json-text.tsx'
import { apiUrl, usePlayground } from './playground-context.ts'
import { runSteps, type TryRequest, type TryStep, tryFragment } from './try-link.ts'

/** Steps that lead to each documented response, by its name, such as `listPets 429`. */
const samples: ReadonlyMap<string, readonly TryStep[]> = new Map(
  // The steps consist of the controls and requests that a link can have.
  coverageItems.outcomes.map(({ name, steps }) => [name, steps as readonly TryStep[]]),
)

const firstSample = 'listPets 200'

const noKey = 'none'

/** Initial content of the form, from the steps of a sample or a link. */
export interface Draft {
  readonly name: string
  /** Steps before the request. */
  readonly setup: readonly TryStep[]
  readonly request: TryRequest
}

/** Creates a draft from steps: the last request, and the steps before it. */
export function draftOf(name: string, steps: readonly TryStep[]): Draft {
  const at = steps.findLastIndex((step) => 'request' in step)
  const last = steps[at]
  const none = { method: 'GET', path: '/pets', headers: {}, body: '' }
  const request = last !== undefined && 'request' in last ? last.request : none
  return { name, setup: at < 0 ? steps : steps.slice(0, at), request }
}

export const firstDraft = (): Draft => draftOf(firstSample, samples.get(firstSample) ?? [])

interface RequestFormProps {
  readonly draft: Draft
  readonly onDraft: (draft: Draft) => void
  /** The request sent last. */
  readonly sent: RequestView | undefined
  readonly onSent: (entry: RequestView | undefined) => void
}

/** Form for a request to the sandbox in the page, with its response. */
export function RequestForm({ draft, onDraft, sent, onSent }: RequestFormProps) {
  const playground = usePlayground()
  const { store } = useConsole()
  const keys = store.keys.value.map(({ key }) => key)
  const [link, setLink] = useState(() => linkOf(draft, draft.request))
  const { name, setup, request } = draft
  const key = request.headers.authorization?.replace(/^Bearer /, '') ?? noKey
  const listed = [...new Set([...keys, key, 'unknown-key'])].filter((one) => one !== noKey)
  const controls = setup.filter((step) => 'control' in step)
  return (
    <section class="stack" aria-labelledby="request-title">
      <header class="bar">
        <h2 id="request-title" class="grow">
          Send a request
        </h2>
        <label class="group">
          <span class="hint">Sample</span>
          <select
            value={samples.has(name) ? name : ''}
            onChange={({ currentTarget: { value } }) => {
              const next = draftOf(value, samples.get(value) ?? [])
              onDraft(next)
              setLink(linkOf(next, next.request))
            }}
          >
            {samples.has(name) ? null : <option value="">{name}</option>}
            {[...samples.keys()].map((one) => (
              <option key={one}>{one}</option>
            ))}
          </select>
        </label>
      </header>
      <DataForm<Readonly<Record<string, string>>>
        key={JSON.stringify([name, keys.length > 0])}
        label="Request"
        verb="Send"
        send={async (_, { method = 'GET', path = '/', key: chosen = noKey, body = '' }) => {
          const headers = {
            ...(chosen === noKey ? {} : { authorization: `Bearer ${chosen}` }),
            ...(body === '' ? {} : { 'content-type': 'application/json' }),
          }
          const own = { method, path, headers, body }
          setLink(linkOf(draft, own))
          await runSteps(playground.shown.current, setup, (one) => playground.send(one))
          onSent(await playground.send(own))
        }}
      >
        <div class="request-fields">
          <Select
            name="method"
            label="Method"
            options={[...new Set(['GET', 'POST', 'PUT', 'DELETE', request.method])]}
            value={request.method}
          />
          <TextInput name="path" label="Path" value={request.path} />
          <Select
            name="key"
            label="Key"
            options={[...listed, [noKey, 'no key'] as const]}
            value={key}
          />
        </div>
        <TextArea name="body" label="Body" value={request.body} />
        {controls.length === 0 ? null : (
          <p class="hint">
            Before it:{' '}
            {controls.map((step) => (
              <code key={controlText(step)}>{controlText(step)}</code>
            ))}
          </p>
        )}
      </DataForm>
      {sent === undefined ? null : <Sent entry={sent} link={link} />}
    </section>
  )
}

function controlText(step: TryStep): string {
  if (!('control' in step)) return ''
  const args = step.args.map((one) => JSON.stringify(one)).join(', ')
  return `sandbox.${step.control}(${args})`
}

/** Returns a link to this page that repeats the request. */
function linkOf({ setup }: Draft, request: TryRequest): string {
  const [page = ''] = location.href.split('#')
  return page + tryFragment([...setup, { request, times: 1 }])
}

/** Response to a request, and texts to copy that send it again. */
function Sent({ entry, link }: { readonly entry: RequestView; readonly link: string }) {
  const { store } = useConsole()
  const key = store.keyOf.value(entry)
  const source = { entry, apiUrl, key }
  const { text, tags } = reasonOf(entry, key)
  const headers = Object.entries('headers' in entry.outcome ? entry.outcome.headers : {})
    .filter(([name]) => /^(?:x-ratelimit|retry-after|deprecation|sunset)/.test(name))
    .map(([name, value]) => `${name}: ${value}\n`)
    .join('')
  const body = 'body' in entry.outcome ? entry.outcome.body : ''
  return (
    <section class="box sent stack" aria-label="Response">
      <p class="row" role="status">
        <Pill {...outcomeText(entry)} />
        <span class="reason">{text || 'Succeeded'}</span>
        {tags.map((tag) => (
          <span key={tag} class="tag">
            {tag}
          </span>
        ))}
        <a class="end" href={linkTo('requests', [entry.id])}>
          Request {entry.id}
        </a>
      </p>
      {headers === '' ? null : <p class="mono headers">{headers}</p>}
      {body === '' ? null : <BodyText body={body} />}
      <div class="group">
        <CopyButton what="as curl" text={() => curlText(source)} />
        <CopyButton what="as fetch" text={() => fetchText(source)} />
        <CopyButton what="as Vitest test" text={() => vitestText(source)} />
        <CopyButton what="link" text={() => link} />
      </div>
    </section>
  )
}
