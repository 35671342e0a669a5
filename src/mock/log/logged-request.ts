import type { AppliedFault } from '../faults/apply-faults.ts'
import type { OperationName } from '../spec/endpoints.ts'
import type { ApiError } from '../spec/error.ts'
import { defaultGaps, type GapValues } from '../spec/gaps.ts'
import type { Int64 } from '../spec/int64.ts'
import {
  type AdapterName,
  type ApiRequest,
  type ApiResponse,
  type BrokenResponse,
  type Disconnect,
  type Headers,
  type Outcome,
  type Timeout,
  utf8Length,
} from '../spec/message.ts'
import type { Limits } from '../spec/plans.ts'
import type { Delivery } from './request-view.ts'

/** The way of a request in and of its response out. Times are whole microseconds of real time, or the host's clock. */
export interface RequestTiming {
  readonly adapter: AdapterName
  /** Its connection; only servers know one. */
  readonly connection: number | undefined
  /** The place of its start in the sequence. */
  readonly startOrder: number
  readonly receivedUs: number
  /** What the host's clock showed then, for clients that wait by faked timers; Unix milliseconds. */
  readonly receivedAt: number
  /** The turn of the event loop in which it arrived. */
  readonly receivedTurn: number
  /** The place of the response's end in the sequence; `undefined` while it is on its way. */
  readonly answerOrder: number | undefined
  readonly answeredUs: number | undefined
  readonly answeredAt: number | undefined
  readonly answeredTurn: number | undefined
  /** `undefined` while the response is on its way. */
  readonly delivery: Delivery | undefined
  /** The sandbox's time at which the outcome was known; `undefined` until it is. Unix milliseconds. */
  readonly endedAt: number | undefined
}

/** An outcome as it looks afterwards: with the size of its body, if that is cut. */
export type LoggedOutcome = (
  | ApiResponse
  | Omit<BrokenResponse, 'pieces'>
  | Disconnect
  | Omit<Timeout, 'ended'>
) & { readonly bodyBytes?: number | undefined }

/** The result of handling a request, beside its outcome. */
export interface RequestResult {
  readonly operation: OperationName | undefined
  /** The whole bearer token; `''` for none. */
  readonly token: string
  /** The window that the response's headers describe. */
  readonly window: keyof Limits
  readonly limit: number
  readonly remaining: number
  /** Unix milliseconds, on a whole second. */
  readonly resetAt: number
  readonly isSpent: boolean
  readonly refusal:
    | Pick<ApiError, 'code' | 'message' | 'gap' | 'retryAt' | 'keyProblem'>
    | undefined
  /** The pet that the request added. */
  readonly petId: Int64 | undefined
  /** Number of pets that match what a list was asked for. */
  readonly total: number | undefined
  readonly gaps: GapValues
  readonly strikes: readonly AppliedFault[]
  /** The sending of a body in pieces; `undefined` if no fault applied. */
  readonly sent: SentBody | undefined
  /** What ended its waits before their time, such as `the client left`; `undefined` for nothing. */
  readonly cutShort: string | undefined
}

/** A request as the log keeps it: one plain object from its arrival on. Only the log writes to it. */
export interface LoggedRequest extends RequestTiming, RequestResult {
  /** `0` until its outcome is known. */
  readonly id: number
  readonly request: ApiRequest
  readonly outcome: LoggedOutcome
  /** The number of its token, by which clients are told apart. */
  readonly caller: number
  /** The sandbox's time at its start, in Unix milliseconds. */
  readonly at: number
}

/** The same for the log, which alone writes to it. */
export type OpenRequest = { -readonly [Name in keyof LoggedRequest]: LoggedRequest[Name] } & {
  /** Bytes that it takes among the requests that are shown. */
  bytes: number
  /** Its age among these. */
  age: number
  /** Whether its response is whole once it is sent. */
  isWhole: boolean
  /** Whether it is one of a capture, whose timing is known. */
  readonly isPast: boolean
}

/** The sending of a body in pieces, which goes on when its request is in the log already. */
export interface SentBody {
  /** `undefined` while pieces are still to come. */
  end:
    | {
        readonly bytes: number
        /** When its last piece had been sent, or its client had left; Unix milliseconds. */
        readonly at: number
      }
    | undefined
}

