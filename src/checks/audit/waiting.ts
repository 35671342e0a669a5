import { wholeText } from '../../mock/input/input-error.ts'
import { spanText } from '../../mock/input/values.ts'
import { operationText, type RequestFacts } from './facts.ts'
import {
  isAfter,
  isBefore,
  isFollowing,
  isQueued,
  isRepetition,
  isSame,
  waitedMs,
} from './request-relations.ts'
import type { Found, Rule, RuleState, SandboxFacts } from './rule.ts'

/** Rules about waiting after a rejection. */
export const waitingRules = {
  'retry-too-early': {
    severity: 'error',
    source: 'spec 8.2; RFC 9110, 10.2.3',
    summary:
      'A rejected request was sent again before its Retry-After had passed; a warning where that is only very likely.',
    advice:
      'Wait as long as Retry-After says, in whatever unit or as a date, before you send the request again.',
    requiresWarning: true,
    createState: () =>
      watchEarly('retry', (next, early) => {
        const { status = 429 } = early.rejection
        // A client error rejects the key; a 503 only means that the service can't respond now.
        const rejected = status < 500 ? 'it was rejected' : `it got ${status}`
        return `Sent ${operationText(next.logged)} again ${earlyText(early, rejected)}${stillText(early)}.`
      }),
  },
  'retry-after-misread': {
    severity: 'error',
    source: 'spec 8.2, 8.5; RFC 9110, 10.2.3',
    summary:
      'A client misread the unit of Retry-After, or an instant as a wait. One such wait is information; two of different length are an error if too short, a warning if too long.',
    advice:
      'Find out the unit of Retry-After: multiply seconds by 1000 for a timer in milliseconds, compare an instant with the clock. Compare the wait with X-RateLimit-Reset, and limit it.',
    requiresWarning: true,
    createState: watchMisreadings,
  },
  'request-while-limited': {
    severity: 'warning',
    source: 'spec 8.3',
    summary: 'After a 429, another request was sent before its Retry-After had passed.',
    advice:
      'The limit applies to the key: hold back all requests with it until Retry-After has passed.',
    requiresWarning: true,
    createState: () =>
      watchEarly('other', (next, early) => {
        const [text, rejected] = [operationText(next.logged), operationText(early.rejection.logged)]
        const sent = text === rejected ? `another ${text}` : text
        return `Sent ${sent} ${earlyText(early, `${rejected} was rejected`)}.`
      }),
  },
  'retried-until-banned': {
    severity: 'error',
    source: 'spec 8.3',
    summary: 'The client kept sending after a 429 until its key was banned.',
    advice:
      'Stop at the first 429, wait as long as Retry-After says, and wait longer each time another follows.',
    requiresWarning: true,
    createState: () =>
      watchBans(({ rejections, count, knowing, isSure, isProved, byDate }) => {
        const last = rejections.at(-1)
        if (knowing < 2 || last === undefined) return undefined
        return {
          message: `Kept sending after a 429: ${knowing} more requests, ${count} rejected in all, until the key was banned; Retry-After was ${retryAfterText(last)}${byDate}.`,
          requests: rejections,
          ...(byDate === '' ? {} : { severity: 'warning' }),
          ...(isSure ? {} : doubts.still),
          ...(isProved ? {} : { needsOneTask: inLine }),
        }
      }),
  },
  'burst-until-banned': {
    severity: 'warning',
    source: 'spec 8.3',
    summary:
      'A burst of requests, sent before the client could know of the first 429, got the key banned.',
    advice:
      'Stop at the first 429, even in a loop, and limit the requests in flight, so that a 429 can stop the rest.',
    createState: () =>
      watchBans(({ rejections, count, knowing, byDate }) => {
        if (knowing > 0 || count < burst) return undefined
        const [first] = rejections
        return {
          message: `Sent a burst: ${count} requests over the limit of ${first?.result.limit} per ${first?.result.window} were rejected, and the key was banned${byDate}.`,
          requests: rejections,
          // Separate workers that each stopped at their first rejection look the same.
          ...(hasOneEach(rejections) ? { needsOneClient: true } : {}),
        }
      }),
  },
  'request-while-banned': {
    severity: 'error',
    source: 'spec 8.3',
    summary: 'A request was sent although an earlier response had said that the key was banned.',
    advice:
      'Stop at a response with the code key_banned, and send nothing with this key until Retry-After has passed.',
    requiresWarning: true,
    createState: () =>
      watchEarly('banned', (next, early) => {
        const text = earlyText(early, 'a response that said so')
        return `Sent ${operationText(next.logged)} with a banned key, ${text}.`
      }),
  },
  'request-with-none-remaining': {
    severity: 'warning',
    source: 'spec 8; IETF draft RateLimit header fields, section 5',
    summary: 'After a response with X-RateLimit-Remaining: 0, a request was sent before the reset.',
    advice:
      'Read X-RateLimit-Remaining: at 0, send nothing more until the instant in X-RateLimit-Reset.',
    requiresWarning: true,
    createState: watchSpentLastAndWentOn,
  },
} as const satisfies Record<string, Rule>

