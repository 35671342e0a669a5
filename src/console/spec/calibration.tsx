import { useEffect, useRef, useState } from 'preact/hooks'
import type { CalibratedGap, Calibration } from '../../checks/calibrate/calibrate.ts'
import { shownValues } from '../../checks/calibrate/evidence.ts'
import { countText } from '../../checks/reports/text.ts'
import { type GapName, gapNames } from '../../mock/api/gaps.ts'
import { ChoiceError } from '../../mock/input/input-error.ts'
import { namesOf } from '../../mock/input/record.ts'
import { useConsole } from '../live/console-context.ts'
import { useAction } from '../live/use-client.ts'
import { Button, CopyButton } from '../parts/button.tsx'
import { Pill, Problem, type Tone } from '../parts/display.tsx'
import { ClauseLink } from '../parts/document-link.tsx'
import { Sign } from '../parts/sign.tsx'
import { type Column, Table } from '../parts/table.tsx'
import { gapSettingsOf } from './gap-texts.ts'

/** HAR files of the real service, and the API's base URL if they contain several. */
export interface Calibrated {
  readonly files: readonly File[]
  readonly baseUrl?: string
}

interface CalibrationViewProps {
  readonly calibrated: Calibrated
  readonly onChange: (calibrated: Calibrated | undefined) => void
}

/** Tone of each result for a gap, in display order. */
const tones: Readonly<Record<CalibratedGap['result'], Tone>> = {
  contradicted: 'error',
  confirmed: 'good',
  narrowed: 'info',
  'not-seen': 'neutral',
}

/** Compares the spec with recorded traffic of the real service. */
export function CalibrationView({ calibrated, onChange }: CalibrationViewProps) {
  const isReadOnly = useConsole().run !== undefined
  const run = useAction()
  const heading = useRef<HTMLHeadingElement>(null)
  const [result, setResult] = useState<Calibration | Error | undefined>(undefined)
  useEffect(() => {
    let isOver = false
    void compare(calibrated).then((found) => {
      if (isOver) return
      setResult(found)
      heading.current?.focus()
    })
    return () => {
      isOver = true
    }
  }, [])
  const title = `The real service, by ${calibrated.files.map(({ name }) => name).join(', ')}`
  const report = result instanceof Error ? undefined : result
  const rowsOf = (wanted: CalibratedGap['result']): readonly GapResult[] =>
    gapNames.flatMap((name) => {
      const row = report?.gaps[name]
      return row?.result === wanted ? [{ ...row, name }] : []
    })
  const seen = rowsOf('confirmed')
  const take = (): void => {
    const values = Object.fromEntries(seen.map((row) => [row.name, row.values[0] ?? '']))
    void run(
      [{ control: 'setGaps', args: [gapSettingsOf(values)] }],
      `${countText(seen.length, 'gap')} set as in the service`,
    )
  }
  const problems = report === undefined ? [] : problemsOf(report)
  return (
    <section class="box stack calibration" aria-label={title}>
      <header class="bar">
        <h2 ref={heading} class="grow" tabIndex={-1}>
          {title}
        </h2>
        {seen.length === 0 || isReadOnly ? null : (
          <Button kind="primary" onClick={take}>
            Use its values
          </Button>
        )}
        <Button kind="quiet" label="Close" onClick={() => onChange(undefined)}>
          <Sign name="close" />
        </Button>
      </header>
      {result === undefined ? <p class="hint">Comparing …</p> : null}
      {result instanceof ChoiceError ? (
        <p class="row">
          The file has several addresses. The API is at
          {result.choices.map((baseUrl) => (
            <Button key={baseUrl} onClick={() => onChange({ ...calibrated, baseUrl })}>
              {baseUrl}
            </Button>
          ))}
        </p>
      ) : (
        <Problem text={result instanceof Error ? result.message : undefined} />
      )}
      {report === undefined ? null : (
        <>
          <p>
            {report.baseUrl === null
              ? 'No request went to an API with /v1/pets.'
              : `${seen.length} of ${gapNames.length} values are confirmed by ${countText(report.requests.checked, 'request')} to ${report.baseUrl}.`}
          </p>
          {problems.length === 0 ? (
            <p>No clause is broken, and nothing is unexplained.</p>
          ) : (
            <Table
              caption="What is wrong"
              columns={problemColumns}
              rows={problems}
              keyOf={(row) => problems.indexOf(row)}
            />
          )}
          <Table
            caption="Gaps"
            columns={gapColumns}
            rows={[
              ...rowsOf('contradicted'),
              ...seen,
              ...rowsOf('narrowed'),
              ...rowsOf('not-seen'),
            ]}
            keyOf={({ name }) => name}
          />
        </>
      )}
    </section>
  )
}

async function compare({ files, baseUrl }: Calibrated): Promise<Calibration | Error> {
  try {
    // Loaded on demand, since it contains the engine.
    const { calibrate } = await import('../../checks/calibrate/calibrate.ts')
    return calibrate(await Promise.all(files.map((file) => file.text())), { baseUrl })
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error))
  }
}

interface GapResult extends CalibratedGap {
  readonly name: GapName
}

/** A problem with a response. */
interface FoundProblem {
  /** Violated clause; `undefined` if the response can't be explained by any gap value. */
  readonly clause?: string
  readonly request: number
  readonly problem: string
}

function problemsOf({ clauses, unexplained }: Calibration): readonly FoundProblem[] {
  const broken = namesOf(clauses).flatMap((clause) =>
    clauses[clause].problems.map((problem) => ({ ...problem, clause })),
  )
  return [...broken, ...unexplained]
}

const problemColumns: readonly Column<FoundProblem>[] = [
  { name: 'problem', title: 'What is wrong', isHeader: true, cell: ({ problem }) => problem },
  { name: 'request', title: 'Request', cell: ({ request }) => `#${request}` },
  {
    name: 'clause',
    title: 'Clause',
    cell: ({ clause }) => (clause === undefined ? 'unexplained' : <ClauseLink clause={clause} />),
  },
]

const gapColumns: readonly Column<GapResult>[] = [
  { name: 'gap', title: 'Gap', isHeader: true, cell: ({ name }) => <code>{name}</code> },
  {
    name: 'result',
    title: 'Result',
    cell: ({ result }) => <Pill tone={tones[result]} text={words[result]} />,
  },
  {
    name: 'values',
    title: 'Values that agree',
    cell: ({ name, result, values }) => (result === 'not-seen' ? 'any' : shownValues(name, values)),
  },
  {
    name: 'ask',
    title: 'How to find out',
    cell: ({ ask, result }) => {
      if (ask !== undefined) {
        return (
          <span class="bar">
            <code class="grow one-line" title={ask}>
              {ask}
            </code>
            <CopyButton what="it" text={() => ask} />
          </span>
        )
      }
      return result === 'confirmed' ? '' : "Traffic can't show it"
    },
  },
]

const words: Readonly<Record<CalibratedGap['result'], string>> = {
  contradicted: 'contradicted',
  confirmed: 'confirmed',
  narrowed: 'narrowed',
  'not-seen': 'not seen',
}
