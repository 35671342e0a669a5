import type { RequestView } from '../../mock/log/request-view.ts'

/** An instant on each clock by which a client may wait, in milliseconds; faked timers move only that of the host. */
interface Instant {
  readonly sandbox: number
  readonly real: number
  readonly host?: number | undefined
}

/** Returns the time between two instants by the clock that shows most of it, in milliseconds. */
export function longestBetween(from: Instant, to: Instant): number {
  const hostMs = from.host === undefined || to.host === undefined ? 0 : to.host - from.host
  return Math.max(to.sandbox - from.sandbox, to.real - from.real, hostMs)
}

/** Tolerance in milliseconds, since timers may fire a millisecond early. */
export const earlyMs = 1

/** A response that said when to retry, and the wait that it asked for. */
export interface Wait {
  readonly rejection: RequestView
  readonly ms: number
}

/** Returns the wait that a response asked for; `undefined` if it asked for none, or hasn't ended. */
export function waitAfter(rejection: RequestView): Wait | undefined {
  const { retryAt } = rejection.decision
  if (retryAt === undefined || rejection.sequence.end === undefined) return undefined
  return { rejection, ms: Date.parse(retryAt) - endOf(rejection).sandbox }
}

/** Returns how long a client waited between a response and its next request, in milliseconds. */
export function waitedBetween(former: RequestView, next: RequestView): number {
  return longestBetween(endOf(former), { sandbox: Date.parse(next.at), real: next.receivedMs })
}

/** Returns whether a request was sent before a wait was over, by more than some milliseconds. */
export function isTooEarly({ rejection, ms }: Wait, next: RequestView, byMs = earlyMs): boolean {
  return waitedBetween(rejection, next) < ms - byMs
}

function endOf({ at, durationMs, receivedMs, endedMs = receivedMs }: RequestView): Instant {
  return { sandbox: Date.parse(at) + durationMs, real: endedMs }
}