/** Relation of an early request to the rejection that it followed too soon. */
type EarlyKind = 'retry' | 'other' | 'banned'

/** A request sent before the retry time that its client knew. */
interface Early {
  readonly rejection: RequestFacts
  readonly kind: EarlyKind
  readonly waitedMs: number
  /** Another explanation, if any. */
  readonly doubt: keyof typeof doubts | undefined
  /** Whether the client certainly knew of the rejection. */
  readonly isProved: boolean
}

/** Detects the first early request of a kind for each retry time, and then the first one that is more certain. */
function watchEarly(
  kind: EarlyKind,
  messageFor: (next: RequestFacts, early: Early) => string,
): RuleState {
  let reported: { readonly retryAt: number | undefined; readonly isSure: boolean } = {
    retryAt: undefined,
    isSure: false,
  }
  let repetitions = 0
  return (next, sandbox) => {
    const early = earlyAfter(next)
    if (early?.kind !== kind) return undefined
    const { rejection, doubt, isProved } = early
    const { retryAt } = rejection
    if (!isProved) repetitions++
    // Once may be chance. A second time isn't, unless a test has replaced the client's sleep.
    const isSure = doubt === undefined && (isProved || (repetitions > 1 && isLive(next, sandbox)))
    if (reported.retryAt === retryAt && (reported.isSure || !isSure)) return undefined
    reported = { retryAt, isSure }
    return {
      message: messageFor(next, early),
      requests: [rejection, next],
      ...(isSure ? {} : doubts[doubt ?? 'still']),
      ...(doubt === 'still' && !isSame(rejection, next) ? { severity: 'info' } : {}),
      ...(isProved ? {} : { needsOneTask: inLine }),
      // A 503 rejects one request, and not the key: another task, which can't know, may send the same one for the first
      // time. Connections don't separate the tasks, since a pool hands the first task's connection to the second.
      ...(isOfKey(rejection) ? {} : { needsOneTask: 'another of its tasks may ask the same' }),
    }
  }
}

/** Returns whether a request comes from a client that nothing tests, and didn't only wait in the queue of its page. */
function isLive(next: RequestFacts, sandbox: SandboxFacts): boolean {
  const hasPaused = !isQueued(next) || next.quiet.ms >= stillMs
  return !next.client.isInProcess && sandbox.isLive && hasPaused
}

/** Harmless behaviour that looks like a retry without a pause. */
const inLine = 'requests that wait in line for a connection look the same'

/** Finds the rejection that a request disobeys: a ban, else one of the same request, else the latest. */
function earlyAfter(next: RequestFacts): Early | undefined {
  const early = next.client.rejections.filter(
    (one) => one.retryAt !== undefined && isBefore(one.retryAt, one, next),
  )
  if (early.length === 0) return undefined
  const repeated = repeatedBefore(next, early)
  const disobeyed = early.filter(
    (one) => (isOfKey(one) || isSame(one, next)) && (isAfter(one, next) || repeated.includes(one)),
  )
  const ban = disobeyed.findLast(({ code, isMalformed }) => code === 'key_banned' && !isMalformed)
  const known = ban ?? disobeyed.findLast((one) => isSame(one, next)) ?? disobeyed.at(-1)
  const rejection = known ?? early.findLast((one) => isRepetition(one, next))
  if (rejection === undefined) return undefined
  return {
    rejection,
    kind: ban !== undefined ? 'banned' : isSame(rejection, next) ? 'retry' : 'other',
    waitedMs: waitedMs(rejection, next),
    doubt: doubtAfter(rejection, next),
    isProved: known !== undefined,
  }
}

