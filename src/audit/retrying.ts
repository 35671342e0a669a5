import { jsonIn } from '../contract/json.ts'
import { definedOf, isRecord } from '../input/record.ts'
import { spanText } from '../input/values.ts'
import type { LoggedRequest } from '../log/logged-request.ts'
import {
  intervalBetween,
  isAfter,
  isFollowing,
  isInLine,
  isLost,
  isOutage,
  isPaced,
  isSame,
  pausesOf,
  pollMs,
  type RequestFacts,
  requestText,
  retryMs,
} from './facts.ts'
import type { Found, Rule, Watch } from './rule.ts'

/** The rules on trying again. */
export const retryingRules = {
  'fixed-interval-retries': {
    severity: 'warning',
    clause: "spec 8.2; AWS Builders' Library, Timeouts, retries and backoff with jitter",
    about:
      'A failing request was tried five times at the same interval, and never sooner: no backoff.',
    advice:
      'Lengthen the pause between tries: double it each time, for instance, and add some jitter.',
    needsKnowledge: true,
    watch: watchFixedIntervalRetries,
  },
  'endless-retries': {
    severity: 'warning',
    clause: 'GitHub REST API, Best practices; RFC 9110, 9.2.2',
    about: 'A failing request was tried ten times without success.',
    advice: 'Give up after a few tries, and tell the user, or whatever else waits for the answer.',
    needsKnowledge: true,
    watch: () => judgeEndlessRetries,
  },
  'nested-retries': {
    severity: 'warning',
    clause:
      'Google SRE Book, Addressing Cascading Failures; as in github.com/NousResearch/hermes-agent/pull/53918',
    about:
      'A failing request was retried in three groups or more: a library retries inside a loop that also retries.',
    advice:
      'Retry in one place: set the number of retries of the library to 0, or remove the loop around it. Together they multiply.',
    needsKnowledge: true,
    watch: watchNestedRetries,
  },
  'hopeless-retry': {
    severity: 'warning',
    clause: 'spec 7; Google AIP-194',
    about:
      'The same request was sent three times and got the same refusal each time; with 401 and pauses of at most ten seconds, this is an error.',
    advice:
      'Sending the same request again gets the same refusal: correct the request, or the key, as the message says.',
    needsKnowledge: true,
    watch: () => judgeHopelessRetry,
  },
  'unsafe-retry-duplicated': {
    severity: 'error',
    clause: 'spec 4.2; RFC 9110, 9.2.2',
    about: 'A pet was sent again after its first answer was lost, and was added twice.',
    advice:
      'After a lost or broken answer to POST /pets, check with GET /pets whether the pet was added before you send it again.',
    needsKnowledge: true,
    needsOneTask: true,
    watch: () =>
      watchUnsureCreates((first, again) => {
        if (first.petId === undefined || again.petId === undefined) return undefined
        return `The pet was added twice, as ${first.petId} and ${again.petId}: ${lostText(first)}, the pet was not.`
      }),
  },
  'unsafe-retry': {
    severity: 'warning',
    clause: 'spec 4.2; RFC 9110, 9.2.2',
    about:
      'A pet was sent again after its first answer was lost; only by luck was it not added twice.',
    advice:
      'After a 5xx or a lost answer to POST /pets, check with GET /pets whether the pet was added before you send it again.',
    needsKnowledge: true,
    needsOneTask: true,
    watch: () =>
      watchUnsureCreates((first, again) => {
        if (first.petId !== undefined && again.petId !== undefined) return undefined
        return `Sent POST /pets again without checking whether the pet was added: ${lostText(first)}, so it may have been.`
      }),
  },
} as const satisfies Record<string, Rule>

/** How many tries in a row tell an interval. */
const intervalTries = 5

/** How far intervals may differ from their mean and still be the same. */
const tolerance = 0.05

