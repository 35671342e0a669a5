import { coverageItems } from '../../checks/coverage/cells.ts'
import { toJson } from '../../mock/api/json.ts'
import { useConsole } from '../live/console-context.ts'
import { linkTo } from '../model/route.ts'
import { SendForm } from '../requests/send-form.tsx'
import type { Playground } from './playground.ts'
import { readSteps, type TryRequest, type TryStep } from './try-link.ts'

/** Steps that lead to each documented response, by its name, such as `listPets 429`. */
const samples: ReadonlyMap<string, readonly TryStep[]> = new Map(
  coverageItems.outcomes.map(({ name, steps }) => [name, readSteps(steps)]),
)

/** Initial content of the form, from the steps of a sample or a link. */
export interface Draft {
  readonly name: string
  /** Steps before the request, in a sandbox that starts anew; `undefined` once they are done. */
  readonly setup: readonly TryStep[] | undefined
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

interface TryFormProps {
  readonly playground: Playground
  readonly draft: Draft
  readonly onDraft: (draft: Draft) => void
}

/** Form for a request to the sandbox in the page, which opens its details. */
export function TryForm({ playground, draft, onDraft }: TryFormProps) {
  const { go } = useConsole()
  const { name, setup, request } = draft
  const names = samples.has(name) ? [...samples.keys()] : [name, ...samples.keys()]
  const controls = (setup ?? []).flatMap((step) => ('control' in step ? controlText(step) : []))
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
      <SendForm
        first={request}
        onSend={async (own) => {
          // A sample gets the response that it is named after, whatever was sent before it.
          if (setup !== undefined) playground.restart()
          onDraft({ name, setup: undefined, request: own })
          const id = await playground.run([...(setup ?? []), { request: own, times: 1 }])
          if (id === undefined) return
          go(linkTo('requests', [id]))
          showConsole()
        }}
      >
        {controls.length === 0 ? null : (
          <p class="hint">
            Before it, in a new sandbox:{' '}
            {controls.map((text) => (
              <code key={text}>{text}</code>
            ))}
          </p>
        )}
      </SendForm>
    </section>
  )
}

/** Scrolls to the console where it is below the form. */
function showConsole(): void {
  const shell = document.querySelector('.shell')
  const { top = 0 } = shell?.getBoundingClientRect() ?? {}
  if (top > innerHeight / 2) shell?.scrollIntoView()
}

function controlText({ control, args }: Extract<TryStep, { control: string }>): string {
  return `sandbox.${control}(${args.map((one) => toJson(one)).join(', ')})`
}
