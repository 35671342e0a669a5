import type { ApiError } from '../api/error.ts'
import type { GapValues } from '../api/gaps.ts'
import { type ApiResponse, type BrokenResponse, type Outcome, utf8Length } from '../api/message.ts'
import type { Limits } from '../api/plans.ts'

/** The sandbox's time, as faults need it. */
interface Time {
  now(): number
  /** Ends early when the signal aborts or the sandbox is reset. */
  wait(ms: number, signal?: AbortSignal): Promise<void>
}

/** Corrupts the response to one request; its waits end early when the signal aborts. */
type Corruption = (response: ApiResponse, time: Time, signal: AbortSignal | undefined) => Outcome

/** The effect of a fault on a request, by the step that it changes. */
export type FaultAction =
  /** Replaces the operation by an error. */
  | { readonly step: 'reject'; readonly rejection: (now: number, gaps: GapValues) => ApiError }
  /** Exhausts a quota of the key, so that the request is rate-limited. */
  | { readonly step: 'use-up'; readonly window: keyof Limits }
  /** Delays the response by a random time between two bounds. */
  | { readonly step: 'wait'; readonly minMs: number; readonly maxMs: number }
  /** Corrupts the response, or breaks its transfer to the client. */
  | { readonly step: 'corrupt'; readonly corrupt: Corruption }

/** The effect of a fault on one request. */
export interface AppliedFault {
  /** The id of the fault. */
  readonly id: number
  /** The kind of the fault. */
  readonly fault: string
  readonly action: FaultAction
  /** The delay of a latency fault for this request in milliseconds; otherwise 0. */
  readonly waitMs: number
}

/**
 * Applies faults to a response; waits on the sandbox's clock.
 *
 * @param signal Ends the waits when it aborts.
 */
export async function applyFaults(
  response: ApiResponse,
  appliedFaults: readonly AppliedFault[],
  time: Time,
  signal: AbortSignal | undefined,
): Promise<Outcome> {
  const waitMs = appliedFaults.reduce((sum, strike) => sum + strike.waitMs, 0)
  await time.wait(waitMs, signal)
  let outcome: Outcome = response
  for (const { action } of appliedFaults) {
    if (action.step === 'corrupt') outcome = action.corrupt(response, time, signal)
  }
  return outcome
}

/** Returns the first half of a body, cut between characters. */
export function halfOf(body: string): string {
  const half = Math.ceil(body.length / 2)
  const isWithinPair = /[\ud800-\udbff]$/.test(body.slice(0, half))
  return body.slice(0, isWithinPair ? half + 1 : half)
}

/** Returns a response that sends the first half of the body, then closes or resets the connection. */
export function breakOff(response: ApiResponse, end: 'close' | 'reset'): BrokenResponse {
  async function* once(): AsyncGenerator<string> {
    yield halfOf(response.body)
  }
  return inPieces(response, once(), end)
}

const slowPieces = 10

/**
 * Creates the corruption that sends a body in ten pieces over a duration. A reset of the sandbox sends the remaining
 * pieces immediately, and an abort of the signal stops them.
 */
export function sendSlowly(ms: number): Corruption {
  return (response, time, signal) => {
    async function* slowly(): AsyncGenerator<string> {
      const characters = [...response.body]
      const size = Math.ceil(characters.length / slowPieces)
      for (let start = 0; start < characters.length; start += size) {
        await time.wait(ms / slowPieces, signal)
        if (signal?.aborted) return
        yield characters.slice(start, start + size).join('')
      }
    }
    return inPieces(response, slowly(), 'whole')
  }
}

/** Returns a response that sends its body in pieces and then treats the connection as `end` says. */
function inPieces(
  response: ApiResponse,
  pieces: AsyncIterable<string>,
  end: BrokenResponse['end'],
): BrokenResponse {
  const length = response.headers['content-length'] ?? String(utf8Length(response.body))
  const headers = { ...response.headers, 'content-length': length }
  return { ...response, kind: 'broken-response', headers, pieces, end }
}
