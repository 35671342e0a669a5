import { jsonIn } from '../../mock/api/json.ts'
import { isRecord } from '../../mock/input/record.ts'
import { spanText } from '../../mock/input/values.ts'
import { operationText, type RequestFacts } from './facts.ts'
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

/** Rules about retries. */
export const retryingRules = {
  'no-backoff': {
    severity: 'warning',
    source: "spec 8.2; AWS Builders' Library, Timeouts, retries and backoff with jitter",
    summary:
      'A failing request was tried five times at the same interval, and never sooner: no backoff.',
    advice: 'Lengthen the pause between tries: double it each time, and add some jitter.',
    requiresWarning: true,
    createState: watchFixedIntervalRetries,
  },
  'endless-retries': {
    severity: 'warning',
    source: 'GitHub REST API, Best practices; RFC 9110, 9.2.2',
    summary: 'A failing request was tried ten times without success.',
    advice: 'Give up after a few tries, and report the failure to the user, or to your code.',
    requiresWarning: true,
    createState: () => checkEndlessRetries,
  },
  'retried-permanent-error': {
    severity: 'warning',
    source: 'spec 7; Google AIP-194',
    summary:
      'The same request was sent three times and got the same error each time; an error with 401 and pauses of at most ten seconds.',
    advice:
      'Correct the request, or the key, as the message says; the same request gets the same error again.',
    requiresWarning: true,
    createState: () => checkHopelessRetry,
  },
  'duplicate-create': {
    severity: 'error',
    source: 'spec 4.2; RFC 9110, 9.2.2',
    summary:
      'A pet was sent again after the first response was lost, and was created twice; a warning if the client had looked for it in a late list.',
    advice:
      'After a lost or broken response to POST /pets, look for the pet with GET /pets before you send it again: several times, as the list may be late.',
    requiresWarning: true,
    needsOneTask: 'two of its tasks may add the same pet',
    createState: () =>
      watchUnsureCreates((first, again) => {
        if (first.result.petId === undefined || again.result.petId === undefined) return undefined
        if (hasLooked(first)) {
          if (first.result.gaps.newPetListed === 'at-once') return undefined
          const message = `The pet was added twice, as ${first.result.petId} and ${again.result.petId}: ${lostText(first)}, and GET /pets did not list it yet (gap newPetListed).`
          return { message, severity: 'warning' }
        }
        return {
          message: `The pet was added twice, as ${first.result.petId} and ${again.result.petId}: ${lostText(first)}, but it had already been added.`,
        }
      }),
  },
  'unsafe-create-retry': {
    severity: 'warning',
    source: 'spec 4.2; RFC 9110, 9.2.2',
    summary:
      'A pet was sent again after the first response was lost; only by luck was it not created twice.',
    advice:
      'After a 5xx or a lost response to POST /pets, look for the pet with GET /pets before you send it again: several times, as the list may be late.',
    requiresWarning: true,
    needsOneTask: 'two of its tasks may add the same pet',
    createState: () =>
      watchUnsureCreates((first, again) => {
        if (first.result.petId !== undefined && again.result.petId !== undefined) return undefined
        if (hasLooked(first)) return undefined
        return {
          message: `Sent POST /pets again without checking whether the pet was added: ${lostText(first)}, so it may have been.`,
        }
      }),
  },
} as const satisfies Record<string, Rule>

/** Number of consecutive tries that show a fixed interval. */
const intervalTries = 5

/** Maximum deviation of equal intervals from their mean, as a fraction of it. */
const tolerance = 0.05

function watchFixedIntervalRetries(): RuleState {
  const reported = new WeakSet<RequestFacts>()
  return (next) => {
    const { tries } = next.client
    if (tries === undefined || tries.list.length < intervalTries - 1) return undefined
    const before = tries.list.slice(1 - intervalTries)
    const list = [...before, next]
    if (!before.every(isOutage) || before.some((one) => reported.has(one))) return undefined
    const pauses = pausesOf(list)
    const mean = pauses.reduce((sum, pause) => sum + pause, 0) / pauses.length
    if (mean < 1 || mean > retryMs) return undefined
    if (pauses.some((pause) => Math.abs(pause - mean) > mean * tolerance)) return undefined
    // A capped backoff ends in equal pauses.
    if (tries.shortestPauseMs < mean * (1 - tolerance)) return undefined
    if (before.some((one, index) => isPaced(one, list[index + 1] ?? next))) return undefined
    reported.add(next)
    return {
      message: `Tried ${operationText(next.logged)} ${intervalTries} times, each ${spanText(mean)} after the last failure: no backoff.`,
      requests: list,
    }
  }
}

/** Number of tries that is too many. */
export const maxTries = 10

/** Number of tries that is too many even for several parts of a client that retry independently. */
const maxTogether = 50

