import type { OperationName } from '../../contract/endpoints.ts'
import type { ApiError } from '../../contract/error.ts'
import type { GapChoices } from '../../contract/gaps.ts'
import type { ApiRequest, Outcome } from '../../contract/message.ts'
import type { Limits } from '../../contract/plans.ts'
import type { Strike } from '../../faults/apply-faults.ts'

/** An exchange as the engine reports it. */
export interface Exchange {
  readonly request: ApiRequest
  readonly outcome: Outcome
  readonly operation: OperationName | undefined
  /** The operation's clause. */
  readonly spec: string | undefined
  /** The whole bearer token; `''` for none. */
  readonly token: string
  /** Unix milliseconds. */
  readonly at: number
  readonly endedAt: number
  /** What the reply's headers say, and of which window. */
  readonly quota: {
    readonly window: keyof Limits
    readonly limit: number
    readonly remaining: number
    /** Unix milliseconds. */
    readonly resetAt: number
  }
  readonly isSpent: boolean
  readonly refusal: Pick<ApiError, 'code' | 'message' | 'gap'> | undefined
  readonly gaps: GapChoices
  readonly strikes: readonly Strike[]
  /** What ended its waits before their time, such as `the client left`; `undefined` for nothing. */
  readonly cutShort: string | undefined
}
