import type { CoverageReport } from '../../coverage/coverage-report.ts'
import { grouped, namesOf } from '../../input/record.ts'
import { useConsole } from '../live/console-context.ts'
import { useAction, useAsked } from '../live/use-client.ts'
import { Button, CopyButton } from '../parts/controls/button.tsx'
import { usePause } from '../parts/controls/filters.tsx'
import { Empty, Meter } from '../parts/display.tsx'
import { curlOf, type Step, stepsOf } from './how.ts'

type TierName = keyof CoverageReport['tiers']

type Cell = CoverageReport['tiers'][TierName]['cells'][number]

/** What is counted in each tier. */
const abouts: Readonly<Record<TierName, string>> = {
  outcomes: 'replies that the interface documents',
  values: 'what requests choose and replies contain',
  situations: 'limits, bans, keys that end, removals, faults',
  gaps: 'choices where the interface leaves one',
}

/** Open cells that the same line covers. */
interface Group {
  readonly how: string
  readonly cells: readonly Cell[]
}

/** The ways in which cells are covered, the shortest first. */
const ways = {
  send: { title: 'Send a request', about: 'Nothing has to be set up.' },
  setUp: { title: 'Set up, then send', about: 'Keys, the clock, pets or a fault first.' },
  choose: { title: 'Choose at a gap, then send', about: 'A reset takes the choice back.' },
} as const

function wayOf({ how }: Group): keyof typeof ways {
  if (how.includes('setGaps')) return 'choose'
  return how.includes('sandbox.') ? 'setUp' : 'send'
}

/** What the clients were exposed to, and how to cover the rest. */
export function CoverageScreen() {
  const { store } = useConsole()
  const { answer, problem } = useAsked((client) => client.coverage(), [store.entries.value])
  const { shown, pause } = usePause(answer)
  if (shown === undefined) {
    return (
      <Empty title={problem === undefined ? 'Asking …' : 'Nothing is counted'} text={problem} />
    )
  }
  const tiers = namesOf(shown.tiers)
  const cells = tiers.flatMap((name) => shown.tiers[name].cells)
  const open = cells.filter(({ covered }) => !covered)
  const groups = [...grouped(open, ({ how }) => how)]
    .map(([how, own]): Group => ({ how, cells: own }))
    .sort((one, other) => other.cells.length - one.cells.length)
  return (
    <div class="stack wide">
      <div class="row">
        <h2 class="title">
          {cells.length - open.length} of {cells.length} covered
        </h2>
        {open.length === 0 ? null : (
          <CopyButton
            what={`all ${groups.length} lines`}
            text={() => `${groups.map(({ how }) => how).join('\n')}\n`}
          />
        )}
        {pause}
      </div>
      <div class="columns">
        {tiers.map((name) => {
          const { covered, all } = shown.tiers[name]
          return (
            <div key={name} class="box stack tier">
              <Meter label={name} value={covered} most={all} text={`${covered} of ${all}`} />
              <p class="hint">{abouts[name]}</p>
            </div>
          )
        })}
      </div>
      {namesOf(ways).map((way) => (
        <Way key={way} way={way} groups={groups.filter((group) => wayOf(group) === way)} />
      ))}
      {open.length === cells.length ? null : (
        <details>
          <summary>{cells.length - open.length} covered</summary>
          <ul class="covered hint">
            {cells
              .filter(({ covered }) => covered)
              .map(({ cell, by }) => (
                <li key={cell}>
                  {cell} {by === undefined ? null : <span class="hint">by {by}</span>}
                </li>
              ))}
          </ul>
        </details>
      )}
    </div>
  )
}

interface WayProps {
  readonly way: keyof typeof ways
  readonly groups: readonly Group[]
}

/** The open cells that are covered in one way. */
function Way({ way, groups }: WayProps) {
  if (groups.length === 0) return null
  const { title, about } = ways[way]
  const count = groups.flatMap(({ cells }) => cells).length
  return (
    <section class="stack" aria-labelledby={`way-${way}`}>
      <details open={way !== 'choose'}>
        <summary class="row">
          <h2 id={`way-${way}`}>{title}</h2> <span class="hint">{`${count} open. ${about}`}</span>
        </summary>
        <ul class="list ways">
          {groups.map((group) => (
            <GroupRow key={group.how} group={group} />
          ))}
        </ul>
      </details>
    </section>
  )
}

/** A line, what it covers, and buttons for its steps: what the console does, and what the client sends. */
function GroupRow({ group: { how, cells } }: { readonly group: Group }) {
  const { apiUrl, store } = useConsole()
  const { run, isBusy } = useAction()
  // A control between two requests is a step of its own.
  const parts: Step[][] = []
  for (const step of stepsOf(how, store.time.now.peek() ?? 0) ?? []) {
    const last = parts.at(-1)
    if (last?.[0]?.kind === step.kind) last.push(step)
    else parts.push([step])
  }
  return (
    <li aria-label={cells.map(({ cell }) => cell).join(', ')}>
      <p class="group">
        {cells.map(({ cell }) => (
          <span key={cell} class="tag">
            {cell}
          </span>
        ))}
      </p>
      <code class="hint">{how}</code>
      <div class="group">
        {parts.map((own, index) => {
          const number = parts.length > 2 ? ` (step ${index + 1})` : ''
          return own[0]?.kind === 'request' ? (
            <CopyButton key={index} what={`curl${number}`} text={() => curlOf(own, apiUrl)} />
          ) : (
            <Button
              key={index}
              disabled={isBusy}
              onClick={() =>
                void run(async (client) => {
                  for (const step of own) if (step.kind === 'control') await step.run(client)
                }, 'Set up: now let your client send its request')
              }
            >
              Set up{number}
            </Button>
          )
        })}
        <CopyButton what="test line" text={() => how} />
      </div>
    </li>
  )
}