function watchFixedIntervalRetries(): Watch {
  const told = new WeakSet<RequestFacts>()
  return (next) => {
    const { tries } = next.client
    if (tries === undefined || tries.list.length < intervalTries - 1) return undefined
    const before = tries.list.slice(1 - intervalTries)
    const list = [...before, next]
    if (!before.every(isOutage) || before.some((one) => told.has(one))) return undefined
    const pauses = pausesOf(list)
    const mean = pauses.reduce((sum, pause) => sum + pause, 0) / pauses.length
    if (mean < 1 || mean > retryMs) return undefined
    if (pauses.some((pause) => Math.abs(pause - mean) > mean * tolerance)) return undefined
    // The same pause again and again is where a backoff ends that is capped.
    if (tries.shortestPauseMs < mean * (1 - tolerance)) return undefined
    if (before.some((one, index) => isPaced(one, list[index + 1] ?? next))) return undefined
    told.add(next)
    return {
      verdict: `Tried ${requestText(next)} ${intervalTries} times, each ${spanText(mean)} after the last failure: no backoff.`,
      exchanges: list,
    }
  }
}

/** How many tries are too many. */
const mostTries = 10

/** How many are too many even for several parts of a client that try independently. */
const mostTogether = 50

function judgeEndlessRetries(next: RequestFacts): Found | undefined {
  const { tries: before } = next.client
  const count = before === undefined ? 1 : before.count + 1
  if (before === undefined || (count !== mostTries && count !== mostTogether)) return undefined
  const tries = [...before.list, next]
  const pauses = pausesOf(tries)
  if (pauses.some((pause) => pause > retryMs) || !before.list.every(isOutage)) return undefined
  const isSure = count === mostTogether || isOfOneLoop(pauses)
  return {
    verdict: `Tried ${requestText(next)} ${count} times; every earlier try had failed.`,
    exchanges: tries,
    ...(isSure
      ? {}
      : { doubt: 'several parts of a client that retry independently look the same' }),
  }
}

/** Whether pauses may be those of a single loop with a backoff: they grow, or stay, but for some jitter. */
function isOfOneLoop(pauses: readonly number[]): boolean {
  let longest = 0
  for (const pause of pauses) {
    if (pause * 1.5 < longest) return false
    longest = Math.max(longest, pause)
  }
  return true
}

/** How many groups tell a habit. */
const groups = 3

/** How many tries of a request are kept: the largest group has a third of them. */
const keptTries = 30

/** How many failing requests are kept for each client. */
const keptFailing = 8

/** How many times shorter pauses within a group are than those between, unless each group repeats the same pauses. */
const times = 5

/** How far the same pause may differ between groups that repeat each other: by this factor, and by this in milliseconds. */
const alike = { factor: 1.25, ms: 20 }

/** The longest pause between groups that no person makes, who tries again by hand. */
const byHandMs = 10_000

/** How often a poll asks at most whose turns might be the groups. */
const fastPollMs = 3_000

/** A request that failed, and came again and again. */
interface Chain {
  tries: RequestFacts[]
  /** Whether it is told already, be it as information. */
  told: 'warning' | 'info' | undefined
}

/** Groups of tries, all of the same size, and the pauses in and between them, in milliseconds. */
interface Groups {
  readonly tries: readonly RequestFacts[]
  readonly size: number
  readonly within: readonly number[]
  readonly between: readonly number[]
}

function watchNestedRetries(): Watch {
  let chains: readonly Chain[] = []
  return (next) => {
    const hasFailed = isOutage(next)
    const known = chains.find(({ tries: [first] }) => first && isSame(first, next))
    if (known === undefined && !hasFailed) return undefined
    const chain: Chain = known ?? { tries: [], told: undefined }
    const others = chains.filter((one) => one !== known)
    chains = hasFailed ? [...others, chain].slice(-keptFailing) : others
    if (!isNextTry(chain.tries.at(-1), next)) {
      chain.tries = []
      chain.told = undefined
    }
    chain.tries = [...chain.tries, next].slice(-keptTries)
    const found = chain.told === 'warning' ? undefined : groupsAtEnd(chain.tries)
    const doubt = found === undefined ? undefined : doubtOfGroups(found)
    if (found === undefined || (doubt !== undefined && chain.told === 'info')) return undefined
    chain.told = doubt === undefined ? 'warning' : 'info'
    return { verdict: textOfGroups(next, found), exchanges: found.tries, ...definedOf({ doubt }) }
  }
}

