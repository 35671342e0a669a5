import type { JournalEntry } from '../../client/connect-sandbox.ts'
import { grouped } from '../../input/record.ts'
import { lastInstantAt } from '../../input/values.ts'
import type { Mark } from '../../log/request-view.ts'
import { outcomeText } from '../model/entry-text.ts'
import { noKey } from '../model/filter-entries.ts'

/** The signs of what happens: what each means, and its shape, around its place. */
export const signs = {
  good: ['served', 'M0 -7v14'],
  refused: ['refused', 'M0 -5l5 9h-10z'],
  limited: ['beyond a limit', 'M0 -6l5 6l-5 6l-5 -6z'],
  broken: ['broken', 'M-4 -4l8 8m0 -8l-8 8'],
  faulty: ['hit by a fault', 'M-8 0a8 8 0 1 0 16 0a8 8 0 1 0 -16 0'],
  wait: ['told to wait', 'M-9 0h16m-4 -4l4 4l-4 4'],
  came: ['came back in time', 'M-3.5 0a3.5 3.5 0 1 0 7 0a3.5 3.5 0 1 0 -7 0'],
  early: ['came back too early', 'M-6 0l7 -4.5v9z'],
  ban: ['banned', 'M-7 -6h14v12h-14z'],
  window: ['a minute that was counted', 'M-7 -6h14v12h-14z'],
  clock: ['clock moved', 'M-6 -4l6 4l-6 4zM0 -4l6 4l-6 4z'],
  reset: ['reset', 'M-4.5 -4.5h9v9h-9z'],
  faults: ['faults changed', 'M1 -7l-5 8h4l-1 6l5 -8h-4z'],
  changed: ['keys, pets, gaps or limits changed', 'M-5 0h10M0 -5v10'],
  test: ['a test', 'M-7 -4h14v8h-14z'],
} as const

export type Sign = keyof typeof signs

/** The signs of requests: how they ended. */
const tones = ['good', 'refused', 'limited', 'broken'] as const

/** From an instant until another, in Unix milliseconds on the sandbox's clock. */
export interface Span {
  readonly from: number
  readonly to: number
}

/** Something that happened for a while, or at an instant, which is both its beginning and its end. */
export interface Happening extends Span {
  readonly sign: Sign
  /** What it was, in words. */
  readonly text: string
  readonly entry?: JournalEntry
}

interface Request extends Happening {
  readonly entry: JournalEntry
}

/** What happened to a key, or to the sandbox as a whole. */
export interface Lane {
  readonly id: string
  /** `undefined` for the sandbox. */
  readonly key?: string
  readonly requests: readonly Request[]
  readonly others: readonly Happening[]
}

const minuteMs = 60_000
const dayMs = 86_400_000

/** What happened since the journal began: a lane for the sandbox, and one for each key in the order of their first use. */
export function lanesOf(
  entries: readonly JournalEntry[],
  marks: readonly Mark[],
  keyOf: (entry: JournalEntry) => string = ({ key }) => key ?? noKey,
): readonly Lane[] {
  const begun = marks.findLastIndex(({ kind }) => kind === 'reset' || kind === 'restored')
  const changes = marks.slice(Math.max(0, begun))
  const sandbox = { id: 'sandbox', requests: [], others: changesIn(changes) }
  const callers = grouped(entries, ({ caller, key }) => `${caller} ${key ?? ''}`)
  const lanes = [...callers].flatMap(([id, own]): Lane[] => {
    // A clock can be set back.
    const requests = own.map(requestOf).sort(byInstant)
    const others = [windowsOf, bansOf, waitsOf, faultsOf].flatMap((find) => find(requests))
    return own.slice(0, 1).map((entry) => ({ id, key: keyOf(entry), requests, others }))
  })
  return changes.length === 0 ? lanes : [sandbox, ...lanes]
}

/** The marks, and for tests, of which the last may still run, how long they took. */
function changesIn(marks: readonly Mark[]): readonly Happening[] {
  const bounds = marks.filter(({ kind }) => kind.startsWith('test-'))
  return marks.flatMap((mark): Happening[] => {
    const { kind, name = 'a test' } = mark
    const from = Date.parse(mark.at)
    if (!bounds.includes(mark)) return [happening(signOf(kind), from, kind.replaceAll('-', ' '))]
    if (kind !== 'test-began') return []
    const end = bounds[bounds.indexOf(mark) + 1]?.at
    const to = end === undefined ? Number.POSITIVE_INFINITY : Date.parse(end)
    return [{ sign: 'test', from, to, text: `test: ${name}` }]
  })
}

