import type { Found } from '../rule.ts'
import { isAfter, isBefore, isFollowing, isInLine, isSame, type Seen, waitedMs } from '../seen.ts'
import { countText, spanText } from '../words.ts'

/** What an early request has to do with the refusal that it came too soon after. */
export type EarlyKind = 'retry' | 'other' | 'banned'

/** A request that was sent before the time that its client knew of. */
export interface Early {
  readonly refusal: Seen
  readonly kind: EarlyKind
  readonly waitedMs: number
  /** What else may be behind it. */
  readonly doubt: keyof typeof doubts | undefined
}

/** Finds the refusal that a request disobeys: of the same request if there is one, else the latest. */
export function earlyAfter(next: Seen): Early | undefined {
  const { refusals } = next.origin
  if (refusals.length === 0) return undefined
  const early = refusals.filter(
    (one) => one.retryAt !== undefined && isBefore(one.retryAt, one, next),
  )
  if (early.length === 0) return undefined
  const repeated = repeatedBefore(next, early)
  const disobeyed = early.filter(
    (one) => (isOfKey(one) || isSame(one, next)) && (isAfter(one, next) || repeated.includes(one)),
  )
  const ban = disobeyed.findLast(({ code, isSpoilt }) => code === 'key_banned' && !isSpoilt)
  const known = ban ?? disobeyed.findLast((one) => isSame(one, next)) ?? disobeyed.at(-1)
  const refusal = known ?? repeatedInLine(next, early).at(-1)
  if (refusal?.retryAt === undefined) return undefined
  return {
    refusal,
    kind: ban !== undefined ? 'banned' : isSame(refusal, next) ? 'retry' : 'other',
    waitedMs: waitedMs(refusal, next),
    doubt: known === undefined ? 'queued' : doubtAfter(refusal, next),
  }
}

/** What else may be behind a request that is surely early. */
export function doubtAfter(refusal: Seen, next: Seen): 'skewed' | 'stubbed' | undefined {
  const isDate = refusal.retryAfter !== undefined && !/^\d+$/.test(refusal.retryAfter)
  if (isDate && isByDate(refusal.retryAt, refusal, next)) return 'skewed'
  return isMaybeStubbed(refusal, next) ? 'stubbed' : undefined
}

/** Whether a client has waited for as long as an instant is after the Date of the same reply, which was ahead. */
export function isByDate(toldAt: number | undefined, former: Seen, next: Seen): boolean {
  const { dateAheadMs } = former
  return dateAheadMs > 0 && toldAt !== undefined && !isBefore(toldAt - dateAheadMs, former, next)
}

/** Whether it is the key that was refused; a service that can't answer one request may answer another. */
function isOfKey({ code }: Seen): boolean {
  return code === 'rate_limit_exceeded' || code === 'key_banned'
}

/** How often a request may be sent twice by chance, as two parts of a client do that know nothing of each other. */
const byChance = 2

/**
 * The refusals of the same request, where there are so many one after the other that no chance explains it: within a turn
 * of the event loop, a single one proves nothing.
 */
export function repeatedBefore(next: Seen, refusals: readonly Seen[]): readonly Seen[] {
  return beyondChance(refusals.filter((one) => isSame(one, next) && isFollowing(one, next)))
}

/** The same where a queue before a single connection would look like it. */
function repeatedInLine(next: Seen, refusals: readonly Seen[]): readonly Seen[] {
  return beyondChance(refusals.filter((one) => isSame(one, next) && isInLine(one, next)))
}

function beyondChance(alike: readonly Seen[]): readonly Seen[] {
  return alike.length < byChance ? [] : alike.slice(0, 1 - byChance)
}

/** Whether a client may have waited by a sleep that a test replaced, which moves no clock. */
function isMaybeStubbed(former: Seen, next: Seen): boolean {
  return next.origin.isNear && next.at === former.endedAt && waitedMs(former, next) < 50
}

/** What else may be behind an early request, and what a finding then is. */
const doubts = {
  /** Neither clock moved, so that a test may have replaced the sleep of its client. */
  stubbed: {
    severity: 'warning',
    advice:
      'If the test replaces the sleep of its client, let it move the clock instead: sleep = (ms) => sandbox.clock.advance(ms). Otherwise wait as long as Retry-After says.',
  },
  /** The Date of the reply was ahead, and the wait would do if it weren't. */
  skewed: {
    severity: 'warning',
    advice:
      'A Date may be ahead of the clock by which the service counts: wait for a date in Retry-After until your own clock has passed it, too, or take the longer of both waits.',
  },
  /** There was no pause between answer and request. */
  queued: {
    severity: 'info',
    advice:
      'Wait as long as Retry-After says, before you send the request again. This is only information, since requests that were sent together and wait in line for a single connection look the same.',
  },
} as const satisfies Record<string, Pick<Found, 'severity' | 'advice'>>

/** The parts of a finding that depend on what else may be behind it. */
export function doubtOf({ doubt }: Early): Pick<Found, 'severity' | 'advice'> {
  return doubt === undefined ? {} : doubts[doubt]
}

/** Says how much too early a request came after a refusal. */
export function earlyText({ waitedMs: waited, doubt, refusal }: Early, refused: string): string {
  const by = doubt === 'skewed' ? `, ${byDateText(refusal.retryAt, refusal)}` : ''
  return `${spanText(waited)} after ${refused}; Retry-After said ${toldText(refusal)}${by}`
}

/** Says how soon an instant was by a Date that was ahead. */
export function byDateText(toldAt: number | undefined, { endedAt, dateAheadMs }: Seen): string {
  const left = (toldAt ?? endedAt) - endedAt - dateAheadMs
  return `though only ${spanText(left)} after the reply's Date, which was ${spanText(dateAheadMs)} ahead (gap dateSkew)`
}

/** Says what Retry-After said, as it was sent; how far away a date was, too. */
export function toldText({ retryAfter, retryAt = 0, endedAt }: Seen): string {
  const span = spanText(retryAt - endedAt)
  if (retryAfter === undefined) return span
  return /^\d+$/.test(retryAfter)
    ? `${countText(Number(retryAfter))} s`
    : `${retryAfter}, ${span} away`
}

/** Tells of the first early request of each kind for each time that was told; and then of the first that is no queue. */
export class FirstEarly {
  readonly #kind: EarlyKind
  #told: WeakMap<Seen['origin'], Early> | undefined

  constructor(kind: EarlyKind) {
    this.#kind = kind
  }

  see(next: Seen, found: (early: Early) => Found): Found | undefined {
    const early = earlyAfter(next)
    if (early?.kind !== this.#kind) return undefined
    const told = this.#told?.get(next.origin)
    const isTold = told?.refusal.retryAt === early.refusal.retryAt
    if (isTold && (told?.doubt !== 'queued' || early.doubt === 'queued')) return undefined
    this.#told ??= new WeakMap()
    this.#told.set(next.origin, early)
    return found(early)
  }

  forget(): void {
    this.#told = undefined
  }
}
