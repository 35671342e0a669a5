import type { JournalEntry } from '../../client/connect-sandbox.ts'
import { lastInstantAt } from '../../input/instant.ts'
import { grouped, namesOf } from '../../input/record.ts'
import { countText } from '../../reports/text.ts'
import type { Mark } from '../../state/journal-entry.ts'
import { type OutcomeText, outcomeText } from '../model/entry-text.ts'
import { noKey } from '../model/filter-entries.ts'

/** From an instant until another, in Unix milliseconds on the sandbox's clock. */
export interface Span {
  readonly from: number
  readonly to: number
}

/** A client that was told when to come back. */
export interface Wait extends Span {
  /** When its next request came; `undefined` as long as there is none. */
  readonly cameAt: number | undefined
}

/** An exchange and its instant. */
export interface Moment {
  readonly at: number
  readonly entry: JournalEntry
}

/** What a key was used for, as time went by. */
export interface Lane {
  readonly caller: number
  readonly key: string
  readonly moments: readonly Moment[]
  /** The minutes in which its requests were counted, as its replies say. */
  readonly windows: readonly Span[]
  readonly bans: readonly Span[]
  readonly waits: readonly Wait[]
}

const minuteMs = 60_000
const dayMs = 86_400_000

/** Makes a lane for each key that was used, in the order of their first use. */
export function lanesOf(
  entries: readonly JournalEntry[],
  keyOf: (entry: JournalEntry) => string = ({ key }) => key ?? noKey,
): readonly Lane[] {
  const callers = grouped(entries, ({ caller, key }) => `${caller} ${key ?? ''}`)
  return [...callers.values()].flatMap((own) => {
    const [first] = own
    if (first === undefined) return []
    const moments = own
      .map((entry) => ({ at: Date.parse(entry.at), entry }))
      // A clock can be set back.
      .sort((one, other) => one.at - other.at || one.entry.id - other.entry.id)
    return {
      caller: first.caller,
      key: keyOf(first),
      moments,
      windows: windowsOf(moments),
      bans: bansOf(moments),
      waits: waitsOf(moments),
    }
  })
}

function isBanned({ decision }: JournalEntry): boolean {
  return decision?.code === 'key_banned'
}

/** The windows of a minute, each once; those that overlap, as sliding ones do, one after the other. */
function windowsOf(moments: readonly Moment[]): readonly Span[] {
  const windows: Span[] = []
  for (const { entry } of moments) {
    // A newer process may tell of quotas in another way.
    if (entry.quota?.window !== 'minute' || isBanned(entry)) continue
    const to = Date.parse(entry.quota.resetAt)
    const from = to - minuteMs
    if (from >= (windows.at(-1)?.to ?? Number.NEGATIVE_INFINITY)) windows.push({ from, to })
  }
  return windows
}

/** The bans, each until it ended, or until a request was let through before that. */
function bansOf(moments: readonly Moment[]): readonly Span[] {
  const bans: Span[] = []
  for (const { at, entry } of moments) {
    const last = bans.at(-1)
    if (!isBanned(entry)) {
      if (last !== undefined && at < last.to && at > last.from)
        bans.splice(-1, 1, { ...last, to: at })
      continue
    }
    const to = retryAtOf(at, entry)
    if (to !== undefined && to !== last?.to) bans.push({ from: at, to })
  }
  return bans
}

/** The waits, each from the first reply that asked for it. */
function waitsOf(moments: readonly Moment[]): readonly Wait[] {
  const waits: Wait[] = []
  moments.forEach(({ at, entry }, index) => {
    const to = retryAtOf(at, entry)
    if (to === undefined || to <= at || waits.at(-1)?.to === to) return
    waits.push({ from: at, to, cameAt: moments[index + 1]?.at })
  })
  return waits
}

/** When a client that was refused should come back, as the sandbox knows it, or as the reply says it. */
function retryAtOf(at: number, { decision, outcome }: JournalEntry): number | undefined {
  if (decision?.retryAt !== undefined) return Date.parse(decision.retryAt)
  if (!('headers' in outcome)) return undefined
  const text = outcome.headers['retry-after']
  if (text === undefined) return undefined
  const until = /^\d+$/.test(text) ? at + Number(text) * 1000 : Date.parse(text)
  return until <= lastInstantAt ? until : undefined
}

/** A test that was announced, while it ran. */
interface TestSpan extends Span {
  readonly name: string
}