/** Returns another explanation for an early request, if any. */
function doubtAfter(rejection: RequestFacts, next: RequestFacts): 'skewed' | 'still' | undefined {
  const format = rejection.result.gaps.retryAfterFormat
  const isInstant = format === 'http-date' || format === 'unix-time'
  if (
    retryAfterOf(rejection) !== undefined &&
    isInstant &&
    isByDate(rejection.retryAt, rejection, next)
  )
    return 'skewed'
  return isMaybeStubbed(rejection, next) ? 'still' : undefined
}

/** Returns whether a client waited long enough by the `Date` of the same response, which was ahead. */
function isByDate(retryAt: number | undefined, former: RequestFacts, next: RequestFacts): boolean {
  const dateAheadMs = dateAheadOf(former)
  return dateAheadMs > 0 && retryAt !== undefined && !isBefore(retryAt - dateAheadMs, former, next)
}

/** Description of tries without any pause. */
const noTimePassed = "no time passed between the tries, neither on the sandbox's clock nor for real"

/** Maximum pause of a client that didn't wait, in milliseconds; a response takes that long to arrive. */
const stillMs = 50

/** Returns whether a client may have waited by a sleep that a test replaced and that moves no clock. */
function isMaybeStubbed(former: RequestFacts, next: RequestFacts): boolean {
  return (
    next.client.isInProcess && next.logged.at === former.endedAt && waitedMs(former, next) < stillMs
  )
}

/** Returns whether the key was rejected; a service that can't respond to one request may respond to another. */
function isOfKey({ code }: RequestFacts): boolean {
  return code === 'rate_limit_exceeded' || code === 'key_banned'
}

/** Number of times a request may be sent by chance, by two parts of a client that know nothing of each other. */
const byChance = 2

/**
 * Returns the rejections of the same request, if there are too many in sequence to be chance: within a turn of the
 * event loop, a single one proves nothing.
 */
function repeatedBefore(
  next: RequestFacts,
  rejections: readonly RequestFacts[],
): readonly RequestFacts[] {
  const alike = rejections.filter((one) => isSame(one, next) && isFollowing(one, next))
  return alike.length < byChance ? [] : alike.slice(0, 1 - byChance)
}

/** Other explanations of an early request, each with the severity and advice of the finding. */
const doubts = {
  /** No time has passed, so a test may have replaced the sleep of its client. */
  still: {
    severity: 'warning',
    advice:
      "Wait as long as Retry-After says, in whatever unit or as a date, before you send the request again; if the tests replace the sleep, let them move the sandbox's clock: sleep = (ms) => sandbox.clock.advance(ms).",
  },
  /** The `Date` of the response was ahead; by a correct one, the client waited long enough. */
  skewed: {
    severity: 'warning',
    advice:
      'A Date may be ahead of the clock by which the service counts: wait for a date in Retry-After until your own clock has passed it, too, or take the longer of both waits.',
  },
} as const satisfies Record<string, Pick<Found, 'severity' | 'advice'>>

/** Describes how soon a request followed a rejection. */
function earlyText({ waitedMs: waited, doubt, rejection }: Early, rejected: string): string {
  const by = doubt === 'skewed' ? `, ${byDateText(rejection.retryAt, rejection)}` : ''
  return `${spanText(waited)} after ${rejected}; Retry-After said ${retryAfterText(rejection)}${by}`
}

/** Returns a clause about tries without any pause, as of a client whose sleep a test replaced; `''` for others. */
function stillText({ doubt }: Early): string {
  return doubt === 'still' ? `: ${noTimePassed}` : ''
}

/** Describes how soon an instant was by a `Date` that was ahead. */
function byDateText(retryAt: number | undefined, former: RequestFacts): string {
  const { endedAt } = former
  const dateAheadMs = dateAheadOf(former)
  const left = (retryAt ?? endedAt) - endedAt - dateAheadMs
  return `though only ${spanText(left)} after the response's Date, which was ${spanText(dateAheadMs)} ahead (gap dateHeaderSkew)`
}

/** Quotes `Retry-After` as it was sent; of an instant, how far away it was, too. */
function retryAfterText(rejection: RequestFacts): string {
  const { retryAt = 0, endedAt, result } = rejection
  const { retryAfterFormat } = result.gaps
  const retryAfter = retryAfterOf(rejection)
  const span = spanText(retryAt - endedAt)
  if (retryAfter === undefined) return span
  switch (retryAfterFormat) {
    case 'seconds':
      return `${wholeText(Number(retryAfter))} s`
    case 'fraction':
      return `${retryAfter} s`
    case 'milliseconds':
      return `${retryAfter}, in milliseconds`
    case 'http-date':
      return `${retryAfter}, ${span} away`
    case 'unix-time':
      return `${retryAfter}, a Unix timestamp ${span} away`
    default:
      return retryAfterFormat satisfies never
  }
}

