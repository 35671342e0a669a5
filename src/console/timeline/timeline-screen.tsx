import { useMemo, useState } from 'preact/hooks'
import { formatInstant } from '../../input/instant.ts'
import { countText } from '../../reports/text.ts'
import { useConsole } from '../live/console-context.ts'
import { useCalm } from '../live/throttle.ts'
import { timeOfDay } from '../model/entry-text.ts'
import { readInstant } from '../model/read-instant.ts'
import { linkTo, type ScreenProps } from '../model/route.ts'
import { Badge } from '../parts/badge.tsx'
import { Button } from '../parts/controls/button.tsx'
import { Field } from '../parts/controls/field.tsx'
import { usePause } from '../parts/controls/use-pause.tsx'
import { Empty } from '../parts/empty.tsx'
import { type Column, Table } from '../parts/table.tsx'
import { Instant } from '../parts/time.tsx'
import {
  type Axis,
  isCrowded,
  orderAxis,
  type Span,
  type TimelineRow,
  timeAxis,
  timelineOf,
  timelineRows,
  toneTexts,
} from './timeline.ts'
import { TimelineChart } from './timeline-chart.tsx'

/** What happened when, by the sandbox's clock: a lane for each key. */
export function TimelineScreen({ route }: ScreenProps) {
  const { store, file, go } = useConsole()
  const entries = store.entries.value
  const marks = store.marks.value
  const live = useMemo(() => ({ entries, marks }), [entries, marks])
  const { shown, pause } = usePause(useCalm(live))
  const keyOf = store.keyOf.value
  const timeline = useMemo(() => timelineOf(shown.entries, shown.marks, keyOf), [shown, keyOf])
  const rows = useMemo(() => timelineRows(timeline), [timeline])
  // A running clock moves the picture once a second.
  const second = Math.floor((store.time.now.value ?? 0) / 1_000)
  const ofFile = Date.parse(shown.entries.at(-1)?.at ?? '')
  const now = file === undefined ? (store.time.now.peek() ?? 0) : ofFile
  const { query } = route
  const [from, to] = [query.get('from') ?? '', query.get('to') ?? '']
  const view = useMemo(() => spanOf(from, to), [from, to])
  const wanted = query.get('by')
  const axis = useMemo((): Axis => {
    const byTime = timeAxis(timeline, now, view)
    const isByOrder = wanted === null ? isCrowded(timeline, byTime) : wanted === 'order'
    return isByOrder ? orderAxis(timeline, view) : byTime
  }, [timeline, second, view, wanted])
  const chart = useMemo(
    () => (
      <TimelineChart timeline={timeline} axis={axis} now={file === undefined ? now : undefined} />
    ),
    [timeline, axis],
  )
  if (shown.entries.length === 0) {
    return (
      <Empty title="Nothing happened yet">
        <p>Each request appears here when it came, with the windows, waits and bans of its key.</p>
      </Empty>
    )
  }
  const show = (changes: Readonly<Record<string, string | undefined>>): void => {
    const next = { from, to, by: wanted ?? '', ...changes }
    const set = Object.entries(next).flatMap(([name, text]) => (text ? [[name, text]] : []))
    go(linkTo('timeline', [], Object.fromEntries(set)), 'replace')
  }
  const count = shown.entries.filter(({ at }) => {
    return view === undefined || (Date.parse(at) >= view.from && Date.parse(at) <= view.to)
  }).length
  return (
    <div class="timeline">
      <div class="row">
        <fieldset class="group">
          <legend class="unseen">Axis</legend>
          {(['time', 'order'] as const).map((by) => (
            <Button key={by} pressed={axis.by === by} onClick={() => show({ by })}>
              By {by}
            </Button>
          ))}
        </fieldset>
        <SpanForm view={view} axis={axis} onShow={(span) => show(textsOf(span))} />
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
      {chart}
      <div class="box stacked">
        <Table
          caption="The timeline as a table: what each key was used for, and what changed"
          columns={columns}
          rows={rows}
          keyOf={({ id }) => id}
        />
      </div>
    </div>
  )
}

function spanOf(from: string, to: string): Span | undefined {
  const [fromAt, toAt] = [Date.parse(from), Date.parse(to)]
  return fromAt < toAt ? { from: fromAt, to: toAt } : undefined
}

function textsOf({ from, to }: Span): { readonly from: string; readonly to: string } {
  return { from: formatInstant(Math.round(from)), to: formatInstant(Math.round(to)) }
}

interface SpanFormProps {
  readonly view: Span | undefined
  /** What is left empty is its end. */
  readonly axis: Span
  readonly onShow: (span: Span) => void
}

/** Chooses which span of time is shown. */
function SpanForm({ view, axis, onShow }: SpanFormProps) {
  const [error, setError] = useState<'from' | 'to' | undefined>(undefined)
  const texts = view === undefined ? undefined : textsOf(view)
  const submit = (form: HTMLFormElement): void => {
    const [from, to] = (['from', 'to'] as const).map((name) => {
      const text = String(new FormData(form).get(name) ?? '')
      return text.trim() === '' ? axis[name] : readInstant(text, axis.from)
    })
    setError(from === undefined ? 'from' : to === undefined ? 'to' : undefined)
    if (from === undefined || to === undefined || from === to) return
    onShow({ from: Math.min(from, to), to: Math.max(from, to) })
  }
  return (
    <form
      key={`${texts?.from} ${texts?.to}`}
      class="row"
      aria-label="Span of time"
      onSubmit={(event) => {
        event.preventDefault()
        submit(event.currentTarget)
      }}
    >
      {(['from', 'to'] as const).map((name) => (
        <Field
          key={name}
          label={name === 'from' ? 'From' : 'To'}
          error={error === name ? 'Use 14:03:07, or 2026-11-21T14:03:07Z' : undefined}
        >
          {(input) => (
            <input
              {...input}
              name={name}
              autocomplete="off"
              placeholder={timeOfDay(textsOf(axis)[name]).slice(0, 8)}
              defaultValue={texts === undefined ? '' : timeOfDay(texts[name])}
            />
          )}
        </Field>
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
    cell: ({ from, to, lane }) =>
      lane === undefined ? (
        <Instant at={formatInstant(from)} />
      ) : (
        <a href={linkTo('requests', [], { key: lane.key, ...textsOf({ from, to }) })}>
          <Instant at={formatInstant(from)} />
          <span class="unseen"> requests of {lane.key}</span>
        </a>
      ),
  },
  { name: 'key', title: 'Key', cell: ({ lane }) => lane?.key ?? 'the sandbox' },
  {
    name: 'requests',
    title: 'Requests',
    cell: ({ counts }) =>
      counts.map(({ tone, count }) => (
        <Badge key={tone} tone={tone} text={`${count} ${toneTexts[tone]}`} />
      )),
  },
  {
    name: 'why',
    title: 'What else',
    cell: ({ notes }) => notes.map((note) => <div key={note}>{note}</div>),
  },
]
