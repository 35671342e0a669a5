import { useMemo } from 'preact/hooks'
import { formatInstant } from '../../input/instant.ts'
import { countText } from '../../reports/text.ts'
import { useConsole } from '../live/console-context.ts'
import { useCalm } from '../live/throttle.ts'
import { linkTo, type ScreenProps } from '../model/route.ts'
import { Badge } from '../parts/badge.tsx'
import { Button } from '../parts/controls/button.tsx'
import { usePause } from '../parts/controls/use-pause.tsx'
import { Empty } from '../parts/empty.tsx'
import { type Column, Table } from '../parts/table.tsx'
import { Instant } from '../parts/time.tsx'
import {
  isCrowded,
  lanesOf,
  orderAxis,
  type Span,
  signs,
  type TimelineRow,
  timeAxis,
  timelineRows,
} from './timeline.ts'
import { TimelineChart } from './timeline-chart.tsx'

/** What happened when, by the sandbox's clock: a lane for each key. */
export function TimelineScreen({ route: { query } }: ScreenProps) {
  const { store, file, go } = useConsole()
  const entries = store.entries.value
  const marks = store.marks.value
  const live = useMemo(() => ({ entries, marks }), [entries, marks])
  const { shown, pause } = usePause(useCalm(live, 1_000))
  const keyOf = store.keyOf.value
  const { lanes, rows } = useMemo(() => {
    const lanes = lanesOf(shown.entries, shown.marks, keyOf)
    return { lanes, rows: timelineRows(lanes) }
  }, [shown, keyOf])
  if (shown.entries.length === 0) {
    return (
      <Empty title="Nothing happened yet">
        <p>Each request appears here when it came, with the windows, waits and bans of its key.</p>
      </Empty>
    )
  }
  const [from, to, by] = ['from', 'to', 'by'].map((name) => query.get(name) ?? '')
  const view = spanOf(from, to)
  const end = Date.parse(shown.entries.at(-1)?.at ?? '')
  const now = file === undefined ? (store.time.now.value ?? 0) : end
  const byTime = timeAxis(lanes, now, view)
  const isByOrder = by === '' ? isCrowded(lanes, byTime) : by === 'order'
  const axis = isByOrder ? orderAxis(lanes, view) : byTime
  const show = (changes: Readonly<Record<string, string>>): void => {
    const given = Object.entries({ from, to, by, ...changes })
    const set = given.flatMap(([name, text]) => (text ? [[name, text]] : []))
    go(linkTo('timeline', [], Object.fromEntries(set)), 'replace')
  }
  const count = shown.entries.filter(({ at }) => {
    return view === undefined || (Date.parse(at) >= view.from && Date.parse(at) <= view.to)
  }).length
  return (
    <div class="stack wide">
      <div class="row">
        <fieldset class="group">
          <legend class="unseen">Axis</legend>
          {(['time', 'order'] as const).map((one) => (
            <Button key={one} pressed={axis.by === one} onClick={() => show({ by: one })}>
              By {one}
            </Button>
          ))}
        </fieldset>
        <SpanForm
          key={`${from} ${to}`}
          span={view ?? axis}
          onShow={(span) => show(textsOf(span))}
        />
        {view === undefined ? null : (
          <>
            <a class="button primary" href={linkTo('requests', [], textsOf(view))}>
              {countText(count, 'request')}
            </a>
            <Button onClick={() => show({ from: '', to: '' })}>All of it</Button>
          </>
        )}
        {pause}
      </div>
      <TimelineChart lanes={lanes} axis={axis} now={file === undefined ? now : undefined} />
      <div class="box stacked">
        <Table
          caption="The timeline as a table, the latest first: what each key was used for, and what changed"
          columns={columns}
          rows={rows}
          keyOf={({ lane, from }) => `${lane.id} ${from}`}
          step={50}
        />
      </div>
    </div>
  )
}

function spanOf(from = '', to = ''): Span | undefined {
  const [fromAt, toAt] = [Date.parse(from), Date.parse(to)]
  return fromAt < toAt ? { from: fromAt, to: toAt } : undefined
}

function textsOf({ from, to }: Span): { readonly from: string; readonly to: string } {
  return { from: formatInstant(Math.round(from)), to: formatInstant(Math.round(to)) }
}

interface SpanFormProps {
  readonly span: Span
  readonly onShow: (span: Span) => void
}

/** Chooses which span of time is shown. */
function SpanForm({ span, onShow }: SpanFormProps) {
  const bounds = [
    ['from', 'From', Math.floor(span.from / 1_000)],
    ['to', 'To', Math.ceil(span.to / 1_000)],
  ] as const
  return (
    <form
      class="group"
      aria-label="Span of time"
      onSubmit={(event) => {
        event.preventDefault()
        const typed = new FormData(event.currentTarget)
        const chosen = spanOf(`${typed.get('from')}Z`, `${typed.get('to')}Z`)
        if (chosen !== undefined) onShow(chosen)
      }}
    >
      {bounds.map(([name, title, seconds]) => (
        <label key={name} class="group hint">
          {title}
          <input
            type="datetime-local"
            step={1}
            required
            name={name}
            defaultValue={new Date(seconds * 1_000).toISOString().slice(0, 19)}
          />
        </label>
      ))}
      <Button type="submit">Show</Button>
    </form>
  )
}

const columns: readonly Column<TimelineRow>[] = [
  {
    name: 'time',
    title: 'From',
    isHeader: true,
    cell: ({ from, to, lane: { key } }) => {
      const instant = <Instant at={formatInstant(from)} />
      if (key === undefined) return instant
      return (
        <a href={linkTo('requests', [], { key, ...textsOf({ from, to }) })}>
          {instant}
          <span class="unseen"> requests of {key}</span>
        </a>
      )
    },
  },
  { name: 'key', title: 'Key', cell: ({ lane }) => lane.key ?? 'the sandbox' },
  {
    name: 'requests',
    title: 'Requests',
    cell: ({ counts }) => (
      <span class="row">
        {counts.map(({ tone, count }) => (
          <Badge key={tone} tone={tone} text={`${count} ${signs[tone][0]}`} />
        ))}
      </span>
    ),
  },
  {
    name: 'why',
    title: 'What else',
    cell: ({ notes }) => notes.map((note) => <div key={note}>{note}</div>),
  },
]
