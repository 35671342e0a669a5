import { definedOf } from '../../mock/input/record.ts'
import { spanText } from '../../mock/input/values.ts'
import { type RequestFacts, requestText } from './facts.ts'
import {
  intervalBetween,
  isAfter,
  isFollowing,
  isInLine,
  isOutage,
  isSame,
  pausesOf,
  pollMs,
  retryMs,
} from './request-relations.ts'
import type { Rule, RuleState } from './rule.ts'

/** Rule about a library that retries inside a loop that also retries. */
export const nestedRetries = {
  severity: 'warning',
  source:
    'Google SRE Book, Addressing Cascading Failures; as in github.com/NousResearch/hermes-agent/pull/53918',
  summary:
    'A failing request was retried in three groups or more: a library retries inside a loop that also retries.',
  advice:
    'Retry in one place: set the number of retries of the library to 0, or remove the loop around it. Together they multiply.',
  requiresWarning: true,
  createState: watchNestedRetries,
} as const satisfies Rule

/** Bounds, each with the trace that determined it. */
const bounds = {
  /** Number of groups in a finding: axios-retry in p-retry with two retries produces no more. */
  groups: 3,
  /** Maximum number of tries kept per request: four groups of ten, as from axios-retry with nine retries. */
  keptTries: 40,
  /** Maximum number of failing requests kept per client. */
  keptFailing: 8,
  /** Minimum factor from pauses within groups to pauses between groups: urllib3's 0.2 s inside tenacity's 1 s. */
  timesApart: 5,
  /** The same factor for groups that repeat the same pauses: ky's 0.3 s and 0.6 s inside TanStack Query's 1 s. */
  timesApartRepeating: 1.1,
  /** Maximum difference between the same pauses of two groups: exponentialDelay of axios-retry adds 20 % of jitter. */
  alike: { factor: 1.25, ms: 20 },
  /** Maximum factor between equal pauses of a loop: timers on a loaded machine are late by less. */
  samePauses: 1.05,
  /**
   * Number of equal pauses that prove a loop: in a poll with 25 % of jitter, eight are equal once in 1,000,000 outages.
   */
  equalPauses: 8,
  /** Number of growing pauses that prove a loop: p-retry and TanStack Query with three retries produce no more. */
  growingPauses: 3,
  /** Minimum growth of a loop's pauses from first to last: a person's, of 4 to 9 s, grow by 2.25 at most. */
  growth: 3,
  /** Maximum ratio between growth factors of pauses that a person could also make: a loop's are 2 and 2. */
  sameFactors: 1.1,
  /** Minimum pause in which a person notices a failure and tries again, in milliseconds. */
  personMs: 2_000,
  /** Maximum pause between groups, in milliseconds: longer ones may be a person who retries by hand. */
  byHandMs: 10_000,
  /** Maximum interval between groups, in milliseconds: longer regular ones may be poll cycles. */
  fastPollMs: 3_000,
} as const

/** A failing request and its tries. */
interface Chain {
  tries: RequestFacts[]
  /** Severity of the finding; `undefined` before one is reported. */
  reportedAs: 'warning' | 'info' | undefined
}

/** Groups of tries of equal size, and the pauses within and between them, in milliseconds. */
interface Groups {
  readonly tries: readonly RequestFacts[]
  readonly size: number
  readonly within: readonly number[]
  readonly between: readonly number[]
}

function watchNestedRetries(): RuleState {
  let chains: readonly Chain[] = []
  return (next) => {
    const hasFailed = isOutage(next)
    const known = chains.find(({ tries: [first] }) => first && isSame(first, next))
    if (known === undefined && !hasFailed) return undefined
    const chain: Chain = known ?? { tries: [], reportedAs: undefined }
    const others = chains.filter((one) => one !== known)
    chains = hasFailed ? [...others, chain].slice(-bounds.keptFailing) : others
    if (!isNextTry(chain.tries.at(-1), next)) {
      chain.tries = []
      chain.reportedAs = undefined
    }
    chain.tries = [...chain.tries, next].slice(-bounds.keptTries)
    if (chain.reportedAs === 'warning') return undefined
    const found = groupsAtEnd(chain.tries)
    if (found === undefined) return undefined
    const proved = provedGroups(chain.tries, found.size)
    const doubt = doubtOfGroups(proved ?? found, proved !== undefined)
    if (doubt !== undefined && chain.reportedAs === 'info') return undefined
    chain.reportedAs = doubt === undefined ? 'warning' : 'info'
    const shown = doubt === undefined ? (proved ?? found) : found
    return {
      message: textOfGroups(next, shown),
      requests: shown.tries,
      ...definedOf({ caveat: doubt }),
    }
  }
}

/** Returns whether a request is a retry, and not a poll cycle or one of many parallel requests. */
function isNextTry(last: RequestFacts | undefined, next: RequestFacts): boolean {
  if (last === undefined || !isInLine(last, next)) return false
  const [pause = 0] = pausesOf([last, next])
  return pause <= retryMs
}

