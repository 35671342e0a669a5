import type { OperationName } from '../api/endpoints.ts'
import type { ApiError } from '../api/error.ts'
import { defaultGaps, type GapValues } from '../api/gaps.ts'
import type { Int64 } from '../api/int64.ts'
import {
  type AdapterName,
  type ApiRequest,
  type ApiResponse,
  type BrokenResponse,
  copyPart,
  type Disconnect,
  type Headers,
  type Outcome,
  type Timeout,
  utf8Length,
} from '../api/message.ts'
import type { Limits } from '../api/plans.ts'
import type { AppliedFault } from '../faults/apply-faults.ts'
import type { Delivery } from './request-view.ts'

/** The timing of a request and its response, in whole microseconds of real time or by the host's clock. */
export interface RequestTiming {
  readonly adapter: AdapterName
  /** Its connection; only servers know it. */
  readonly connection: number | undefined
  /** Time at which the connection was opened, on the same clock as `receivedUs`; only servers know it. */
  readonly connectedUs: number | undefined
  /** The place of its start in the sequence. */
  readonly startOrder: number
  readonly receivedUs: number
  /** The time of the host's clock on arrival, for clients that wait by faked timers; Unix milliseconds. */
  readonly receivedAt: number
  /** The turn of the event loop in which it arrived. */
  readonly receivedTurn: number
  /** The place of the response's end in the sequence; `undefined` until then. */
  readonly endOrder: number | undefined
  readonly endedUs: number | undefined
  readonly respondedAt: number | undefined
  readonly endedTurn: number | undefined
  /** `undefined` until the response has ended. */
  readonly delivery: Delivery | undefined
  /** The sandbox's time at which the outcome was known, in Unix milliseconds; `undefined` until then. */
  readonly endedAt: number | undefined
}

/** An outcome as the log keeps it: with the size of the body, if that was cut. */
export type LoggedOutcome = (
  | ApiResponse
  | Omit<BrokenResponse, 'pieces'>
  | Disconnect
  | Omit<Timeout, 'ended'>
) & { readonly bodyBytes?: number | undefined }

/** The result of handling a request, besides its outcome. */
export interface RequestResult {
  readonly operation: OperationName | undefined
  /** The whole bearer token; `''` if there is none. */
  readonly token: string
  /** The window that the response's headers describe. */
  readonly window: keyof Limits
  readonly limit: number
  readonly remaining: number
  /** Unix milliseconds, on a whole second. */
  readonly resetAt: number
  readonly isSpent: boolean
  readonly rejection:
    | Pick<ApiError, 'code' | 'message' | 'gap' | 'retryAt' | 'keyProblem'>
    | undefined
  /** The id of the pet that the request added. */
  readonly petId: Int64 | undefined
  /** Number of pets that match the list query. */
  readonly total: number | undefined
  /** Number of pets in the list. */
  readonly count: number | undefined
  readonly gaps: GapValues
  readonly appliedFaults: readonly AppliedFault[]
  /** The transfer of a body in pieces; `undefined` if no fault applied. */
  readonly sent: SentBody | undefined
  /** The cause that ended its waits early, such as `the client left`; `undefined` if they weren't cut short. */
  readonly abortedBy: string | undefined
}

/** The record of a request, from its arrival on; complete once its outcome is known. Only the log writes to it. */
export interface LoggedRequest extends RequestTiming {
  /** `0` until its outcome is known. */
  readonly id: number
  readonly request: ApiRequest
  readonly outcome: LoggedOutcome
  readonly result: RequestResult
  /** The number of its token, which tells clients apart. */
  readonly client: number
  /** The sandbox's time at its start, in Unix milliseconds. */
  readonly at: number
}

/** Something that a sandbox keeps in its log, in its recording, or in both. */
export interface Kept {
  /** Bytes that it occupies. */
  bytes: number
  /** Number of places that keep it. */
  holders: number
}

/** Bytes that a sandbox keeps in its log and its recording; what is in both counts once. */
export class KeptBytes {
  total = 0

  hold(one: Kept): void {
    if (one.holders === 0) this.total += one.bytes
    one.holders++
  }

