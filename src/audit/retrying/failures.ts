import { type Seen, type Tries, waitedMs } from '../seen.ts'

/** How many tries of a request are kept. */
const keptTries = 16

/** Whether a client could not use the answer, as far as is known by now. */
export function isFailure({ status, isSpoilt, visit: { delivery } }: Seen): boolean {
  return status === undefined || status >= 400 || isSpoilt || delivery !== 'delivered'
}

/** Whether an answer never came, or came broken, or said only that something went wrong. */
export function isLost(seen: Seen): boolean {
  const { status, visit } = seen
  if (status === undefined || status >= 500 || visit.delivery !== 'delivered') return true
  return status < 400 && isFailure(seen)
}

/** How soon a client cancels a request that it doesn't need any more; one that has waited in vain gives up later. */
const cancelMs = 1_000

/**
 * Whether it was the service or the connection that failed, and no reply said when to come back. A pet that was added has not
 * failed, though its client may have to look for it.
 */
export function isOutage(seen: Seen): boolean {
  const { status, retryAt, petId } = seen
  if (retryAt !== undefined || petId !== undefined || isCancelled(seen)) return false
  return status === undefined || status >= 500 || (status < 400 && isFailure(seen))
}

/** A request that failed, as it is sent again and again. */
export class KeptTries implements Tries {
  readonly list: Seen[]
  count = 1
  shortestPauseMs: number
  latest: Seen

  /** @param pauseMs How long before it the same request was sent that is no try of these, such as another task's. */
  constructor(first: Seen, pauseMs: number) {
    this.list = [first]
    this.latest = first
    this.shortestPauseMs = shortestOf(first, pauseMs)
  }

  add(next: Seen): void {
    const pauseMs = Math.min(this.shortestPauseMs, waitedMs(this.latest, next))
    this.shortestPauseMs = shortestOf(next, pauseMs)
    this.list.push(next)
    if (this.list.length > keptTries) this.list.shift()
    this.count++
    this.latest = next
  }
}

/** A refusal is a try, too: the backoff after it may begin with a longer pause, and its own pause isn't seen. */
function shortestOf({ isRefusal }: Seen, pauseMs: number): number {
  return isRefusal ? 0 : pauseMs
}

function isCancelled({ visit, at, endedAt }: Seen): boolean {
  const { delivery, received, receivedAt, answered = received, answeredAt = receivedAt } = visit
  if (delivery !== 'left') return false
  return Math.max(answered - received, answeredAt - receivedAt, endedAt - at) < cancelMs
}