/** Whether a request is a try again, and not the turn of a poll, or one of many at once. */
function isNextTry(last: RequestFacts | undefined, next: RequestFacts): boolean {
  if (last === undefined || !isInLine(last, next)) return false
  const [pause = 0] = pausesOf([last, next])
  return pause <= retryMs
}

/** The groups of tries with which a row of them ends; `undefined` if there are none. */
function groupsAtEnd(all: readonly RequestFacts[]): Groups | undefined {
  for (let size = 2; size * groups <= all.length; size++) {
    const tries = all.slice(-size * groups)
    const pauses = pausesOf(tries)
    const isBetween = (place: number): boolean => place % size === size - 1
    const within = pauses.filter((_, place) => !isBetween(place))
    const between = pauses.filter((_, place) => isBetween(place))
    const found = { tries, size, within, between }
    // What comes without a longer pause before is the rest of a larger group.
    const before = pausesOf(all).at(-size * groups) ?? Number.POSITIVE_INFINITY
    if (before > Math.max(...within) && areApart(found) && areKnown(found)) return found
  }
  return undefined
}

/** Whether the pauses are those of a loop in a loop, and not of one whose pauses grow or vary. */
function areApart({ size, within, between }: Groups): boolean {
  const [longest, shortest] = [Math.max(...within), Math.min(...between)]
  if (shortest < pollMs) return false
  const isRepeating = within.every((pause, place) => {
    const first = within[place % (size - 1)] ?? pause
    return Math.abs(pause - first) <= Math.min(pause, first) * (alike.factor - 1) + alike.ms
  })
  if (longest * times <= shortest) return isRepeating || size > 2
  const isStartingAnew = within.every((pause, place) => {
    return place % (size - 1) > 0 || pause * 2 <= shortest
  })
  return size > 2 && isRepeating && isStartingAnew && longest * 1.1 <= shortest
}

/** Whether the client knew at the start of each group that the one before had failed. */
function areKnown({ tries, size }: Groups): boolean {
  return tries.every((one, place) => {
    const former = place % size === 0 ? tries[place - 1] : undefined
    return former === undefined || isAfter(former, one)
  })
}

/** What else may be behind groups of tries. */
function doubtOfGroups({ tries, size, between }: Groups): string | undefined {
  const starts = tries.filter((_, place) => place % size === 0)
  const cadence = starts.slice(1).map((one, index) => intervalBetween(starts[index] ?? one, one))
  const [least, most] = [Math.min(...cadence), Math.max(...cadence)]
  if (most > fastPollMs && most <= least * 1.1) return 'a poll whose turns retry looks the same'
  if (Math.max(...between) > byHandMs) return 'a person who tries again looks the same'
  const isQueue = starts.some((_, place) => {
    const group = tries.slice(place * size, (place + 1) * size)
    return group.slice(1).every((one, index) => !isRetry(group[index] ?? one, one))
  })
  if (isQueue) return 'several parts of a client that send the same look like it'
  return size === 2 ? 'two parts of a client that retry independently look the same' : undefined
}

/** Whether a try is one after another, and not one of several that were sent together. */
function isRetry(former: RequestFacts, next: RequestFacts): boolean {
  return isAfter(former, next) || (!next.client.isInProcess && isFollowing(former, next))
}