  release(one: Kept): void {
    one.holders--
    if (one.holders === 0) this.total -= one.bytes
  }

  /** Adds bytes to something that may be kept. */
  grow(one: Kept, bytes: number): void {
    one.bytes += bytes
    if (one.holders > 0) this.total += bytes
  }
}

/** A request as the log itself sees it: writable, with internal fields. */
export type OpenRequest = {
  -readonly [Name in keyof LoggedRequest]: LoggedRequest[Name]
} & Kept & {
    /** Whether it comes from a capture, so that its timing is known. */
    readonly isPast: boolean
  }

/** The transfer of a body in pieces, which continues after its request was logged. */
export interface SentBody {
  /** `undefined` while pieces are outstanding. */
  end:
    | {
        readonly bytes: number
        /** The time at which the last piece was sent or the client left, in Unix milliseconds. */
        readonly at: number
      }
    | undefined
}

const noOutcome: LoggedOutcome = { kind: 'timeout' }

const noResult: RequestResult = {
  operation: undefined,
  token: '',
  window: 'minute',
  limit: 0,
  remaining: 0,
  resetAt: 0,
  isSpent: false,
  rejection: undefined,
  petId: undefined,
  total: undefined,
  count: undefined,
  gaps: defaultGaps,
  appliedFaults: [],
  sent: undefined,
  abortedBy: undefined,
}

/** A request of which nothing is known yet; each begins as a copy of it. */
export const noRequest: OpenRequest = {
  id: 0,
  request: { method: '', url: '', headers: {}, body: '' },
  outcome: noOutcome,
  adapter: 'direct',
  connection: undefined,
  connectedUs: undefined,
  startOrder: 0,
  receivedUs: 0,
  receivedAt: 0,
  receivedTurn: 0,
  endOrder: undefined,
  endedUs: undefined,
  respondedAt: undefined,
  endedTurn: undefined,
  delivery: undefined,
  at: 0,
  endedAt: undefined,
  client: 0,
  result: noResult,
  bytes: 0,
  holders: 0,
  isPast: false,
}

/** Maximum length of a logged body, in characters. */
const maxBody = 65_536

/** Cuts the body of a message to the logged length, and adds its original size in bytes. */
export function cutBody<Message extends object>(
  message: Message,
): Message & { readonly bodyBytes?: number | undefined } {
  if (!('body' in message) || typeof message.body !== 'string') return message
  const { body } = message
  // A restored body was cut before, and has `…` at its end.
  if (body.length <= maxBody + 1) return message
  const known = 'bodyBytes' in message ? Number(message.bodyBytes ?? 0) : 0
  const kept = copyPart(body, 0, maxBody)
  return { ...message, body: `${kept}…`, bodyBytes: Math.max(known, utf8Length(body)) }
}

/** Returns an outcome without its pending promises and pieces, and with its body cut. */
export function loggedOutcome(outcome: Outcome): LoggedOutcome {
  if (outcome.kind === 'response') return cutBody(outcome)
  if (outcome.kind === 'timeout') return noOutcome
  if (outcome.kind === 'disconnect') return outcome
  const { pieces: _, ...rest } = outcome
  return cutBody(rest)
}

/** Bytes of a request without its texts. */
const plainBytes = 1_536

/** Estimates the bytes of a request: rather too many, since a character takes at most two bytes. */
export function requestBytes({
  url,
  headers,
  body,
}: Pick<ApiRequest, 'url' | 'headers' | 'body'>): number {
  return plainBytes + 2 * (url.length + lengthOf(headers) + body.length)
}

/** Estimates the bytes of an outcome in the log. */
export function outcomeBytes(outcome: object): number {
  return isResponse(outcome) ? 2 * (outcome.body.length + lengthOf(outcome.headers)) : 0
}

function isResponse(outcome: object): outcome is Pick<ApiResponse, 'headers' | 'body'> {
  return 'body' in outcome
}

/** Returns the number of characters in headers, plus some overhead for each. */
function lengthOf(headers: Headers): number {
  let length = 0
  for (const name in headers) length += 16 + name.length + (headers[name] ?? '').length
  return length
}
