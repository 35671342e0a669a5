import type { RequestFacts } from './facts.ts'
import { earlyMs, longestBetween } from './waits.ts'

// Order of requests and responses, and the pauses between them.

/** Returns whether two requests have the same method, URL and body. */
export function isSame(one: RequestFacts, other: RequestFacts): boolean {
  return (
    one.url === other.url &&
    one.logged.request.method === other.logged.request.method &&
    one.body === other.body
  )
}

/** Maximum number of event-loop turns in which a client in the same process receives its response. */
const maxTurns = 2

/** Minimum idle time of a client that has nothing queued any more, in real milliseconds. */
export const quietEnoughMs = 250

/**
 * Factor by which a client may be later than the server's event loop was meanwhile: a request in flight, and the
 * response that it crosses, each wait for the server and for the client. Of 807 requests that crossed a response on two
 * cores under a load of 20 to 30, 495 were later than 250 ms; the latest of them by 3.2 times the stall.
 */
const lateTimes = 4

/** Returns whether a client must have known the outcome of one request when it sent the next. */
export function isAfter(former: RequestFacts, next: RequestFacts): boolean {
  if (!isInOrder(former, next)) return false
  const { endedTurn = 0 } = former.logged
  return next.client.isInProcess
    ? next.logged.receivedTurn - endedTurn >= maxTurns
    : next.quiet.ms >= quietEnoughMs + lateTimes * next.quiet.lateMs
}

/** Returns whether a client sent a request after another one had ended, if it sends one at a time. */
export function isFollowing(former: RequestFacts, next: RequestFacts): boolean {
  const { isInProcess } = next.client
  // Under MSW 3, requests sent together may queue for one connection; but a queue ends with its connection.
  const isProof =
    (isInProcess && next.logged.adapter !== 'msw') || former.logged.delivery !== 'delivered'
  return isAfter(former, next) || (isProof && isInLine(former, next))
}

/**
 * Returns whether a client most likely sent a request again because of its response: its key never had two requests in
 * flight. A queue for a single connection looks the same.
 */
export function isRepetition(former: RequestFacts, next: RequestFacts): boolean {
  if (!isSame(former, next) || !isInLine(former, next) || next.client.keyUse.isParallel)
    return false
  return !isQueued(next) || next.logged.receivedTurn - (former.logged.endedTurn ?? 0) >= maxTurns
}

/** Returns whether a request has queued on its way to the sandbox, as a page's do, however many it sends at once. */
export function isQueued({ logged: { adapter } }: RequestFacts): boolean {
  return adapter === 'msw' || adapter === 'playwright'
}

/** Returns whether a request followed another one of a client that never had two in flight; a queue looks the same. */
export function isInLine(former: RequestFacts, next: RequestFacts): boolean {
  return !next.client.isParallel && isInOrder(former, next)
}

/** Returns whether a request ended before the client's next one started. */
export function isInOrder({ client, logged }: RequestFacts, next: RequestFacts): boolean {
  const { endOrder } = logged
  return endOrder !== undefined && client === next.client && endOrder < next.logged.startOrder
}

/** Returns whether a request came before the time that an earlier response gave. */
export function isBefore(retryAt: number, former: RequestFacts, next: RequestFacts): boolean {
  // A clock that went back without an event proves nothing.
  return (
    next.logged.at >= former.endedAt && waitedMs(former, next) < retryAt - former.endedAt - earlyMs
  )
}

/** Returns whether the service set the pace between two requests, by a response between them with nothing remaining. */
export function isPaced(former: RequestFacts, next: RequestFacts): boolean {
  return next.client.spent.some((spent) => {
    const { endOrder = 0 } = spent.logged
    const isBetween = isInOrder(spent, next) && endOrder > former.logged.startOrder
    return isBetween && !isBefore(spent.result.resetAt, spent, next)
  })
}

/** Returns how long a client waited between a response and its next request, by the clock that shows most time. */
export function waitedMs({ logged, endedAt }: RequestFacts, next: RequestFacts): number {
  const { endedUs = 0, respondedAt = 0 } = logged
  const end = { sandbox: endedAt, real: endedUs / 1000, host: respondedAt }
  return longestBetween(end, startOf(next))
}

function startOf({ logged: { at, receivedUs, receivedAt } }: RequestFacts) {
  return { sandbox: at, real: receivedUs / 1000, host: receivedAt }
}

/** Returns how long a client waited before each of its requests but the first, in milliseconds. */
export function pausesOf(requests: readonly RequestFacts[]): number[] {
  return requests.slice(1).map((one, index) => waitedMs(requests[index] ?? one, one))
}

/** Returns the time between the starts of two requests, by the clock that shows most time. */
export function intervalBetween(former: RequestFacts, next: RequestFacts): number {
  return longestBetween(startOf(former), startOf(next))
}

/** Maximum pause before a retry, in milliseconds; a later request is the next poll cycle. */
export const retryMs = 60_000

/** Minimum pause of a poll, in milliseconds; requests without a pause are a loop. */
export const pollMs = 250

// Outcomes of requests.

/** Returns whether a client couldn't use the response, as far as is known by now. */
export function isFailure({ status, isMalformed, logged: { delivery } }: RequestFacts): boolean {
  return status === undefined || status >= 400 || isMalformed || delivery !== 'delivered'
}

/** Returns whether a response never arrived, arrived broken, or was a server error. */
export function isLost(facts: RequestFacts): boolean {
  const { status, logged } = facts
  if (status === undefined || status >= 500 || logged.delivery !== 'delivered') return true
  return status < 400 && isFailure(facts)
}

/** Maximum time after which a client cancels a request that it no longer needs; a timeout takes longer. */
const cancelMs = 1_000

/**
 * Returns whether the service or the connection failed, without a retry time. A request that created a pet hasn't
 * failed, although its client may have to look for the pet.
 */
export function isOutage(facts: RequestFacts): boolean {
  const { status, retryAt, result } = facts
  if (retryAt !== undefined || result.petId !== undefined || isCancelled(facts)) return false
  return status === undefined || status >= 500 || (status < 400 && isFailure(facts))
}

function isCancelled(facts: RequestFacts): boolean {
  const { logged, endedAt } = facts
  const { receivedUs, receivedAt } = logged
  const { endedUs = receivedUs, respondedAt = receivedAt } = logged
  if (logged.delivery !== 'aborted') return false
  const end = { sandbox: endedAt, real: endedUs / 1000, host: respondedAt }
  return longestBetween(startOf(facts), end) < cancelMs
}
