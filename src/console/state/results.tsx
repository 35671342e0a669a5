import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import type { CalibratedGap, Calibration } from '../../calibrate/calibrate.ts'
import { gapNames } from '../../contract/gaps.ts'
import { namesOf } from '../../input/record.ts'
import { countText } from '../../reports/text.ts'
import { useConsole } from '../live/console-context.ts'
import { useAction } from '../live/use-action.ts'
import { Button } from '../parts/controls/button.tsx'
import { Badge, type Tone } from '../parts/display.tsx'
import { ClauseLink } from '../parts/document-link.tsx'
import { type Column, Table } from '../parts/table.tsx'
import { gapSettingsOf } from '../situations/gap-texts.ts'
import type { Difference, PartDifferences } from './compare-snapshots.ts'

interface ResultProps {
  readonly title: string
  /** What was found: the focus goes to it when it is new. */
  readonly found: object
  readonly action?: ComponentChildren
  readonly children: ComponentChildren
}

function Result({ title, found, action, children }: ResultProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [found])
  return (
    <section class="stack wide differences" aria-label={title}>
      <header class="row">
        <h2 ref={heading} class="title" tabIndex={-1}>
          {title}
        </h2>
        {action}
      </header>
      {children}
    </section>
  )
}

interface BoxProps<Row> {
  readonly title: string
  readonly columns: readonly Column<Row>[]
  readonly rows: readonly Row[]
  /** What is said where there are none. */
  readonly nothing?: string
}

/** A table in a box that says how many rows it has. */
function Box<Row>({ title, columns, rows, nothing }: BoxProps<Row>) {
  return (
    <section class="box stacked" aria-label={title}>
      <h3>
        {title} <span class="count">{rows.length}</span>
      </h3>
      {rows.length === 0 && nothing !== undefined ? (
        <p class="hint">{nothing}</p>
      ) : (
        <Table caption={title} columns={columns} rows={rows} keyOf={(row) => rows.indexOf(row)} />
      )}
    </section>
  )
}

/** What differs between two snapshots, and what these are called. */
export interface ComparedSnapshots {
  readonly before: string
  readonly after: string
  readonly parts: readonly PartDifferences[]
}

/** Two snapshots side by side, part by part, and only what differs. */
export function Differences({ compared }: { readonly compared: ComparedSnapshots }) {
  const { before, after, parts } = compared
  const side = (title: string, text: string | undefined) => (
    <>
      <span class="narrow-only">{title}: </span>
      {text ?? <span class="hint">not there</span>}
    </>
  )
  const columns: readonly Column<Difference>[] = [
    { name: 'what', title: 'What', isHeader: true, cell: ({ place }) => place || 'all of it' },
    { name: 'before', title: before, cell: (one) => side(before, one.before) },
    { name: 'after', title: after, cell: (one) => side(after, one.after) },
  ]
  return (
    <Result title={`${before} compared with ${after}`} found={compared}>
      {parts.length === 0 ? <p>Nothing differs.</p> : null}
      {parts.map(({ part, differences }) => (
        <Box key={part} title={part} columns={columns} rows={differences} />
      ))}
    </Result>
  )
}

/** What archives tell of a service, and what their files are called. */
export interface CalibratedFiles {
  readonly name: string
  readonly report: Calibration
}

/** How each verdict on a gap is shown, in this order. */
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
  const { exchanges, baseUrl, clauses, unexplained, gaps } = calibrated.report
  const rowsOf = (verdict: CalibratedGap['verdict']) =>
    gapNames.map((name) => ({ ...gaps[name], name })).filter((row) => row.verdict === verdict)
  const shown = rowsOf('shown')
  const unseen = rowsOf('unseen')
  const problems = namesOf(clauses).flatMap((clause) =>
    clauses[clause].problems.map((problem) => ({ ...problem, clause })),
  )
  const take = (): Promise<boolean> => {
    const choices = shown.map((row) => [row.name, row.choices[0] ?? ''])
    return run(
      (client) => client.setGaps(gapSettingsOf(Object.fromEntries(choices))),
      `The sandbox makes ${countText(shown.length, 'choice')} of the service`,
    )
  }
  return (
    <Result
      title={`Calibration by ${calibrated.name}`}
      found={calibrated}
      action={
        shown.length === 0 || file !== undefined ? null : (
          <Button kind="primary" disabled={isBusy} onClick={() => void take()}>
            Take these choices
          </Button>
        )
      }
    >
      <p>
        {baseUrl === null
          ? 'No request was sent to an API with /v1/pets.'
          : `${shown.length} of ${gapNames.length} choices are shown by ${countText(exchanges.judged, 'exchange')} with ${baseUrl}.`}
      </p>
      <Box
        title="What is wrong"
        columns={problemColumns}
        rows={[...problems, ...unexplained]}
        nothing="No clause is broken, and nothing is unexplained."
      />
      <Box
        title="Choices"
        columns={gapColumns}
        rows={[...rowsOf('contradicted'), ...shown, ...rowsOf('narrowed')]}
      />
      {unseen.length === 0 ? null : (
        <details>
          <summary>{countText(unseen.length, 'gap')} of which nothing was seen</summary>
          <Table
            caption="Not seen"
            columns={gapColumns.filter(({ name }) => name === 'gap' || name === 'ask')}
            rows={unseen}
            keyOf={({ name }) => name}
          />
        </details>
      )}
    </Result>
  )
}

/** Something that is wrong with a reply. */
interface Problem {
  /** None for what no choice explains. */
  readonly clause?: string
  readonly exchange: number
  readonly problem: string
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

const gapColumns: readonly Column<CalibratedGap & { readonly name: string }>[] = [
  { name: 'gap', title: 'Gap', isHeader: true, cell: ({ name }) => name },
  {
    name: 'verdict',
    title: 'Verdict',
    cell: ({ verdict }) => <Badge tone={tones[verdict]} text={verdict} />,
  },
  { name: 'choices', title: 'Choices that agree', cell: ({ choices }) => choices.join(', ') },
  {
    name: 'ask',
    title: 'What would tell',
    cell: ({ ask }) => (ask === undefined ? '' : <code>{ask}</code>),
  },
]