/** Returns the groups at the end of a sequence of tries; `undefined` if it doesn't end in groups. */
function groupsAtEnd(all: readonly RequestFacts[]): Groups | undefined {
  for (let size = 2; size * bounds.groups <= all.length; size++) {
    const found = groupsOf(all.slice(-size * bounds.groups), size)
    // Tries without a longer pause before them are the rest of a larger group.
    const before = pausesOf(all).at(-size * bounds.groups) ?? Number.POSITIVE_INFINITY
    if (before > Math.max(...found.within) && areApart(found) && areKnown(found)) return found
  }
  return undefined
}

function groupsOf(tries: readonly RequestFacts[], size: number): Groups {
  const pauses = pausesOf(tries)
  const isBetween = (place: number): boolean => place % size === size - 1
  return {
    tries,
    size,
    within: pauses.filter((_, place) => !isBetween(place)),
    between: pauses.filter((_, place) => isBetween(place)),
  }
}

/**
 * Returns all groups of a sequence of tries, if the pauses between them are those of a loop. The groups start at the
 * first try, so that a long sequence isn't more likely to look like a loop.
 */
function provedGroups(all: readonly RequestFacts[], size: number): Groups | undefined {
  if (all.length % size !== 0) return undefined
  const found = groupsOf(all, size)
  const isLoop = areEqual(found.between) || areGrowing(found.between)
  return isLoop && areApart(found) && areKnown(found) ? found : undefined
}

function areEqual(pauses: readonly number[]): boolean {
  return (
    pauses.length >= bounds.equalPauses &&
    Math.max(...pauses) <= Math.min(...pauses) * bounds.samePauses
  )
}

/** Returns whether pauses grow up to a maximum; by a constant factor if a person could have made them. */
function areGrowing(pauses: readonly number[]): boolean {
  const [first = 0] = pauses
  const longest = Math.max(...pauses)
  if (pauses.length < bounds.growingPauses || longest < first * bounds.growth) return false
  const factors = pauses.slice(1).map((pause, place) => pause / (pauses[place] ?? pause))
  if (first < bounds.personMs) return factors.every((factor) => factor * bounds.samePauses >= 1)
  return Math.max(...factors) <= Math.min(...factors) * bounds.sameFactors
}

/** Returns whether the pauses are those of a nested loop, and not of one loop whose pauses grow or vary. */
function areApart({ size, within, between }: Groups): boolean {
  const { alike, timesApart, timesApartRepeating } = bounds
  const [longest, shortest] = [Math.max(...within), Math.min(...between)]
  if (shortest < pollMs) return false
  const isRepeating = within.every((pause, place) => {
    const first = within[place % (size - 1)] ?? pause
    return Math.abs(pause - first) <= Math.min(pause, first) * (alike.factor - 1) + alike.ms
  })
  if (longest * timesApart <= shortest) return isRepeating || size > 2
  const isStartingAnew = within.every((pause, place) => {
    return place % (size - 1) > 0 || pause * 2 <= shortest
  })
  return size > 2 && isRepeating && isStartingAnew && longest * timesApartRepeating <= shortest
}

/** Returns whether the client knew at the start of each group that the previous one had failed. */
function areKnown({ tries, size }: Groups): boolean {
  return tries.every((one, place) => {
    const former = place % size === 0 ? tries[place - 1] : undefined
    return former === undefined || isAfter(former, one)
  })
}

/** Returns another explanation for groups of tries; `undefined` if a nested loop is certain. */
function doubtOfGroups({ tries, size, between }: Groups, isProved: boolean): string | undefined {
  const starts = tries.filter((_, place) => place % size === 0)
  const cadence = starts.slice(1).map((one, index) => intervalBetween(starts[index] ?? one, one))
  const [least, most] = [Math.min(...cadence), Math.max(...cadence)]
  if (most > bounds.fastPollMs && most <= least * 1.1) {
    return 'a poll whose turns retry looks the same'
  }
  if (Math.max(...between) > bounds.byHandMs) return 'a person who tries again looks the same'
  const isQueue = starts.some((_, place) => {
    const group = tries.slice(place * size, (place + 1) * size)
    return group.slice(1).every((one, index) => !isRetry(group[index] ?? one, one))
  })
  if (isQueue) return 'several parts of a client that send the same look like it'
  if (size === 2) return 'two parts of a client that retry independently look the same'
  return isProved
    ? undefined
    : 'the pauses between the groups neither grow nor stay the same for long enough: a poll, a person who tries again, and tests one after another look the same'
}

/** Returns whether a try followed the failure of another one, and wasn't sent together with it. */
function isRetry(former: RequestFacts, next: RequestFacts): boolean {
  return isAfter(former, next) || (!next.client.isInProcess && isFollowing(former, next))
}

function textOfGroups(next: RequestFacts, { size, within, between, tries }: Groups): string {
  const [longest, shortest] = [Math.max(...within), Math.min(...between)]
  const groups = tries.length / size
  return `Tried ${requestText(next)} ${tries.length} times, ${groups} × ${size}: ${groups} groups of ${size} tries, at most ${spanText(longest)} apart, with ${spanText(shortest)} or more between groups.`
}
