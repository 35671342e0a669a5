import { isRecord } from '../../mock/input/record.ts'
import { spanText } from '../../mock/input/values.ts'
import type { LoggedRequest } from '../../mock/log/logged-request.ts'
import { jsonIn } from '../../mock/spec/json.ts'
import { type RequestFacts, requestText } from './facts.ts'
import { nestedRetries } from './nested-retries.ts'
import {
  isFollowing,
  isLost,
  isOutage,
  isPaced,
  isSame,
  pausesOf,
  retryMs,
} from './request-relations.ts'
import type { Found, Rule, RuleState } from './rule.ts'

/** The rules on trying again. */
export const retryingRules = {
  'no-backoff': {
    severity: 'warning',
    source: "spec 8.2; AWS Builders' Library, Timeouts, retries and backoff with jitter",
    summary:
      'A failing request was tried five times at the same interval, and never sooner: no backoff.',
    advice:
      'Lengthen the pause between tries: double it each time, for instance, and add some jitter.',
    requiresWarning: true,
    createState: watchFixedIntervalRetries,
  },
  'endless-retries': {
    severity: 'warning',
    source: 'GitHub REST API, Best practices; RFC 9110, 9.2.2',
    summary: 'A failing request was tried ten times without success.',
    advice: 'Give up after a few tries, and tell the user, or whatever else waits for the answer.',
    requiresWarning: true,
    createState: () => judgeEndlessRetries,
  },
  'nested-retries': nestedRetries,
  'retried-permanent-error': {
    severity: 'warning',
    source: 'spec 7; Google AIP-194',
    summary:
      'The same request was sent three times and got the same refusal each time; with 401 and pauses of at most ten seconds, this is an error.',
    advice:
      'Sending the same request again gets the same refusal: correct the request, or the key, as the message says.',
    requiresWarning: true,
    createState: () => judgeHopelessRetry,
  },
  'duplicate-create': {
    severity: 'error',
    source: 'spec 4.2; RFC 9110, 9.2.2',
    summary:
      'A pet was sent again after its first answer was lost, and was added twice; if the client had looked for it, but the list was late, this is a warning.',
    advice:
      'After a lost or broken answer to POST /pets, check with GET /pets whether the pet was added before you send it again: several times, as the list may show it later.',
    requiresWarning: true,
    needsOneTask: 'two of its tasks may add the same pet',
    createState: () =>
      watchUnsureCreates((first, again) => {
        if (first.petId === undefined || again.petId === undefined) return undefined
        if (hasLooked(first)) {
          if (!first.isListedLate) return undefined
          const message = `The pet was added twice, as ${first.petId} and ${again.petId}: ${lostText(first)}, and GET /pets did not list it yet (gap newPetListed).`
          return { message, severity: 'warning' }
        }
        return {
          message: `The pet was added twice, as ${first.petId} and ${again.petId}: ${lostText(first)}, but it had already been added.`,
        }
      }),
  },
  'unsafe-create-retry': {
    severity: 'warning',
    source: 'spec 4.2; RFC 9110, 9.2.2',
    summary:
      'A pet was sent again after its first answer was lost; only by luck was it not added twice.',
    advice:
      'After a 5xx or a lost answer to POST /pets, check with GET /pets whether the pet was added before you send it again: several times, as the list may show it later.',
    requiresWarning: true,
    needsOneTask: 'two of its tasks may add the same pet',
    createState: () =>
      watchUnsureCreates((first, again) => {
        if (first.petId !== undefined && again.petId !== undefined) return undefined
        if (hasLooked(first)) return undefined
        return {
          message: `Sent POST /pets again without checking whether the pet was added: ${lostText(first)}, so it may have been.`,
        }
      }),
  },
} as const satisfies Record<string, Rule>

/** How many tries in a row tell an interval. */
const intervalTries = 5

/** How far intervals may differ from their mean and still be the same. */
const tolerance = 0.05

function watchFixedIntervalRetries(): RuleState {
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
      message: `Tried ${requestText(next)} ${intervalTries} times, each ${spanText(mean)} after the last failure: no backoff.`,
      requests: list,
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
    message: `Tried ${requestText(next)} ${count} times; every earlier try had failed.`,
    requests: tries,
    ...(isSure
      ? {}
      : { caveat: 'several parts of a client that retry independently look the same' }),
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
  const requests = [...same, next]
  const pauseMs = Math.max(...pausesOf(requests))
  const isLooking = status === 404 && next.operation === 'getPet' && pauseMs > quickMs
  if (isLooking || pauseMs > retryMs) return undefined
  return {
    message: `Sent ${requestText(next)} ${mostRefusals} times, and got ${status} each time${messageOf(exchange)}.`,
    requests,
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
  if (visit.delivery === 'aborted') return 'the client gave up before the first answer'
  if (status === undefined || visit.delivery !== 'delivered') return 'the first answer was lost'
  return isMalformed ? 'the first answer was not valid JSON' : `the first answer was ${status}`
}

/** How many requests to add a pet are kept for each client. */
const keptCreates = 32

/** Watches for pets that are sent again without a look whether they are there; judges with a verdict, if any. */
function watchUnsureCreates(
  judge: (
    first: RequestFacts,
    again: RequestFacts,
  ) => Pick<Found, 'message' | 'severity'> | undefined,
): RuleState {
  let creates: readonly RequestFacts[] = []
  return (next) => {
    if (next.operation !== 'createPet') return undefined
    const first = creates.findLast((one) => isSame(one, next) && isFollowing(one, next))
    const others = creates.filter((one) => one !== first)
    creates = isUnsure(next) ? [...others, next].slice(-keptCreates) : others
    if (first === undefined || !isUnsure(first)) return undefined
    const found = judge(first, next)
    return found === undefined ? undefined : { ...found, requests: [first, next] }
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