const noRequest: ApiRequest = { method: '', url: '', headers: {}, body: '' }
const noOutcome: LoggedOutcome = { kind: 'timeout' }
const noStrikes: readonly AppliedFault[] = []

/** Makes a request that has arrived, or one of a capture. */
export function newRequest(timing: RequestTiming, kind: 'new' | 'past'): OpenRequest {
  return {
    id: 0,
    request: noRequest,
    outcome: noOutcome,
    adapter: timing.adapter,
    connection: timing.connection,
    startOrder: timing.startOrder,
    receivedUs: timing.receivedUs,
    receivedAt: timing.receivedAt,
    receivedTurn: timing.receivedTurn,
    answerOrder: timing.answerOrder,
    answeredUs: timing.answeredUs,
    answeredAt: timing.answeredAt,
    answeredTurn: timing.answeredTurn,
    delivery: timing.delivery,
    at: 0,
    endedAt: timing.endedAt,
    operation: undefined,
    token: '',
    caller: 0,
    window: 'minute',
    limit: 0,
    remaining: 0,
    resetAt: 0,
    isSpent: false,
    refusal: undefined,
    petId: undefined,
    total: undefined,
    gaps: defaultGaps,
    strikes: noStrikes,
    sent: undefined,
    cutShort: undefined,
    bytes: 0,
    age: 0,
    isWhole: false,
    isPast: kind === 'past',
  }
}

/** The timing of a request as it is now. */
export function timingOf(request: RequestTiming): RequestTiming {
  const { adapter, connection, startOrder, receivedUs, receivedAt, receivedTurn } = request
  const { answerOrder, answeredUs, answeredAt, answeredTurn, delivery, endedAt } = request
  return {
    ...{ adapter, connection, startOrder, receivedUs, receivedAt, receivedTurn },
    ...{ answerOrder, answeredUs, answeredAt, answeredTurn, delivery, endedAt },
  }
}

/** The maximum length of a body that is shown, in characters. */
const maxBody = 65_536

/** Cuts the body of a message to the length that is shown, and adds how many bytes it had. */
export function cutBody<Message extends object>(
  message: Message,
): Message & { readonly bodyBytes?: number | undefined } {
  if (!('body' in message) || typeof message.body !== 'string') return message
  const { body } = message
  // One that is restored was cut before, and has a mark more.
  if (body.length <= maxBody + 1) return message
  const known = 'bodyBytes' in message ? Number(message.bodyBytes ?? 0) : 0
  // A copy, since a part of a long text would keep all of it alive.
  const kept: unknown = JSON.parse(JSON.stringify(body.slice(0, maxBody)))
  return { ...message, body: `${kept}…`, bodyBytes: Math.max(known, utf8Length(body)) }
}

/** An outcome without what its response waits for or sends, and with a body that isn't too long. */
export function loggedOutcome(outcome: Outcome): LoggedOutcome {
  if (outcome.kind === 'response') return cutBody(outcome)
  if (outcome.kind === 'timeout') return noOutcome
  if (outcome.kind === 'disconnect') return outcome
  const { pieces: _, ...rest } = outcome
  return cutBody(rest)
}

/** Bytes of a request beside its texts. */
const plainBytes = 1_536

/** Bytes that a request takes, approximately: rather too many, since no text takes more than two for a character. */
export function bytesOf({
  request,
  outcome,
}: {
  readonly request: Pick<ApiRequest, 'url' | 'headers' | 'body'>
  readonly outcome: object
}): number {
  let characters = request.url.length + shownLength(request.body) + lengthOf(request.headers)
  if (isReply(outcome)) characters += shownLength(outcome.body) + lengthOf(outcome.headers)
  return plainBytes + 2 * characters
}

function isReply(outcome: object): outcome is Pick<ApiResponse, 'headers' | 'body'> {
  return 'body' in outcome
}

function shownLength(body: string): number {
  return Math.min(body.length, maxBody)
}

/** The characters of headers, and some more for each. */
function lengthOf(headers: Headers): number {
  let length = 0
  for (const name in headers) length += 16 + name.length + (headers[name] ?? '').length
  return length
}
