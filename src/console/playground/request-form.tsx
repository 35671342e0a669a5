import { coverageItems } from '../../checks/coverage/cells.ts'
import type { RequestView } from '../../client/connect-sandbox.ts'
import { useConsole } from '../live/console-context.ts'
import { DataForm, Select, TextArea, TextInput } from '../parts/data-form.tsx'
import { CopyButtons } from '../requests/request-details.tsx'
import type { Playground } from './playground.ts'
import { ShownRequest } from './shown-request.tsx'
import { runSteps, type TryRequest, type TryStep, tryFragment } from './try-link.ts'

/** Steps that lead to each documented response, by its name, such as `listPets 429`. */
const samples: ReadonlyMap<string, readonly TryStep[]> = new Map(
  // The steps consist of the controls and requests that a link can have.
  coverageItems.outcomes.map(({ name, steps }) => [name, steps as readonly TryStep[]]),
)

/** Initial content of the form, from the steps of a sample or a link. */
export interface Draft {
  readonly name: string
  /** Steps before the request. */
  readonly setup: readonly TryStep[]
  readonly request: TryRequest
}

/** Creates a draft from steps, by default those of a sample: the last request, and the steps before it. */
export function draftOf(name: string, steps = samples.get(name) ?? []): Draft {
  const at = steps.findLastIndex((step) => 'request' in step)
  const last = steps[at]
  if (last === undefined || !('request' in last)) {
    return { name, setup: steps, request: { method: 'GET', path: '/pets', headers: {}, body: '' } }
  }
  return { name, setup: steps.slice(0, at), request: last.request }
}

/** A request that was sent, and the link that repeats it. */
export interface SentRequest {
  readonly entry: RequestView
  readonly link: string
}

interface RequestFormProps {
  readonly playground: Playground
  readonly draft: Draft
  readonly onDraft: (draft: Draft) => void
  /** The request sent last. */
  readonly sent: SentRequest | undefined
  readonly onSent: (sent: SentRequest | undefined) => void
}

/** Value of the field *Key* for a request without a key. */
const noKey = 'none'

/** Form for a request to the sandbox in the page, with its response. */
export function RequestForm({ playground, draft, onDraft, sent, onSent }: RequestFormProps) {
  const keys = useConsole().store.keys.value.map(({ key }) => key)
  const { name, setup, request } = draft
  const key = request.headers.authorization?.replace(/^Bearer /, '') ?? noKey
  const listed = [...new Set([...keys, key, 'unknown-key'])].filter((one) => one !== noKey)
  const names = samples.has(name) ? [...samples.keys()] : [name, ...samples.keys()]
  const controls = setup.flatMap((step) => ('control' in step ? controlText(step) : []))
  return (
    <section class="stack" aria-labelledby="request-title">
      <header class="bar">
        <h2 id="request-title" class="grow">
          Send a request
        </h2>
        <label class="group">
          <span class="hint">Sample</span>
          <select
            value={name}
            onChange={({ currentTarget }) => onDraft(draftOf(currentTarget.value))}
          >
            {names.map((one) => (
              <option key={one}>{one}</option>
            ))}
          </select>
        </label>
      </header>
      <DataForm
        key={JSON.stringify([name, keys.length > 0])}
        label="Request"
        verb="Send"
        send={async (_, { method = 'GET', path = '/', key: chosen = noKey, body = '' }) => {
          const headers = {
            ...(chosen === noKey ? {} : { authorization: `Bearer ${chosen}` }),
            ...(body === '' ? {} : { 'content-type': 'application/json' }),
          }
          const own = { method, path, headers, body }
          await runSteps(playground.sandbox, setup, (one) => playground.send(one))
          const entry = await playground.send(own)
          onSent(entry && { entry, link: tryLink([...setup, { request: own, times: 1 }]) })
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
            {controls.map((text) => (
              <code key={text}>{text}</code>
            ))}
          </p>
        )}
      </DataForm>
      {sent === undefined ? null : (
        <ShownRequest entry={sent.entry}>
          <div class="group">
            <CopyButtons entry={sent.entry} link={() => sent.link} />
          </div>
        </ShownRequest>
      )}
    </section>
  )
}

/** Returns a link to this page that reproduces a situation. */
export function tryLink(steps: readonly TryStep[]): string {
  return location.href.replace(/(?:#.*)?$/s, tryFragment(steps))
}

function controlText({ control, args }: Extract<TryStep, { control: string }>): string {
  return `sandbox.${control}(${args.map((one) => JSON.stringify(one)).join(', ')})`
}