/** What happened in a sandbox, by its clock. */
export interface Timeline {
  readonly lanes: readonly Lane[]
  /** The marks since the journal began anew. */
  readonly marks: readonly Mark[]
  readonly tests: readonly TestSpan[]
}

/** Puts exchanges and marks on a timeline. */
export function timelineOf(
  entries: readonly JournalEntry[],
  allMarks: readonly Mark[],
  keyOf?: (entry: JournalEntry) => string,
): Timeline {
  const begun = allMarks.findLastIndex(({ kind }) => kind === 'reset' || kind === 'restored')
  const marks = allMarks.slice(Math.max(0, begun))
  return { lanes: lanesOf(entries, keyOf), marks, tests: testsIn(marks) }
}

/** The tests that were announced; the last one may still run. */
function testsIn(marks: readonly Mark[]): readonly TestSpan[] {
  const bounds = marks.filter(({ kind }) => kind === 'test-began' || kind === 'test-ended')
  return bounds.flatMap(({ kind, at, name }, index) => {
    if (kind !== 'test-began') return []
    const to = bounds[index + 1]?.at
    const end = to === undefined ? Number.POSITIVE_INFINITY : Date.parse(to)
    return { from: Date.parse(at), to: end, name: name ?? 'a test' }
  })
}

/** How requests ended, in words. */
export const toneTexts: Readonly<Record<Tone, string>> = {
  good: 'served',
  refused: 'refused',
  limited: 'beyond a limit',
  broken: 'broken',
}

export type Tone = OutcomeText['tone']

/** Where things stand on an axis, as shares of it: 0 is its beginning, 1 its end. */
export interface Axis extends Span {
  readonly by: 'time' | 'order'
  placeOf(moment: Moment): number
  placeAt(at: number): number
  /** What is written at the axis. */
  readonly labels: readonly { readonly place: number; readonly text: string }[]
}

/**
 * Makes an axis on which time passes evenly. It ends now, or a little later where somebody still waits.
 *
 * @param view What is shown of it; `undefined` for all.
 */
export function timeAxis({ lanes, marks }: Timeline, now: number, view: Span | undefined): Axis {
  const instants = [
    ...marks.map(({ at }) => Date.parse(at)),
    ...momentsOf(lanes).map(({ at }) => at),
  ]
  const first = Math.min(now, ...instants)
  const last = Math.max(now, ...instants)
  // Hours to wait would leave no room for what has happened.
  const most = last + Math.max((last - first) / 4, 1_000)
  const due = Math.max(last, ...lanes.flatMap(({ bans, waits }) => [...bans, ...waits].map(endOf)))
  const { from, to } = view ?? { from: first, to: Math.max(Math.min(due, most), first + 1_000) }
  const placeAt = (at: number): number => (at - from) / (to - from)
  const step = stepFor((to - from) / 7)
  const begin = Math.ceil(from / step) * step
  const labels = Array.from({ length: Math.floor((to - begin) / step) + 1 }, (_, index) => {
    const at = begin + index * step
    const text = new Date(at).toISOString()
    const [start, end] = step >= dayMs ? [0, 10] : [11, step % minuteMs === 0 ? 16 : 19]
    return { place: placeAt(at), text: text.slice(start, end) }
  })
  return { by: 'time', from, to, placeAt, placeOf: ({ at }) => placeAt(at), labels }
}

function endOf({ to }: Span): number {
  return to
}

/** Makes an axis on which each request takes as much room as any other, for clocks that stand still or leap. */
export function orderAxis({ lanes }: Timeline, view: Span | undefined): Axis {
  const all = momentsOf(lanes)
    .filter(({ at }) => view === undefined || (at >= view.from && at <= view.to))
    .sort((one, other) => one.at - other.at || one.entry.id - other.entry.id)
  const places = new Map(all.map(({ entry }, index) => [entry, (index + 0.5) / all.length]))
  const [from = 0, to = from] = [all[0]?.at, all.at(-1)?.at]
  const every = Math.ceil(all.length / 10)
  return {
    by: 'order',
    from,
    to,
    placeOf: ({ entry }) => places.get(entry) ?? -1,
    placeAt: (instant) => {
      const index = all.findIndex(({ at }) => at >= instant)
      return index < 0 ? 1 : index / all.length
    },
    labels: all
      .filter((_, index) => index % every === 0)
      .map(({ entry }) => ({ place: places.get(entry) ?? 0, text: `#${entry.id}` })),
  }
}

