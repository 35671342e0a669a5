import type { JournalEntry } from '../../../client/connect-sandbox.ts'
import { lastInstantAt } from '../../../input/instant.ts'
import { grouped } from '../grouped.ts'

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
  /** The beginning of the key. */
  readonly key: string
  readonly moments: readonly Moment[]
  /** The minutes in which its requests were counted, as its replies say. */
  readonly windows: readonly Span[]
  readonly bans: readonly Span[]
  readonly waits: readonly Wait[]
}

const minuteMs = 60_000

/** Makes a lane for each key that was used, in the order of their first use. */
export function lanesOf(entries: readonly JournalEntry[]): readonly Lane[] {
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
      key: first.key ?? 'no key',
      moments,
      windows: windowsOf(moments),
      bans: bansOf(moments),
      waits: waitsOf(moments),
    }
  })
}

function isBanned({ decision }: JournalEntry): boolean {
  return decision.code === 'key_banned'
}

/** The windows of a minute, each once; those that overlap, as sliding ones do, one after the other. */
function windowsOf(moments: readonly Moment[]): readonly Span[] {
  const windows: Span[] = []
  for (const { entry } of moments) {
    const { window, resetAt } = entry.quota
    if (window !== 'minute' || isBanned(entry)) continue
    const to = Date.parse(resetAt)
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
  if (decision.retryAt !== undefined) return Date.parse(decision.retryAt)
  if (!('headers' in outcome)) return undefined
  const text = outcome.headers['retry-after']
  if (text === undefined) return undefined
  const until = /^\d+$/.test(text) ? at + Number(text) * 1000 : Date.parse(text)
  return until <= lastInstantAt ? until : undefined
}
