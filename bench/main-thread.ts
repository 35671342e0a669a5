import type { Page } from 'playwright'

/** A task of a page's main thread. */
export interface Task {
  /** Milliseconds of processor time, which other programs don't lengthen. */
  readonly cpuMs: number
  readonly wallMs: number
  /** Microseconds on the clock of the trace, as marks have. */
  readonly beginsAt: number
}

/** What a page did while it was watched. */
export interface Watched {
  readonly tasks: readonly Task[]
  /** When the page called `performance.mark()`, by the name of the mark. */
  readonly marks: ReadonlyMap<string, number>
}

interface TraceEvent {
  readonly name: string
  readonly ph: string
  readonly cat: string
  readonly pid: number
  readonly tid: number
  readonly ts: number
  readonly dur?: number
  readonly tdur?: number
  readonly args: { readonly name?: unknown }
}

/** Watches the main thread of a page while something is done with it. */
export async function watchMainThread(page: Page, act: () => Promise<void>): Promise<Watched> {
  const session = await page.context().newCDPSession(page)
  const events: TraceEvent[] = []
  session.on('Tracing.dataCollected', ({ value }) => {
    // The protocol calls them objects; what they are is documented with the format of traces.
    events.push(...(value as unknown as TraceEvent[]))
  })
  const ended = new Promise((resolve) => session.once('Tracing.tracingComplete', resolve))
  await session.send('Tracing.start', {
    transferMode: 'ReportEvents',
    traceConfig: {
      includedCategories: [
        'devtools.timeline',
        'disabled-by-default-devtools.timeline',
        'blink.user_timing',
      ],
    },
  })
  await act()
  await session.send('Tracing.end')
  await ended
  const isMain = mainThreadIn(events)
  const tasks = events
    .filter((event) => event.name === 'RunTask' && event.ph === 'X' && isMain(event))
    .map(({ ts, dur = 0, tdur = 0 }) => ({
      cpuMs: tdur / 1000,
      wallMs: dur / 1000,
      beginsAt: ts,
    }))
  const marks = events.filter(({ cat }) => cat.includes('blink.user_timing'))
  return { tasks, marks: new Map(marks.map(({ name, ts }) => [name, ts])) }
}

/** Finds the main thread of the page: of all renderers, the one that worked most. */
function mainThreadIn(events: readonly TraceEvent[]): (event: TraceEvent) => boolean {
  const work = new Map<string, number>()
  const placeOf = ({ pid, tid }: TraceEvent): string => `${pid}/${tid}`
  for (const event of events) {
    if (event.name === 'thread_name' && event.args.name === 'CrRendererMain') {
      work.set(placeOf(event), 0)
    }
  }
  for (const event of events) {
    const soFar = work.get(placeOf(event))
    if (soFar !== undefined) work.set(placeOf(event), soFar + (event.tdur ?? 0))
  }
  const [main] = [...work].toSorted(([, one], [, other]) => other - one)
  return (event) => placeOf(event) === main?.[0]
}