/** The sign of a mark; of kinds that this page doesn't know too. */
function signOf(kind: string): Sign {
  if (kind.startsWith('clock-')) return 'clock'
  if (kind === 'reset' || kind === 'restored') return 'reset'
  return kind === 'faults-changed' ? 'faults' : 'changed'
}

function happening(sign: Sign, at: number, text: string): Happening {
  return { sign, from: at, to: at, text }
}

function requestOf(entry: JournalEntry): Request {
  const { tone } = outcomeText(entry)
  const text = `#${entry.id} ${signs[tone][0]}`
  return { ...happening(tone, Date.parse(entry.at), text), entry }
}

function byInstant(one: Request, other: Request): number {
  return one.from - other.from || one.entry.id - other.entry.id
}

function faultsOf(requests: readonly Request[]): readonly Happening[] {
  // A newer process may tell of faults in another way.
  const hit = requests.filter(({ entry }) => (entry.faults ?? []).length > 0)
  return hit.map((request) => ({ ...request, sign: 'faulty', text: signs.faulty[0] }))
}

/** The minutes that were counted, each once; those that overlap, as sliding ones do, one after the other. */
function windowsOf(requests: readonly Request[]): readonly Happening[] {
  const windows: Happening[] = []
  for (const { entry } of requests) {
    // A newer process may tell of quotas in another way.
    if (entry.quota?.window !== 'minute' || isBanned(entry)) continue
    const to = Date.parse(entry.quota.resetAt)
    const from = to - minuteMs
    if (from < (windows.at(-1)?.to ?? from)) continue
    windows.push({ sign: 'window', from, to, text: 'a minute' })
  }
  return windows
}

function isBanned({ decision }: JournalEntry): boolean {
  return decision?.code === 'key_banned'
}

/** The bans, each until it ended, or until a request was let through before that. */
function bansOf(requests: readonly Request[]): readonly Happening[] {
  const banned = requests.filter(({ entry }) => isBanned(entry))
  return toldToWait(banned).map(({ from, until }) => {
    const free = requests.find((request) => request.from > from && !isBanned(request.entry))
    const to = Math.min(until, free?.from ?? until)
    return { sign: 'ban', from, to, text: `banned until ${timeText(to)}` }
  })
}

/** The waits, and how the client came back after each. */
function waitsOf(requests: readonly Request[]): readonly Happening[] {
  return toldToWait(requests).flatMap(({ from, until, cameAt }): Happening[] => {
    const told = `told to wait until ${timeText(until)}`
    const wait = { sign: 'wait', from, to: until } as const
    if (cameAt === undefined) return [{ ...wait, text: `${told}; not back yet` }]
    const [sign, early] =
      cameAt < until ? (['early', ', too early'] as const) : (['came', ''] as const)
    const text = `${told}; came back at ${timeText(cameAt)}${early}`
    return [{ ...wait, text }, happening(sign, cameAt, text)]
  })
}

/** When a client was told to wait, the first time where it was told the same again, and when it came back. */
function toldToWait(requests: readonly Request[]) {
  const ends = requests.map(retryAtOf)
  return requests.flatMap(({ from }, index) => {
    const until = ends[index]
    if (until === undefined || until <= from || until === ends[index - 1]) return []
    return [{ from, until, cameAt: requests[index + 1]?.from }]
  })
}

/** When a client that was refused should come back, as the sandbox knows it, or as the reply says it. */
function retryAtOf({ from, entry: { decision, outcome } }: Request): number | undefined {
  if (decision?.retryAt !== undefined) return Date.parse(decision.retryAt)
  const text = 'headers' in outcome ? outcome.headers['retry-after'] : undefined
  if (text === undefined) return undefined
  const until = /^\d+$/.test(text) ? from + Number(text) * 1000 : Date.parse(text)
  return until <= lastInstantAt ? until : undefined
}

/** Where things stand, as shares of an axis: 0 is its beginning, 1 its end. */
export interface Axis extends Span {
  readonly by: 'time' | 'order'
  placeAt(at: number): number
  /** Where something begins; out of the axis, if that isn't shown. */
  placeOf(happening: Happening): number
  /** What is written at the axis. */
  readonly labels: readonly { readonly place: number; readonly text: string }[]
}

/**
 * Makes an axis on which time passes evenly. It ends now, or a little later where somebody still waits.
 *
 * @param view What is shown of it; `undefined` for all.
 */
