import type { CoverageReport } from '../../checks/coverage/coverage-report.ts'
import { shellCommand } from '../../checks/reports/request-text.ts'
import { grouped, namesOf } from '../../mock/input/record.ts'
import { useConsole } from '../live/console-context.ts'
import { useThrottled } from '../live/throttle.ts'
import { useAction, useResponse } from '../live/use-client.ts'
import { Button, CopyButton } from '../parts/button.tsx'
import { Meter } from '../parts/display.tsx'

type CategoryName = keyof CoverageReport['categories']

type Item = CoverageReport['categories'][CategoryName]['items'][number]

/** Content of each category, the most important category first. */
const summaries: Readonly<Record<CategoryName, string>> = {
  situations: 'limits, bans, expired keys, removals, faults',
  outcomes: 'responses that the spec documents',
}

const maxSuggestions = 5

/** Situations that the clients never exercised, with steps that exercise them. */
export function NotExercised() {
  const { store } = useConsole()
  const entries = useThrottled(store.entries.value, 1_000)
  const { result, problem } = useResponse((client) => client.coverage(), [entries])
  return (
    <section class="stack" aria-labelledby="not-exercised">
      <h2 id="not-exercised">Never exercised</h2>
      {result === undefined ? (
        <p class="hint">{problem === undefined ? 'Loading …' : 'Not known at the moment.'}</p>
      ) : (
        <Items report={result} />
      )}
    </section>
  )
}

function Items({ report: { categories: tiers } }: { readonly report: CoverageReport }) {
  const names = namesOf(summaries)
  const open = names.flatMap((name) => tiers[name].items.filter(({ covered }) => !covered))
  // Items with the same steps form one suggestion.
  const suggestions = [...grouped(open, ({ snippet }) => snippet).values()]
  return (
    <>
      <div class="columns categories">
        {names.map((name) => (
          <div key={name} class="category">
            <b>{name}</b>
            <Meter
              label={name}
              used={tiers[name].covered}
              limit={tiers[name].total}
              text={`${tiers[name].covered} of ${tiers[name].total}`}
            />
            <span class="hint">{summaries[name]}</span>
          </div>
        ))}
      </div>
      <ul class="list">
        {suggestions.slice(0, maxSuggestions).map((items) => (
          <Suggestion key={items[0]?.name} items={items} />
        ))}
      </ul>
    </>
  )
}

/** Items that the same steps exercise: controls that the console calls, and requests that the client sends. */
function Suggestion({ items }: { readonly items: readonly Item[] }) {
  const { apiUrl, isPanel } = useConsole()
  const run = useAction()
  const { steps = [], snippet } = items[0] ?? { snippet: '' }
  const first = steps.findIndex((step) => 'request' in step)
  const setup = steps.slice(0, first < 0 ? steps.length : first)
  const controls = setup.flatMap((step) => ('control' in step ? step : []))
  const called = controls.map(({ control }) => control).join(', ')
  const names = items.map(({ name }) => name).join(', ')
  const commands = (): string =>
    steps
      .flatMap((step) => {
        if (!('request' in step)) return []
        const { headers, ...request } = step.request
        const command = shellCommand({ ...request, headers: Object.entries(headers) }, apiUrl)
        return step.times === 1 ? command : `for n in $(seq ${step.times}); do ${command}; done`
      })
      .join('\n')
  const setUp = (): void =>
    void run(controls, `Called ${called}: now let the client send its request`)
  return (
    <li class="bar suggestion">
      <span class="grow one-line">
        {names}
        <code class="hint">{snippet}</code>
      </span>
      {controls.length === 0 ? null : (
        <Button label={`Set up: ${names}`} onClick={setUp}>
          Set up
        </Button>
      )}
      {isPanel ? null : <CopyButton what="curl" text={commands} />}
    </li>
  )
}
