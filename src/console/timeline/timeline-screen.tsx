import { useMemo } from 'preact/hooks'
import { formatInstant } from '../../input/instant.ts'
import { useConsole } from '../live/console-context.ts'
import { useCalm } from '../live/pace/use-calm.ts'
import { countText } from '../model/count-text.ts'
import { linkTo, replaceLink, type ScreenProps } from '../model/route.ts'
import type { Span } from '../model/timeline/lanes.ts'
import { instantsIn, timelineOf } from '../model/timeline/timeline.ts'
import { timelineRows } from '../model/timeline/timeline-rows.ts'
import { usePause } from '../parts/controls/use-pause.tsx'
import { Empty } from '../parts/empty.tsx'
import { Legend } from './legend.tsx'
import { SpanForm } from './span-form.tsx'
import { mostLanes, TimelineChart } from './timeline-chart.tsx'
import { TimelineTable } from './timeline-table.tsx'

/** What happened when, by the sandbox's clock: a lane for each key. */
export function TimelineScreen({ route }: ScreenProps) {
  const { store } = useConsole()
  const entries = store.entries.value
  const marks = store.marks.value
  const live = useMemo(() => ({ entries, marks }), [entries, marks])
  const { shown, pause } = usePause(useCalm(live))
  const timeline = useMemo(() => timelineOf(shown.entries, shown.marks), [shown])
  const rows = useMemo(() => timelineRows(timeline.lanes, timeline.marks), [timeline])
  const pathText = route.path.join(' ')
  const view = useMemo(() => spanOf(...pathText.split(' ')), [pathText])
  const selected = spanOf(route.query.get('from'), route.query.get('to'))
  if (shown.entries.length === 0) {
    return (
      <Empty title="Nothing happened yet">
        <p>Each request appears here when it came, with the windows, waits and bans of its key.</p>
      </Empty>
    )
  }
  const ends = instantsIn(timeline, view)
  const axis = {
    from: ends.reduce((one, other) => Math.min(one, other)),
    to: ends.reduce((one, other) => Math.max(one, other)),
  }
  const select = (span: Span): void => replaceLink(linkTo('timeline', route.path, textsOf(span)))
  const more = timeline.lanes.length - mostLanes
  return (
    <div class="timeline">
      <section class="box" aria-label="Timeline">
        <div class="report-bar">
          <SpanForm selected={selected} axis={axis} onSelect={select} />
          {selected === undefined ? (
            <p class="hint">Draw a span in the picture, or say from when to when.</p>
          ) : (
            <div class="actions" role="status">
              <a class="button primary" href={linkTo('requests', [], textsOf(selected))}>
                Show {countText(countIn(selected), 'request')}
              </a>
              <a class="button" href={linkTo('timeline', Object.values(textsOf(selected)))}>
                Zoom in
              </a>
              <a class="button" href={linkTo('timeline', route.path)}>
                Clear
              </a>
            </div>
          )}
          <div class="actions">
            {view === undefined ? null : (
              <a class="button" href={linkTo('timeline')}>
                All of it
              </a>
            )}
            {pause}
          </div>
        </div>
        <TimelineChart
          timeline={timeline}
          view={view}
          selected={selected}
          onSelect={select}
          onOpen={(id) => location.assign(linkTo('requests', [id]))}
        />
        {more > 0 ? (
          <p class="hint more">{countText(more, 'more key')} in the table only.</p>
        ) : null}
        <Legend />
      </section>
      <TimelineTable rows={rows} />
    </div>
  )

  function countIn({ from, to }: Span): number {
    return timeline.lanes
      .flatMap(({ moments }) => moments)
      .filter(({ at }) => at >= from && at <= to).length
  }
}

function spanOf(from?: string | null, to?: string | null): Span | undefined {
  const [fromAt, toAt] = [Date.parse(from ?? ''), Date.parse(to ?? '')]
  return fromAt < toAt ? { from: fromAt, to: toAt } : undefined
}

function textsOf({ from, to }: Span): { readonly from: string; readonly to: string } {
  return { from: formatInstant(from), to: formatInstant(to) }
}
