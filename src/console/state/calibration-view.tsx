import { useEffect, useRef } from 'preact/hooks'
import type { CalibratedGap, Calibration } from '../../calibrate/calibrate.ts'
import { type GapName, gapNames } from '../../contract/gaps.ts'
import { namesOf } from '../../input/record.ts'
import { countText } from '../../reports/text.ts'
import { useConsole } from '../live/console-context.ts'
import { useAction } from '../live/use-action.ts'
import { Badge, type Tone } from '../parts/badge.tsx'
import { Button } from '../parts/controls/button.tsx'
import { ClauseLink } from '../parts/document-link.tsx'
import { type Column, Table } from '../parts/table.tsx'
import { gapSettingsOf } from '../situations/gap-texts.ts'

/** What archives tell of a service, and what their files are called. */
export interface CalibratedFiles {
  readonly name: string
  readonly report: Calibration
}

/** How many problems are shown. */
const mostProblems = 100

/** Something that is wrong with a reply. */
interface Problem {
  /** `undefined` for what no choice explains. */
  readonly clause: string | undefined
  readonly exchange: number
  readonly problem: string
}

/** A gap, and what is known of it. */
type Row = CalibratedGap & { readonly name: GapName }

const tones: Readonly<Record<CalibratedGap['verdict'], Tone>> = {
  contradicted: 'error',
  shown: 'good',
  narrowed: 'info',
  unseen: 'neutral',
}

/** Which service archives were recorded with: what it breaks, what nothing explains, and its choices. */
export function CalibrationView({ calibrated }: { readonly calibrated: CalibratedFiles }) {
  const { file } = useConsole()
  const { run, isBusy } = useAction()
  const { name, report } = calibrated
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [calibrated])
  const { exchanges, baseUrl } = report
  const rowsOf = (verdict: CalibratedGap['verdict']): readonly Row[] =>
    gapNames
      .map((gap) => ({ ...report.gaps[gap], name: gap }))
      .filter((row) => row.verdict === verdict)
  const shown = rowsOf('shown')
  const unseen = rowsOf('unseen')
  const seen = [...rowsOf('contradicted'), ...shown, ...rowsOf('narrowed')]
  const problems = problemsIn(report)
  const take = (): Promise<boolean> => {
    const choices = shown.map((row) => [row.name, row.choices[0] ?? ''])
    return run(
      (client) => client.setGaps(gapSettingsOf(Object.fromEntries(choices))),
      `The sandbox makes ${countText(shown.length, 'choice')} of the service`,
    )
  }
  const title = `Calibration by ${name}`
  return (
    <section class="stack wide differences" aria-label={title}>
      <header class="row">
        <h2 ref={heading} class="title" tabIndex={-1}>
          {title}
        </h2>
        {shown.length === 0 || file !== undefined ? null : (
          <Button kind="primary" disabled={isBusy} onClick={() => void take()}>
            Take these choices
          </Button>
        )}
      </header>
      <p>
        {baseUrl === null
          ? 'No request was sent to an API with /v1/pets.'
          : `${shown.length} of ${gapNames.length} choices are shown by ${countText(exchanges.judged, 'exchange')} with ${baseUrl}.`}
      </p>
      <section class="box stacked" aria-label="What is wrong">
        <h3>
          What is wrong <span class="count">{problems.length}</span>
        </h3>
        {problems.length === 0 ? (
          <p class="hint">No clause is broken, and nothing is unexplained.</p>
        ) : (
          <Table
            caption="What is wrong"
            columns={problemColumns}
            rows={problems.slice(0, mostProblems)}
            keyOf={(row) => problems.indexOf(row)}
          />
        )}
        {problems.length <= mostProblems ? null : (
          <p class="hint">and {problems.length - mostProblems} more</p>
        )}
      </section>
      <section class="box stacked" aria-label="Choices">
        <h3>
          Choices <span class="count">{seen.length}</span>
        </h3>
        <Table caption="Choices" columns={gapColumns} rows={seen} keyOf={(row) => row.name} />
      </section>
      {unseen.length === 0 ? null : (
        <details>
          <summary>{countText(unseen.length, 'gap')} of which nothing was seen</summary>
          <Table
            caption="Not seen"
            columns={unseenColumns}
            rows={unseen}
            keyOf={({ name }) => name}
          />
        </details>
      )}
    </section>
  )
}

function problemsIn({ clauses, unexplained }: Calibration): readonly Problem[] {
  const broken = namesOf(clauses).flatMap((clause) =>
    clauses[clause].problems.map((problem) => ({ ...problem, clause })),
  )
  return [...broken, ...unexplained.map((problem) => ({ ...problem, clause: undefined }))]
}

const problemColumns: readonly Column<Problem>[] = [
  { name: 'problem', title: 'Problem', isHeader: true, cell: ({ problem }) => problem },
  { name: 'exchange', title: 'Exchange', cell: ({ exchange }) => `#${exchange}` },
  {
    name: 'clause',
    title: 'Clause',
    cell: ({ clause }) => (clause === undefined ? 'unexplained' : <ClauseLink clause={clause} />),
  },
]

const nameColumn: Column<Row> = {
  name: 'gap',
  title: 'Gap',
  isHeader: true,
  cell: ({ name }) => name,
}

const askColumn: Column<Row> = {
  name: 'ask',
  title: 'What would tell',
  cell: ({ ask }) => (ask === undefined ? '' : <code>{ask}</code>),
}

const gapColumns: readonly Column<Row>[] = [
  nameColumn,
  {
    name: 'verdict',
    title: 'Verdict',
    cell: ({ verdict }) => <Badge tone={tones[verdict]} text={verdict} />,
  },
  { name: 'choices', title: 'Choices that agree', cell: ({ choices }) => choices.join(', ') },
  askColumn,
]

const unseenColumns: readonly Column<Row>[] = [nameColumn, askColumn]