export function timeAxis(lanes: readonly Lane[], now: number, view: Span | undefined): Axis {
  const all = lanes.flatMap(({ requests, others }) => [...requests, ...others])
  const instants = all.flatMap(({ sign, from }) => (sign === 'window' ? [] : from))
  const ends = all.flatMap(({ sign, to }) => (sign === 'ban' || sign === 'wait' ? to : []))
  const first = Math.min(now, ...instants)
  const last = Math.max(now, ...instants)
  // Hours to wait would leave no room for what has happened.
  const most = last + Math.max((last - first) / 4, 1_000)
  const due = Math.min(Math.max(last, ...ends), most)
  const { from, to } = view ?? { from: first, to: Math.max(due, first + 1_000) }
  const placeAt = (at: number): number => (at - from) / (to - from)
  const step = stepFor((to - from) / 7)
  const begin = Math.ceil(from / step) * step
  const labels = Array.from({ length: Math.floor((to - begin) / step) + 1 }, (_, index) => {
    const at = begin + index * step
    const [start, end] = step >= dayMs ? [0, 10] : [11, step % minuteMs === 0 ? 16 : 19]
    return { place: placeAt(at), text: new Date(at).toISOString().slice(start, end) }
  })
  return { by: 'time', from, to, placeAt, placeOf: (one) => placeAt(one.from), labels }
}

/** Steps between labels: up to half an hour in seconds, and up to a year in hours. */
const steps = [
  ...[1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1_800].map((seconds) => seconds * 1_000),
  ...[1, 3, 6, 12, 24, 48, 168, 720, 2_160, 8_760].map((hours) => hours * 60 * minuteMs),
]

/** The shortest round time that is long enough. */
function stepFor(ms: number): number {
  const year = 365 * dayMs
  return steps.find((one) => one >= ms) ?? year * Math.ceil(ms / year)
}

/** Makes an axis on which each request takes as much room as any other, for clocks that stand still or leap. */
export function orderAxis(lanes: readonly Lane[], view: Span | undefined): Axis {
  const all = lanes
    .flatMap(({ requests }) => requests)
    .filter(({ from }) => view === undefined || (from >= view.from && from <= view.to))
    .sort(byInstant)
  const [first] = all
  const places = new Map(all.map(({ entry }, index) => [entry, (index + 0.5) / all.length]))
  const placeAt = (at: number): number => {
    const index = all.findIndex(({ from }) => from >= at)
    return index < 0 ? 1 : index / all.length
  }
  const labelled = all.filter((_, index) => index % Math.ceil(all.length / 10) === 0)
  return {
    by: 'order',
    from: first?.from ?? 0,
    to: all.at(-1)?.from ?? 0,
    placeAt,
    placeOf: ({ entry, from }) => (entry === undefined ? placeAt(from) : (places.get(entry) ?? -1)),
    labels: labelled.map(({ entry }) => ({ place: places.get(entry) ?? 0, text: `#${entry.id}` })),
  }
}

/** Whether requests stand on so few places of an axis that it says little: a clock stood still, or leapt. */
export function isCrowded(lanes: readonly Lane[], axis: Axis): boolean {
  const all = lanes.flatMap(({ requests }) => requests)
  const places = new Set(all.map((request) => Math.floor(axis.placeOf(request) * 120)))
  return places.size < Math.min(12, all.length / 2)
}

/** What happened in a lane in a minute. */
export interface TimelineRow extends Span {
  readonly lane: Lane
  /** How many requests ended in which way; those that there are. */
  readonly counts: readonly { readonly tone: (typeof tones)[number]; readonly count: number }[]
  readonly notes: readonly string[]
}

/** The timeline as rows, the latest first. */
export function timelineRows(lanes: readonly Lane[]): readonly TimelineRow[] {
  const rows = lanes.flatMap((lane) => {
    const told = lane.others.filter(({ sign }) => !['window', 'came', 'early'].includes(sign))
    const minutes = grouped([...lane.requests, ...told], ({ from }) => from - (from % minuteMs))
    return [...minutes].map(([from, own]) => {
      const bySign = grouped(own, ({ sign }) => sign)
      const counts = tones.map((tone) => ({ tone, count: bySign.get(tone)?.length ?? 0 }))
      return {
        ...{ lane, from, to: from + minuteMs - 1 },
        counts: counts.filter(({ count }) => count > 0),
        notes: notesOf(own.filter((one) => told.includes(one))),
      }
    })
  })
  return rows.sort((one, other) => other.from - one.from)
}

/** How many notes a row has. */
const mostNotes = 6

/** What happened, and how often. */
function notesOf(happenings: readonly Happening[]): readonly string[] {
  const notes = [...grouped(happenings, ({ text }) => text)].map(([text, { length }]) =>
    length === 1 ? text : `${text} ${length} times`,
  )
  if (notes.length <= mostNotes) return notes
  return [...notes.slice(0, mostNotes), `${notes.length - mostNotes} more`]
}

/** The time of day of an instant, to the second. */
function timeText(at: number): string {
  return new Date(at).toISOString().slice(11, 19)
}
