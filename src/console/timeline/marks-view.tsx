import { grouped } from '../model/grouped.ts'
import { type MarkShape, markShapes } from '../model/timeline/marks.ts'
import { drawable, type TimeScale } from '../model/timeline/time-scale.ts'
import type { Timeline } from '../model/timeline/timeline.ts'
import { markNotes } from '../model/timeline/timeline-rows.ts'

/** How close marks of a shape may stand, in pixels. */
const pixels = 14

const marksY = 36

interface MarksViewProps {
  readonly timeline: Timeline
  readonly scale: TimeScale
}

/** The tests that ran, and what changed in the sandbox. */
export function MarksView({ timeline: { marks, tests }, scale }: MarksViewProps) {
  const shown = marks
    .map((mark) => ({ mark, at: Date.parse(mark.at), shape: markShapes[mark.kind] }))
    .filter(({ at, shape }) => at >= scale.from && at <= scale.to && shape !== 'flag')
  const groups = grouped(shown, ({ at, shape }) => {
    return `${shape} ${Math.floor(scale.xOf(at) / pixels)}`
  })
  return (
    <g class="marks">
      {drawable(tests, scale).map(({ from, to, name }) => {
        const x = scale.xOf(from)
        const width = scale.xOf(to) - x
        return (
          <svg
            key={`${from} ${name}`}
            x={x}
            y={2}
            width={Math.max(2, width)}
            height={20}
            class="test"
          >
            <title>{`test: ${name}`}</title>
            <rect width="100%" height={20} rx={3} />
            {width < 40 ? null : (
              <text x={6} y={14}>
                {name}
              </text>
            )}
          </svg>
        )
      })}
      {[...groups].map(([id, group]) => {
        const [first] = group
        if (first === undefined) return null
        return (
          <g key={id} class="mark">
            <title>{markNotes(group.map(({ mark }) => mark)).join(', ')}</title>
            <path d={shapes[first.shape](scale.xOf(first.at))} />
          </g>
        )
      })}
    </g>
  )
}

const shapes: Readonly<Record<MarkShape, (x: number) => string>> = {
  onward: (x) => `M${x} ${marksY - 4}l6 4l-6 4z`,
  back: (x) => `M${x} ${marksY - 4}l-6 4l6 4z`,
  square: (x) => `M${x - 4} ${marksY - 4}h8v8h-8z`,
  diamond: (x) => `M${x} ${marksY - 5}l5 5l-5 5l-5 -5z`,
  cross: (x) => `M${x - 4} ${marksY - 4}l8 8m0 -8l-8 8`,
  flag: () => '',
}