function checkEndlessRetries(next: RequestFacts): Found | undefined {
  const { tries: before } = next.client
  const count = before === undefined ? 1 : before.count + 1
  if (before === undefined || (count !== maxTries && count !== maxTogether)) return undefined
  const tries = [...before.list, next]
  const pauses = pausesOf(tries)
  if (pauses.some((pause) => pause > retryMs) || !before.list.every(isOutage)) return undefined
  const isSure = count === maxTogether || isOfOneLoop(pauses)
  return {
    message: `Tried ${operationText(next.logged)} ${count} times; every earlier try had failed.`,
    requests: tries,
    ...(isSure
      ? {}
      : { caveat: 'several parts of a client that retry independently look the same' }),
  }
}

/** Returns whether pauses may be those of a single loop with a backoff: constant or growing, apart from jitter. */
function isOfOneLoop(pauses: readonly number[]): boolean {
  let longest = 0
  for (const pause of pauses) {
    if (pause * 1.5 < longest) return false
    longest = Math.max(longest, pause)
  }
  return true
}

/** Number of identical error responses that is too many. */
export const maxRejections = 3

/** Statuses that a repeated request always gets again. */
const hopeless: readonly (number | undefined)[] = [400, 401, 404, 405, 410, 413, 415, 501]

/**
 * Maximum pause after which only the client itself repeats a request, in milliseconds. After a longer one, it may be a
 * person who reloads a page, or who checks now and then for a pet that others may add.
 */
const quickMs = 10_000

function checkHopelessRetry(next: RequestFacts): Found | undefined {
  const { arrivedStatus: status, client } = next
  if (!hopeless.includes(status)) return undefined
  const before = client.tries?.list
  // Reported at the third try, and not again at later ones.
  if (before === undefined || before.at(-maxRejections)?.arrivedStatus === status) {
    return undefined
  }
  const same = before.slice(1 - maxRejections)
  const [first] = same
  if (first === undefined || same.length < maxRejections - 1) return undefined
  if (same.some((one) => one.arrivedStatus !== status)) return undefined
  // A new pet may be the missing one.
  if (status === 404 && client.all.lastPetOrder > first.logged.startOrder) return undefined
  const requests = [...same, next]
  const pauseMs = Math.max(...pausesOf(requests))
  const isLooking = status === 404 && next.result.operation === 'getPet' && pauseMs > quickMs
  if (isLooking || pauseMs > retryMs) return undefined
  return {
    message: `Sent ${operationText(next.logged)} ${maxRejections} times, and got ${status} each time${messageOf(next)}.`,
    requests,
    ...(status === 401 && pauseMs <= quickMs ? { severity: 'error' } : {}),
  }
}

/** Returns an error message after a colon; for HEAD, only the log has the message. */
function messageOf({ logged: { outcome }, result: { rejection } }: RequestFacts): string {
  const sent = 'body' in outcome ? jsonIn(outcome.body) : undefined
  const message =
    isRecord(sent) && typeof sent.message === 'string' ? sent.message : rejection?.message
  return message === undefined ? '' : `: ${message}`
}

/** Describes how the first response failed. */
function lostText({ status, isMalformed, logged: { delivery } }: RequestFacts): string {
  if (delivery === 'aborted') return 'the client gave up before the first response'
  if (status === undefined || delivery !== 'delivered') return 'the first response was lost'
  return isMalformed ? 'the first response was not valid JSON' : `the first response was ${status}`
}

/** Maximum number of requests to create a pet kept per client. */
const keptCreates = 32

/** Detects pets that are sent again without checking whether they exist; `check` returns the message of a finding. */
function watchUnsureCreates(
  check: (
    first: RequestFacts,
    again: RequestFacts,
  ) => Pick<Found, 'message' | 'severity'> | undefined,
): RuleState {
  let creates: readonly RequestFacts[] = []
  return (next) => {
    if (next.result.operation !== 'createPet') return undefined
    const first = creates.findLast((one) => isSame(one, next) && isFollowing(one, next))
    const others = creates.filter((one) => one !== first)
    creates = isUnsure(next) ? [...others, next].slice(-keptCreates) : others
    if (first === undefined || !isUnsure(first)) return undefined
    const found = check(first, next)
    return found === undefined ? undefined : { ...found, requests: [first, next] }
  }
}

/** Returns whether the client has read pets since, over any connection. */
function hasLooked({ client, logged }: RequestFacts): boolean {
  return client.keyUse.lastLookOrder > (logged.endOrder ?? 0)
}

/**
 * Returns whether a client can't know if a request took effect; a client error, or a response with a retry time, had
 * none.
 */
function isUnsure(facts: RequestFacts): boolean {
  return facts.retryAt === undefined && isLost(facts)
}