/** Returns `Retry-After` as it was sent; `undefined` if the response wasn't a rejection with one. */
function retryAfterOf({ isRejection, logged: { outcome } }: RequestFacts): string | undefined {
  return isRejection && 'headers' in outcome ? outcome.headers['retry-after'] : undefined
}

/** Returns the time by which a response's `Date` was ahead of the sandbox's clock, in milliseconds. */
function dateAheadOf({ result: { gaps } }: RequestFacts): number {
  return gaps.dateHeaderSkew === 'none' ? 0 : gaps.dateHeaderSkew
}

/** A wait that fits a wrong reading of `Retry-After`. */
interface Misreading {
  readonly requests: readonly [RequestFacts, RequestFacts]
  readonly isShort: boolean
  /** Waits that fit the reading, in milliseconds. */
  readonly fits: Range
  readonly message: string
}

interface Range {
  readonly fromMs: number
  readonly toMs: number
}

/** Watches for waits that fit a wrong reading; two of different length are no chance. */
function watchMisreadings(): RuleState {
  let first: Misreading | undefined
  let isProved = false
  return (next): Found | undefined => {
    const found = misreadingIn(next)
    if (found === undefined || isProved) return undefined
    const before = first
    first ??= found
    if (before === undefined) {
      const caveat = 'a client that reads nothing, and pauses for as long, does the same'
      return { message: `${found.message}.`, requests: found.requests, caveat }
    }
    isProved = before.isShort === found.isShort && areApart(before.fits, found.fits)
    if (!isProved) return undefined
    return {
      message: `${found.message}, after it had waited ${spanText(waitedMs(...before.requests))} when Retry-After said ${retryAfterText(before.requests[0])}.`,
      requests: [...before.requests, ...found.requests],
      severity: found.isShort ? 'error' : 'warning',
    }
  }
}

/** Returns whether no fixed pause explains both waits. */
function areApart(one: Range, other: Range): boolean {
  return one.toMs < other.fromMs || other.toMs < one.fromMs
}

function misreadingIn(next: RequestFacts): Misreading | undefined {
  const { previous: former } = next.client
  const retryAfter = former && retryAfterOf(former)
  if (former?.retryAt === undefined || retryAfter === undefined) return undefined
  const isRetry = isAfter(former, next) || isRepetition(former, next)
  if (!isRetry || isMaybeStubbed(former, next)) return undefined
  const { retryAfterFormat } = former.result.gaps
  const waited = waitedMs(former, next)
  const misread = (fits: Range, isShort: boolean, what: string): Misreading | undefined => {
    if (waited < fits.fromMs || waited > fits.toMs) return undefined
    const after = waited < 1_000 ? `${Math.round(waited)} ms` : spanText(waited)
    const message = `Sent ${operationText(next.logged)} again ${after} after it was rejected, ${what}: Retry-After said ${retryAfterText(former)}`
    return { requests: [former, next], isShort, fits, message }
  }
  if (retryAfterFormat === 'http-date' || retryAfterFormat === 'unix-time') {
    const at = retryAfterFormat === 'http-date' ? Date.parse(retryAfter) : Number(retryAfter) * 1000
    const what = 'as if an instant were a wait'
    return misread(longWait(at), false, what) ?? misread(longWait(at / 1000), false, what)
  }
  const said = Number(retryAfter) * (retryAfterFormat === 'milliseconds' ? 1 : 1000)
  return (
    misread(shortWait(said / 1000), true, 'a thousandth of the wait') ??
    misread(longWait(said * 1000), false, 'a thousand times the wait')
  )
}

/** A range that no wait is in. */
const nothing: Range = { fromMs: Number.POSITIVE_INFINITY, toMs: Number.NEGATIVE_INFINITY }

/** The shortest wait that differs from none, in milliseconds. */
const minWaitMs = 2

/** Returns how long a client waits that wants to wait much too short, with the delay of a timer and the network. */
function shortWait(ms: number): Range {
  // Timers may fire a millisecond early.
  return ms < minWaitMs ? nothing : { fromMs: ms - 1, toMs: ms * 1.1 + 10 }
}