function momentsOf(lanes: readonly Lane[]): Moment[] {
  return lanes.flatMap(({ moments }) => moments)
}

/** Steps between labels, in milliseconds. */
const steps = [
  ...[1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1_800].map((seconds) => seconds * 1_000),
  ...[1, 3, 6, 12, 24, 48, 168, 720, 2_160, 8_760].map((hours) => hours * 60 * minuteMs),
]

/** The shortest round time that is long enough. */
function stepFor(ms: number): number {
  const year = 365 * dayMs
  return steps.find((one) => one >= ms) ?? year * Math.ceil(ms / year)
}

/** Whether requests stand on so few places of an axis that it says little: a clock stood still, or leapt. */
export function isCrowded({ lanes }: Timeline, axis: Axis): boolean {
  const all = momentsOf(lanes)
  const places = new Set(all.map((moment) => Math.floor(axis.placeOf(moment) * 120)))
  return places.size < Math.min(12, all.length / 2)
}

/** Says whether a client came back when it was told to. */
export function waitText({ to, cameAt }: Wait): string {
  const told = `told to wait until ${timeText(to)}`
  if (cameAt === undefined) return `${told}; not back yet`
  return `${told}; came back at ${timeText(cameAt)}${cameAt < to ? ', too early' : ''}`
}

/** What a key was used for in a minute, or what changed in the sandbox. */
export interface TimelineRow extends Span {
  readonly id: string
  /** `undefined` for what concerns no key. */
  readonly lane: Lane | undefined
  /** How many requests ended in which way; those that there are. */
  readonly counts: readonly { readonly tone: Tone; readonly count: number }[]
  readonly notes: readonly string[]
}

/** The timeline as rows, the latest first: a row for each key in each minute, and for what changed in the sandbox. */
export function timelineRows({ lanes, marks }: Timeline): readonly TimelineRow[] {
  const changes = [...grouped(marks, ({ at }) => minuteOf(Date.parse(at)))].map(([from, own]) => ({
    ...{ id: `marks ${from}`, from, to: from + minuteMs - 1, lane: undefined, counts: [] },
    notes: markNotes(own),
  }))
  return [...lanes.flatMap(laneRows), ...changes].sort((one, other) => other.from - one.from)
}

function minuteOf(at: number): number {
  return at - (at % minuteMs)
}

function laneRows(lane: Lane): readonly TimelineRow[] {
  return [...grouped(lane.moments, ({ at }) => minuteOf(at))].map(([from, moments]) => {
    const begins = (span: Span): boolean => minuteOf(span.from) === from
    const byTone = grouped(moments, ({ entry }) => outcomeText(entry).tone)
    const faulty = moments.filter(isFaulty).length
    return {
      id: `${lane.caller} ${lane.key} ${from}`,
      from,
      to: from + minuteMs - 1,
      lane,
      counts: namesOf(toneTexts)
        .map((tone) => ({ tone, count: byTone.get(tone)?.length ?? 0 }))
        .filter(({ count }) => count > 0),
      notes: [
        ...lane.bans.filter(begins).map(({ to }) => `banned until ${timeText(to)}`),
        ...few(lane.waits.filter(begins).map(waitText)),
        ...(faulty === 0 ? [] : [`${countText(faulty, 'request')} hit by a fault`]),
      ],
    }
  })
}

/** Whether a fault hit a request. */
export function isFaulty({ entry }: Moment): boolean {
  // A newer process may have told of faults in another way.
  return (entry.faults ?? []).length > 0
}

/** Says which marks there are: those of a kind together, and each test by its name. */
function markNotes(marks: readonly Mark[]): readonly string[] {
  return [...grouped(marks, ({ kind }) => kind)].flatMap(([kind, own]) => {
    const names = own.flatMap(({ name }) => name ?? [])
    if (names.length > 0) return few(names.map((name) => `${markText(kind)}: ${name}`))
    return own.length === 1 ? markText(kind) : `${markText(kind)} ${own.length} times`
  })
}

/** A kind of mark in words. */
export function markText(kind: string): string {
  return kind.replaceAll('-', ' ')
}

/** How many notes of a kind a row has. */
const mostNotes = 3

function few(notes: readonly string[]): readonly string[] {
  if (notes.length <= mostNotes) return notes
  return [...notes.slice(0, mostNotes), `${notes.length - mostNotes} more like it`]
}

/** The time of day of an instant, to the second. */
function timeText(at: number): string {
  return new Date(at).toISOString().slice(11, 19)
}
