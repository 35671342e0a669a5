import type { RequestFacts } from './facts.ts'

// The order of requests and answers, and the pauses between them.

/** Whether two requests are the same. */
export function isSame(one: RequestFacts, other: RequestFacts): boolean {
  return one.url === other.url && one.method === other.method && one.body === other.body
}

/** How many turns of the event loop a client in the same process needs at most to receive its answer. */
const mostTurns = 2

/** How long a client is quiet at least once it has nothing queued any more, in real milliseconds. */
const quietEnoughMs = 250

/**
 * Factor by which a client may be later than the server's event loop was meanwhile: a request that was under way, and the
 * response that it crosses, each wait for the server and for the client. Of 807 requests that crossed a response on two cores under a load of 20 to
 * 30, 495 were later than 250 ms; the latest of them by 3.2 times the stall.
 */
const lateTimes = 4

/** Whether a client must have known how one exchange ended when it sent the next one. */
export function isAfter(former: RequestFacts, next: RequestFacts): boolean {
  if (!isInOrder(former, next)) return false
  const { answeredTurn = 0 } = former.visit
  return next.client.isInProcess
    ? next.visit.receivedTurn - answeredTurn >= mostTurns
    : next.quiet.ms >= quietEnoughMs + lateTimes * next.quiet.lateMs
}

/** Whether a client sent a request after another one, as far as it sends one after the other. */
export function isFollowing(former: RequestFacts, next: RequestFacts): boolean {
  const { isInProcess } = next.client
  // Under MSW 3, what is sent together may queue for one connection; but a queue breaks with its connection.
  const isProof =
    (isInProcess && next.visit.adapter !== 'msw') || former.visit.delivery !== 'delivered'
  return isAfter(former, next) || (isProof && isInLine(former, next))
}

/** Whether a request came after another one of a client that has never had two under way; a queue looks the same. */
export function isInLine(former: RequestFacts, next: RequestFacts): boolean {
  return !next.client.isParallel && isInOrder(former, next)
}

/** Whether an exchange ended before the next one of its client began. */
export function isInOrder({ client, visit }: RequestFacts, next: RequestFacts): boolean {
  const { answerOrder } = visit
  return answerOrder !== undefined && client === next.client && answerOrder < next.visit.startOrder
}

/** Whether a request came before the instant that an earlier answer named. */
export function isBefore(toldAt: number, former: RequestFacts, next: RequestFacts): boolean {
  // Timers may fire a millisecond early. A clock that went back without a mark proves nothing.
  return next.at >= former.endedAt && waitedMs(former, next) < toldAt - former.endedAt - 1
}

/** Whether the service set the pace between two requests: a reply between said that nothing was left until then. */
export function isPaced(former: RequestFacts, next: RequestFacts): boolean {
  return next.client.spent.some((spent) => {
    const { answerOrder = 0 } = spent.visit
    const isBetween = isInOrder(spent, next) && answerOrder > former.visit.startOrder
    return isBetween && !isBefore(spent.quota.resetAt, spent, next)
  })
}

/** How long a client waited between an answer and its next request: by whichever clock it was longest. */
export function waitedMs(former: RequestFacts, next: RequestFacts): number {
  const { answeredUs = 0, answeredAt = 0 } = former.visit
  const { receivedUs, receivedAt } = next.visit
  const realMs = (receivedUs - answeredUs) / 1000
  return Math.max(next.at - former.endedAt, realMs, receivedAt - answeredAt)
}

/** How long a client waited before each of its requests but the first, in milliseconds. */
export function pausesOf(requests: readonly RequestFacts[]): number[] {
  return requests.slice(1).map((one, index) => waitedMs(requests[index] ?? one, one))
}

/** How long there was from the start of one request to the start of another: by whichever clock it was longest. */
export function intervalBetween(former: RequestFacts, next: RequestFacts): number {
  const { receivedUs, receivedAt } = former.visit
  return Math.max(
    next.at - former.at,
    (next.visit.receivedUs - receivedUs) / 1000,
    next.visit.receivedAt - receivedAt,
  )
}

/** The longest pause after which a request is a retry, and not the next turn of a poll, in milliseconds. */
export const retryMs = 60_000

/** The shortest pause of a poll, in milliseconds; what comes without one is a loop. */
export const pollMs = 250

// What became of a request.

/** Whether a client could not use the answer, as far as is known by now. */
export function isFailure({ status, isMalformed, visit: { delivery } }: RequestFacts): boolean {
  return status === undefined || status >= 400 || isMalformed || delivery !== 'delivered'
}

/** Whether an answer never came, or came broken, or said only that something went wrong. */
export function isLost(facts: RequestFacts): boolean {
  const { status, visit } = facts
  if (status === undefined || status >= 500 || visit.delivery !== 'delivered') return true
  return status < 400 && isFailure(facts)
}

/** How soon a client cancels a request that it doesn't need any more; one that has waited in vain gives up later. */
const cancelMs = 1_000

/**
 * Whether the service or the connection failed, and no reply said when to come back. A pet that was added has not failed,
 * though its client may have to look for it.
 */
export function isOutage(facts: RequestFacts): boolean {
  const { status, retryAt, petId } = facts
  if (retryAt !== undefined || petId !== undefined || isCancelled(facts)) return false
  return status === undefined || status >= 500 || (status < 400 && isFailure(facts))
}

function isCancelled({ visit, at, endedAt }: RequestFacts): boolean {
  const { delivery, receivedUs, receivedAt } = visit
  const { answeredUs = receivedUs, answeredAt = receivedAt } = visit
  if (delivery !== 'aborted') return false
  const realMs = (answeredUs - receivedUs) / 1000
  return Math.max(realMs, answeredAt - receivedAt, endedAt - at) < cancelMs
}
