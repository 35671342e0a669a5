import { type GapSettings, gapSettings } from '../../mock/api/gaps.ts'
import { object, optional } from '../../mock/input/object.ts'
import { described, type Input } from '../../mock/input/schema.ts'
import { flag, integer } from '../../mock/input/values.ts'
import type { DroppedRequests, ReplayedResponse } from './captures.ts'

/** A request, and its responses with the actual and with other gap values. */
interface ComparedResponses {
  /** The method of the request, in upper case. */
  readonly method: string
  /** The request target: path and query, with keys renamed. */
  readonly url: string
  /** The response with the actual gap values. */
  readonly actual: ReplayedResponse
  /** The response with the other gap values. */
  readonly alternative: ReplayedResponse
}

/** Result for one set of gap values. */
export interface WhatIfResult {
  /** Gap values that were tried. */
  readonly gaps: GapSettings
  /** Whether any response would have differed. */
  readonly changesResponse: boolean
  /** Id of the first request with another response. */
  readonly firstRequest?: number | undefined
  /** Number of requests with another response, if the option `count` is on. */
  readonly count?: number | undefined
  /** Ids of the first five of these. */
  readonly ids?: readonly number[] | undefined
  /** First request with another response, and both responses, if the option `responses` is on. */
  readonly responses?: ComparedResponses | undefined
}

/** Responses that other gap values would have changed. */
export interface WhatIf {
  /** Number of requests that were compared. */
  readonly requests: number
  /** Earlier requests, which the log no longer has, if any. */
  readonly dropped?: DroppedRequests | undefined
  /** One result for each set of gap values that was tried. */
  readonly results: readonly WhatIfResult[]
  /** Gaps in behaviour that the spec doesn't promise. */
  readonly unpromised: readonly string[]
}

/** Options of `whatIf()`. */
export const whatIfOptions = object({
  /** Gap values to try, all at once; by default each other value of each gap in turn. */
  gaps: optional(
    described(
      'The gap values to try, all at once; by default each other value of each gap in turn.',
      gapSettings,
    ),
  ),
  /** Id of a request in the log: if set, only its response is compared, and earlier steps keep the actual values. */
  request: optional(
    described(
      'Id of the only request to compare; earlier requests keep the actual gap values.',
      integer(1, 1e15),
    ),
  ),
  /** Whether to return the first request with another response, and both responses; `false` by default. */
  responses: optional(
    described(
      'Whether to return the first request with another response, and both responses; `false` by default.',
      flag,
    ),
    false,
  ),
  /** Whether to count all requests with another response, which takes longer; `false` by default. */
  count: optional(
    described(
      'Whether to count all requests with another response, which takes longer; `false` by default.',
      flag,
    ),
    false,
  ),
})

/** Options of `whatIf()`. */
export interface WhatIfOptions extends Input<typeof whatIfOptions> {}
