import type { CoverageReport } from '../../coverage/coverage-report.ts'
import { namesOf } from '../../input/record.ts'
import { useConsole } from '../live/console-context.ts'
import { useAsked } from '../live/pace/use-asked.ts'
import { linkTo, replaceLink, type ScreenProps } from '../model/route.ts'
import { Chips } from '../parts/controls/chips.tsx'
import { CopyButton } from '../parts/controls/copy-button.tsx'
import { usePause } from '../parts/controls/use-pause.tsx'
import { Empty } from '../parts/empty.tsx'
import { CoverageTier } from './coverage-tier.tsx'

const states = {
  open: { label: 'open', about: 'What no client has faced so far' },
  met: { label: 'met', about: 'What a client has faced' },
} as const

/** What the clients have been made to face, and how to bring about the rest. */
export function CoverageScreen({ route }: ScreenProps) {
  const { store } = useConsole()
  const { answer, problem } = useAsked(store.questions.coverage, [store.entries.value])
  const { shown, pause } = usePause(answer)
  if (shown === undefined) {
    return (
      <Empty title={problem === undefined ? 'Asking …' : 'Nothing is counted'}>
        <p>{problem}</p>
      </Empty>
    )
  }
  const chosen = namesOf(states).filter((name) => route.query.get('show') === name)
  const open = cellsOf(shown).filter(({ met }) => !met)
  return (
    <div class="report">
      <div class="box report-bar">
        <p>
          <b>{countsText(shown)}</b>
        </p>
        <Chips
          label="Only these"
          choices={states}
          names={namesOf(states)}
          chosen={chosen}
          onChange={(names) => {
            const [name] = names.filter((one) => !chosen.includes(one))
            replaceLink(linkTo('coverage', [], name === undefined ? {} : { show: name }))
          }}
        />
        <div class="actions">
          {open.length === 0 ? null : (
            <CopyButton
              what={`${open.length} open lines`}
              text={() => `${open.map(({ how }) => how).join('\n')}\n`}
            />
          )}
          {pause}
        </div>
      </div>
      {namesOf(shown.tiers).map((name) => (
        <CoverageTier key={name} name={name} tier={shown.tiers[name]} only={chosen[0]} />
      ))}
    </div>
  )
}

function cellsOf({ tiers }: CoverageReport) {
  return Object.values(tiers).flatMap(({ cells }) => cells)
}

function countsText(report: CoverageReport): string {
  const cells = cellsOf(report)
  return `${cells.filter(({ met }) => met).length} of ${cells.length} met`
}