/** Returns how long a client waits that wants to wait much too long, with some jitter. */
function longWait(ms: number): Range {
  return ms < 1_000 ? nothing : { fromMs: ms - 1, toMs: ms * 1.05 + 100 }
}

/** Number of rejections at once that exceeds any reasonable number of parallel requests. */
const burst = 10

/** Returns whether each request came over a connection of its own. */
function hasOneEach(requests: readonly RequestFacts[]): boolean {
  const connections = new Set(requests.map(({ logged }) => logged.connection))
  return !connections.has(undefined) && connections.size === requests.length
}

/** Rejections of a key that may lead to a ban. */
interface Rejections {
  /** First rejections and the latest one; those in between are dropped. */
  rejections: RequestFacts[]
  /** Total number of rejections. */
  count: number
  /** Number of rejected requests sent before the retry time of an earlier rejection. */
  knowing: number
  /** Whether a test that has replaced the client's sleep can't explain all requests that were sent knowingly. */
  isSure: boolean
  /** Whether a queue for a single connection can't explain them either. */
  isProved: boolean
  /** Clause of the message if a `Date` that was ahead may explain the early requests; otherwise `''`. */
  byDate: string
}

const rejectionsLimit = 20

/** Detects bans that rejections caused, and not a control call, a magic key or a fault. */
function watchBans(check: (ban: Readonly<Rejections>) => Found | undefined): RuleState {
  let memory = noRejections()
  let isBanned = false
  return (next, sandbox) => {
    const { code } = next
    if (code === undefined) {
      // A request that gets through ends the ban and the count of rejections before it.
      memory = noRejections()
      isBanned = false
    }
    const isRejected = code === 'rate_limit_exceeded' || code === 'key_banned'
    if (!isRejected || next.retryAt === undefined) return undefined
    memory = withRejection(memory, next, isLive(next, sandbox))
    const wasBanned = isBanned
    isBanned = code === 'key_banned'
    return isBanned && !wasBanned && memory.count > 1 ? check(memory) : undefined
  }
}

function noRejections(): Rejections {
  return { rejections: [], count: 0, knowing: 0, isSure: false, isProved: false, byDate: '' }
}

/** Adds a rejection; starts a new count if the client has waited as long as earlier ones required. */
function withRejection(before: Rejections, next: RequestFacts, isLive: boolean): Rejections {
  const early = before.rejections.filter(
    (one) => one.retryAt !== undefined && isBefore(one.retryAt, one, next),
  )
  const all = early.length === 0 ? noRejections() : before
  const proved = early.findLast((one) => isAfter(one, next)) ?? repeatedBefore(next, early).at(-1)
  const former = proved ?? early.findLast((one) => isRepetition(one, next))
  const isByDate = early.some((one) => doubtAfter(one, next) === 'skewed')
  const isSure = proved === undefined ? isLive : !isMaybeStubbed(proved, next)
  return {
    rejections: [...all.rejections.slice(0, rejectionsLimit - 1), next],
    count: all.count + 1,
    knowing: all.knowing + (former === undefined ? 0 : 1),
    isSure: all.isSure || (former !== undefined && isSure),
    isProved: all.isProved || proved !== undefined,
    byDate: isByDate ? '; the Date of a response was ahead (gap dateHeaderSkew)' : all.byDate,
  }
}

function watchSpentLastAndWentOn(): RuleState {
  /** Latest response with nothing remaining. */
  let last: RequestFacts | undefined
  return (next) => {
    const { code, result } = next
    if (code === undefined) {
      if (result.remaining === 0 && next.logged.delivery === 'delivered') last = next
      return undefined
    }
    if (code !== 'rate_limit_exceeded' || next.retryAt === undefined) return undefined
    if (last === undefined || last.result.window !== result.window) return undefined
    const { resetAt } = last.result
    if (!isAfter(last, next) || !isBefore(resetAt, last, next)) return undefined
    const former = last
    last = undefined
    const by = isByDate(resetAt, former, next) ? `, ${byDateText(resetAt, former)}` : ''
    return {
      message: `Sent ${operationText(next.logged)} ${spanText(waitedMs(former, next))} after a response with X-RateLimit-Remaining: 0, whose reset was ${spanText(resetAt - former.endedAt)} away${by}: it could only be rejected.`,
      requests: [former, next],
    }
  }
}
