import type { OperationName } from '../api/endpoints.ts'
import type { ApiError } from '../api/error.ts'
import { defaultGaps, type GapValues } from '../api/gaps.ts'
import type { Int64 } from '../api/int64.ts'
import type {
  AdapterName,
  ApiRequest,
  ApiResponse,
  BrokenResponse,
  Disconnect,
  Timeout,
} from '../api/message.ts'
import type { Limits } from '../api/plans.ts'
import type { AppliedFault } from '../faults/apply-faults.ts'
import type { Delivery } from './request-view.ts'
import type { Kept } from './shared-memory.ts'

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
  outcome: { kind: 'timeout' },
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
