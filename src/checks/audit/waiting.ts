import { wholeText } from '../../mock/input/input-error.ts'
import { spanText } from '../../mock/input/values.ts'
import { type RequestFacts, requestText } from './facts.ts'
import { isAfter, isBefore, isFollowing, isInLine, isSame, waitedMs } from './request-relations.ts'
import type { Found, Rule, RuleState } from './rule.ts'

/** Rules about waiting after a rejection. */
export const waitingRules = {
  'retry-too-early': {
    severity: 'error',
    source: 'spec 8.2; RFC 9110, 10.2.3',
    summary: 'A rejected request was sent again before its Retry-After had passed.',
    advice:
      'Wait as long as Retry-After says, whether in seconds, in another unit or as a date, before you send the request again.',
    requiresWarning: true,
    createState: () =>
      watchEarly('retry', (next, early) => {
        const { status = 429 } = early.rejection
        // A client error rejects the key; a 503 only means that the service can't respond now.
        const rejected = status < 500 ? 'it was rejected' : `it got ${status}`
        return `Sent ${requestText(next)} again ${earlyText(early, rejected)}${stillText(early)}.`
      }),
  },
  'retry-after-misread': {
    severity: 'error',
    source: 'spec 8.2, 8.5; RFC 9110, 10.2.3',
    summary:
      'A client misread the unit of Retry-After, or an instant as a wait. A wait too short is first a warning, then an error; one too long is first information, then a warning.',
    advice:
      'Find out the unit of Retry-After: seconds have to be multiplied by 1000 for a timer in milliseconds, an instant has to be compared with the clock. Compare the wait with X-RateLimit-Reset, and set a limit to it.',
    requiresWarning: true,
    createState: watchMisreadings,
  },
  'request-while-limited': {
    severity: 'warning',
    source: 'spec 8.3',
    summary: 'After a 429, another request was sent before its Retry-After had passed.',
    advice:
      'The limit applies to the key, not to a single request: hold back all requests with this key until Retry-After has passed.',
    requiresWarning: true,
    createState: () =>
      watchEarly('other', (next, early) => {
        const [text, rejected] = [requestText(next), requestText(early.rejection)]
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
      watchBans(({ rejections, count, knowing, isStubbed, byDate }) => {
        const last = rejections.at(-1)
        if (knowing < 2 || last === undefined) return undefined
        return {
          message: `Kept sending after a 429: ${knowing} more requests, ${count} rejected in all, until the key was banned; Retry-After was ${retryAfterText(last)}${byDate}.`,
          requests: rejections,
          ...(byDate === '' ? {} : { severity: 'warning' }),
          ...(isStubbed ? caveats.stubbed : {}),
        }
      }),
  },
  'burst-until-banned': {
    severity: 'warning',
    source: 'spec 8.3',
    summary: 'A burst of requests, without a pause after the first 429, got the key banned.',
    advice:
      'Stop at the first 429, even in a loop, and limit how many requests are in flight at once, so that a 429 can stop the rest.',
    createState: () =>
      watchBans(({ rejections, count, isBurst, byDate }) => {
        if (!isBurst || count < burst) return undefined
        const [first] = rejections
        return {
          message: `Sent a burst without a pause: ${count} requests over the limit of ${first?.quota.limit} per ${first?.quota.window} were rejected, and the key was banned${byDate}.`,
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
        return `Sent ${requestText(next)} with a banned key, ${text}.`
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
  /** Innocent explanation, if any. */
  readonly doubt: keyof typeof caveats | undefined
}

/** Detects the first early request of a kind for each retry time, and then the first one that is more certain. */
function watchEarly(
  kind: EarlyKind,
  messageFor: (next: RequestFacts, early: Early) => string,
): RuleState {
  let reported: Early | undefined
  return (next) => {
    const early = earlyAfter(next)
    if (early?.kind !== kind) return undefined
    const isReported = reported?.rejection.retryAt === early.rejection.retryAt
    if (isReported && reported !== undefined && sureness(reported) >= sureness(early))
      return undefined
    reported = early
    return {
      message: messageFor(next, early),
      requests: [early.rejection, next],
      ...(early.doubt === undefined ? {} : caveats[early.doubt]),
      // A 503 rejects one request, and not the key: another task, which can't know, may send the same one for the first
      // time. Connections don't separate the tasks, since a pool hands the first task's connection to the second.
      ...(isOfKey(early.rejection)
        ? {}
        : { needsOneTask: 'another of its tasks may ask the same' }),
    }
  }
}

/** Returns how certain it is that a client came back too early: 2 for an error, 1 for a warning, 0 for information. */
function sureness({ doubt }: Early): number {
  if (doubt === undefined) return 2
  return doubt === 'skewed' ? 1 : 0
}

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
  const rejection = known ?? repeatedBefore(next, early, isInLine).at(-1)
  if (rejection === undefined) return undefined
  return {
    rejection,
    kind: ban !== undefined ? 'banned' : isSame(rejection, next) ? 'retry' : 'other',
    waitedMs: waitedMs(rejection, next),
    doubt: known === undefined ? 'queued' : doubtAfter(rejection, next),
  }
}

/** Returns another explanation for a request that is certainly early, if any. */
function doubtAfter(rejection: RequestFacts, next: RequestFacts): 'skewed' | 'stubbed' | undefined {
  const { retryAfter, retryAfterFormat } = rejection
  const isInstant = retryAfterFormat === 'http-date' || retryAfterFormat === 'unix-time'
  if (retryAfter !== undefined && isInstant && isByDate(rejection.retryAt, rejection, next))
    return 'skewed'
  return isMaybeStubbed(rejection, next) ? 'stubbed' : undefined
}

/** Returns whether a client waited long enough by the `Date` of the same response, which was ahead. */
function isByDate(retryAt: number | undefined, former: RequestFacts, next: RequestFacts): boolean {
  const { dateAheadMs } = former
  return dateAheadMs > 0 && retryAt !== undefined && !isBefore(retryAt - dateAheadMs, former, next)
}

/** Description of tries without any pause. */
export const noTimePassed =
  "no time passed between the tries, neither on the sandbox's clock nor for real"

/** Advice for tests that may have replaced the sleep of their client. */
export const moveClockAdvice = 'if the tests replace the sleep, let them move the clock'

/** Maximum pause of a client that didn't wait, in milliseconds; a response takes that long to arrive. */
const stillMs = 50

/** Returns whether a client may have waited by a sleep that a test replaced and that moves no clock. */
function isMaybeStubbed(former: RequestFacts, next: RequestFacts): boolean {
  return next.client.isInProcess && next.at === former.endedAt && waitedMs(former, next) < stillMs
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
 *
 * @param isLater Returns whether a request came after another; by default `false` if a queue for one connection looks
 * the same.
 */
function repeatedBefore(
  next: RequestFacts,
  rejections: readonly RequestFacts[],
  isLater = isFollowing,
): readonly RequestFacts[] {
  const alike = rejections.filter((one) => isSame(one, next) && isLater(one, next))
  return alike.length < byChance ? [] : alike.slice(0, 1 - byChance)
}

/** Innocent explanations of an early request, each with the severity and advice of the finding. */
const caveats = {
  /** Neither clock moved, so a test may have replaced the sleep of its client. */
  stubbed: {
    severity: 'info',
    advice:
      'If the tests replace the sleep, let them move the clock: sleep = (ms) => sandbox.clock.advance(ms). Otherwise wait as long as Retry-After says.',
  },
  /** The `Date` of the response was ahead; by a correct one, the client waited long enough. */
  skewed: {
    severity: 'warning',
    advice:
      'A Date may be ahead of the clock by which the service counts: wait for a date in Retry-After until your own clock has passed it, too, or take the longer of both waits.',
  },
  /** The client didn't pause between response and request. */
  queued: {
    severity: 'info',
    advice:
      'If the tests replace the sleep, let them move the clock: sleep = (ms) => sandbox.clock.advance(ms). Otherwise wait as long as Retry-After says, before you send the request again. This is only information, since requests that were sent together and wait in line for a single connection look the same.',
  },
} as const satisfies Record<string, Pick<Found, 'severity' | 'advice'>>

/** Describes how soon a request followed a rejection. */
function earlyText({ waitedMs: waited, doubt, rejection }: Early, rejected: string): string {
  const by = doubt === 'skewed' ? `, ${byDateText(rejection.retryAt, rejection)}` : ''
  return `${spanText(waited)} after ${rejected}; Retry-After said ${retryAfterText(rejection)}${by}`
}

/** Returns a clause about tries without any pause, as of a client whose sleep a test replaced; `''` for others. */
function stillText({ waitedMs: waited, doubt }: Early): string {
  if ((doubt !== 'queued' && doubt !== 'stubbed') || waited >= stillMs) return ''
  return `: ${noTimePassed}`
}

/** Describes how soon an instant was by a `Date` that was ahead. */
function byDateText(retryAt: number | undefined, { endedAt, dateAheadMs }: RequestFacts): string {
  const left = (retryAt ?? endedAt) - endedAt - dateAheadMs
  return `though only ${spanText(left)} after the response's Date, which was ${spanText(dateAheadMs)} ahead (gap dateHeaderSkew)`
}

/** Quotes `Retry-After` as it was sent; of an instant, how far away it was, too. */
function retryAfterText({
  retryAfter,
  retryAfterFormat,
  retryAt = 0,
  endedAt,
}: RequestFacts): string {
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

/** A wait that fits a wrong reading of `Retry-After`. */
interface Misreading {
  readonly requests: readonly [RequestFacts, RequestFacts]
  readonly isShort: boolean
  /** Number in `Retry-After`, in milliseconds. */
  readonly said: number
  readonly message: string
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
      const severity = found.isShort ? 'warning' : 'info'
      return { message: `${found.message}.`, requests: found.requests, severity }
    }
    isProved = before.isShort === found.isShort && areApart(before.said, found.said)
    if (!isProved) return undefined
    return {
      message: `${found.message}, after it had waited ${spanText(waitedMs(...before.requests))} when Retry-After said ${retryAfterText(before.requests[0])}.`,
      requests: [...before.requests, ...found.requests],
      severity: found.isShort ? 'error' : 'warning',
    }
  }
}

/** Whether two waits differ so much that no fixed pause explains both. */
function areApart(one: number, other: number): boolean {
  return Math.max(one, other) >= Math.min(one, other) * 1.2
}

function misreadingIn(next: RequestFacts): Misreading | undefined {
  const { previous: former } = next.client
  if (former?.retryAt === undefined || former.retryAfter === undefined) return undefined
  if (!isAfter(former, next) || isMaybeStubbed(former, next)) return undefined
  const { retryAfter, retryAfterFormat } = former
  const waited = waitedMs(former, next)
  const made = (said: number, isShort: boolean, what: string): Misreading => ({
    requests: [former, next],
    isShort,
    said,
    message: `Sent ${requestText(next)} again ${spanText(waited)} after it was rejected, ${what}: Retry-After said ${retryAfterText(former)}`,
  })
  if (retryAfterFormat === 'http-date' || retryAfterFormat === 'unix-time') {
    const isDate = retryAfterFormat === 'http-date'
    const at = isDate ? Date.parse(retryAfter) : Number(retryAfter) * 1000
    const isWait = isLongWait(waited, at) || isLongWait(waited, at / 1000)
    return isWait ? made(at, false, 'as if an instant were a wait') : undefined
  }
  const said = Number(retryAfter) * (retryAfterFormat === 'milliseconds' ? 1 : 1000)
  if (isShortWait(waited, said / 1000)) return made(said, true, 'a thousandth of the wait')
  if (isLongWait(waited, said * 1000)) return made(said, false, 'a thousand times the wait')
  return undefined
}

/** The shortest wait that is told from none, in milliseconds. */
const minWaitMs = 10

/** Whether a client waited for a time much shorter than it was told, but for what a timer and the network take. */
function isShortWait(waited: number, expected: number): boolean {
  // Timers may fire a millisecond early.
  return expected >= minWaitMs && waited >= expected - 1 && waited <= expected * 1.1 + 10
}

/** Whether a client waited for a time much longer than it was told, but for some jitter. */
function isLongWait(waited: number, expected: number): boolean {
  return expected >= 1_000 && waited >= expected - 1 && waited <= expected * 1.05 + 100
}

/** Number of rejections at once that exceeds any reasonable number of parallel requests. */
const burst = 10

/** Returns whether each request came over a connection of its own. */
function hasOneEach(requests: readonly RequestFacts[]): boolean {
  const connections = new Set(requests.map(({ timing }) => timing.connection))
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
  /** Whether all requests were sent before the client could know of the first rejection. */
  isBurst: boolean
  /** Whether no time passed before any request that was sent knowingly. */
  isStubbed: boolean
  /** Clause of the message if a `Date` that was ahead may explain the early requests; otherwise `''`. */
  byDate: string
}

const rejectionsLimit = 20

/** Detects bans that rejections caused, and not a control call, a magic key or a fault. */
function watchBans(check: (ban: Readonly<Rejections>) => Found | undefined): RuleState {
  let memory = noRejections()
  let isBanned = false
  return (next) => {
    const { code } = next
    if (code === undefined) {
      // A request that gets through ends the ban and the count of rejections before it.
      memory = noRejections()
      isBanned = false
    }
    const isRejected = code === 'rate_limit_exceeded' || code === 'key_banned'
    if (!isRejected || next.retryAt === undefined) return undefined
    memory = withRejection(memory, next)
    const wasBanned = isBanned
    isBanned = code === 'key_banned'
    return isBanned && !wasBanned && memory.count > 1 ? check(memory) : undefined
  }
}

function noRejections(): Rejections {
  return { rejections: [], count: 0, knowing: 0, isBurst: true, isStubbed: false, byDate: '' }
}

/** Adds a rejection; starts a new count if the client has waited as long as earlier ones required. */
function withRejection(before: Rejections, next: RequestFacts): Rejections {
  const early = before.rejections.filter(
    (one) => one.retryAt !== undefined && isBefore(one.retryAt, one, next),
  )
  const all = early.length === 0 ? noRejections() : before
  const former = early.findLast((one) => isAfter(one, next)) ?? repeatedBefore(next, early).at(-1)
  const isByDate = early.some((one) => doubtAfter(one, next) === 'skewed')
  return {
    rejections: [...all.rejections.slice(0, rejectionsLimit - 1), next],
    count: all.count + 1,
    knowing: all.knowing + (former === undefined ? 0 : 1),
    isBurst: all.isBurst && former === undefined,
    isStubbed:
      former === undefined
        ? all.isStubbed
        : (all.isStubbed || all.knowing === 0) && isMaybeStubbed(former, next),
    byDate: isByDate ? '; the Date of a response was ahead (gap dateHeaderSkew)' : all.byDate,
  }
}

function watchSpentLastAndWentOn(): RuleState {
  /** Latest response with nothing remaining. */
  let last: RequestFacts | undefined
  return (next) => {
    const { code, quota } = next
    if (code === undefined) {
      if (quota.remaining === 0 && next.timing.delivery === 'delivered') last = next
      return undefined
    }
    if (code !== 'rate_limit_exceeded' || next.retryAt === undefined) return undefined
    if (last === undefined || last.quota.window !== quota.window) return undefined
    const { resetAt } = last.quota
    if (!isAfter(last, next) || !isBefore(resetAt, last, next)) return undefined
    const former = last
    last = undefined
    const by = isByDate(resetAt, former, next) ? `, ${byDateText(resetAt, former)}` : ''
    return {
      message: `Sent ${requestText(next)} ${spanText(waitedMs(former, next))} after a response with X-RateLimit-Remaining: 0, whose reset was ${spanText(resetAt - former.endedAt)} away${by}: it could only be rejected.`,
      requests: [former, next],
    }
  }
}