function textOfGroups(next: RequestFacts, { size, within, between, tries }: Groups): string {
  const [longest, shortest] = [Math.max(...within), Math.min(...between)]
  return `Tried ${requestText(next)} ${tries.length} times, ${groups} × ${size}: ${groups} groups of ${size} tries, at most ${spanText(longest)} apart, with ${spanText(shortest)} or more between groups.`
}

/** How many times of the same refusal are too many. */
const mostRefusals = 3

/** The statuses that the same request gets again, whenever it is sent. */
const hopeless: readonly (number | undefined)[] = [400, 401, 404, 405, 410, 413, 415, 501]

/**
 * The longest pause after which nobody but the client itself sends a request again: after a longer one it may be a person
 * who opens a page once more, or somebody who looks now and then for a pet, which others may add.
 */
const quickMs = 10_000

function judgeHopelessRetry(next: RequestFacts, exchange: LoggedRequest): Found | undefined {
  const { arrivedStatus: status, client } = next
  if (!hopeless.includes(status)) return undefined
  const before = client.tries?.list
  // Told at the third try, and not again at each further one.
  if (before === undefined || before.at(-mostRefusals)?.arrivedStatus === status) {
    return undefined
  }
  const same = before.slice(1 - mostRefusals)
  const [first] = same
  if (first === undefined || same.length < mostRefusals - 1) return undefined
  if (same.some((one) => one.arrivedStatus !== status)) return undefined
  // A new pet may be the one that was missing.
  if (status === 404 && client.all.lastPetOrder > first.visit.startOrder) return undefined
  const exchanges = [...same, next]
  const pauseMs = Math.max(...pausesOf(exchanges))
  const isLooking = status === 404 && next.operation === 'getPet' && pauseMs > quickMs
  if (isLooking || pauseMs > retryMs) return undefined
  return {
    verdict: `Sent ${requestText(next)} ${mostRefusals} times, and got ${status} each time${messageOf(exchange)}.`,
    exchanges,
    ...(status === 401 && pauseMs <= quickMs ? { severity: 'error' } : {}),
  }
}

/** The message of a refusal, after a colon; of the reply to a HEAD, only the journal has it. */
function messageOf({ outcome, refusal }: LoggedRequest): string {
  const sent = 'body' in outcome ? jsonIn(outcome.body) : undefined
  const message =
    isRecord(sent) && typeof sent.message === 'string' ? sent.message : refusal?.message
  return message === undefined ? '' : `: ${message}`
}

/** Tells what became of the first answer. */
function lostText({ status, isMalformed, visit }: RequestFacts): string {
  if (visit.delivery === 'left') return 'the client gave up before the first answer'
  if (status === undefined || visit.delivery !== 'delivered') return 'the first answer was lost'
  return isMalformed ? 'the first answer was not valid JSON' : `the first answer was ${status}`
}

/** How many requests to add a pet are kept for each client. */
const keptCreates = 32

/** Watches for pets that are sent again without a look whether they are there; judges with a verdict, if any. */
function watchUnsureCreates(
  judge: (first: RequestFacts, again: RequestFacts) => string | undefined,
): Watch {
  let creates: readonly RequestFacts[] = []
  return (next) => {
    if (next.operation !== 'createPet') return undefined
    const first = creates.findLast((one) => isSame(one, next) && isFollowing(one, next))
    const others = creates.filter((one) => one !== first)
    creates = isUnsure(next) ? [...others, next].slice(-keptCreates) : others
    if (first === undefined || !isUnsure(first) || hasLooked(first)) return undefined
    const verdict = judge(first, next)
    return verdict === undefined ? undefined : { verdict, exchanges: [first, next] }
  }
}

/** Whether the client has looked since what pets there are, over whichever connection. */
function hasLooked({ client, visit }: RequestFacts): boolean {
  return client.keyUse.lastLookOrder > (visit.answerOrder ?? 0)
}

/** Whether a client can't know what became of a request; a refusal, and one that says when to come back, had no effect. */
function isUnsure(facts: RequestFacts): boolean {
  return facts.retryAt === undefined && isLost(facts)
}
