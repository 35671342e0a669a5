import type { OperationName } from '../../contract/endpoints.ts'
import { object, optional } from '../../input/object.ts'
import { type Given, readInput } from '../../input/schema.ts'
import { whole } from '../../input/values.ts'
import { timesText } from '../../reports/text.ts'
import { doneText, exchangeLines } from './exchange-text.ts'
import {
  examine,
  headline,
  type Judged,
  type MatcherCall,
  type MatcherResult,
  readOperation,
} from './judged.ts'
import { hasFailed, sentAgain } from './tries.ts'

const name = 'toHaveRetried'

/** A number of requests. */
export const requestCount = whole(0, 1e9)

const retriedOptions = object(
  {
    /** How often exactly, over all requests; at least once by default. */
    times: optional(requestCount),
  },
  { title: name, example: '{ times: 2 }' },
)

/** How often a client has to have tried again. */
export type RetriedOptions = Given<typeof retriedOptions>

/** Says whether the same request was sent again after it had failed. */
export function toHaveRetried(
  this: MatcherCall,
  received: Judged,
  operation: OperationName,
  options: RetriedOptions = {},
): MatcherResult | Promise<MatcherResult> {
  const exchanges = { operation: readOperation(name, operation) }
  const { times } = readInput(retriedOptions, options)
  return examine(received, { exchanges }, ({ entries }) => {
    const all = entries()
    const count = sentAgain(all, hasFailed).length
    const wanted = times === undefined || this.isNot === true ? '' : `, not ${timesText(times)}`
    const text =
      all.length === 0
        ? 'was never asked'
        : `was ${doneText('sent again', count)} after a failure${wanted}:\n${exchangeLines(all)}`
    return {
      pass: times === undefined ? count > 0 : count === times,
      message: () => `${headline(name, this, operation)}\n\n${operation} ${text}`,
    }
  })
}
