import { namesOf } from '../input/record.ts'
import { keyElsewhere, keyInUrl } from './keys.ts'
import {
  dependsOnGap,
  deprecatedOperation,
  listCut,
  nPlusOne,
  removedOperation,
  roundedId,
} from './pets.ts'
import {
  endlessRetries,
  fixedIntervalRetries,
  hopelessRetry,
  nestedRetries,
  unsafeRetry,
  unsafeRetryDuplicated,
} from './retrying.ts'
import type { Rule } from './rule.ts'
import {
  connectionPerRequest,
  lockstep,
  noUserAgent,
  parallelism,
  pollsBeyondPlan,
} from './traffic.ts'
import {
  burstIntoBan,
  hammeredIntoBan,
  requestWhileLimited,
  retryTooEarly,
  spentLastAndWentOn,
  wentOnWhileBanned,
} from './waiting.ts'

/** The rules on the manners of clients, by name. */
export const rules = {
  'retry-too-early': retryTooEarly,
  'request-while-limited': requestWhileLimited,
  'hammered-into-ban': hammeredIntoBan,
  'burst-into-ban': burstIntoBan,
  'went-on-while-banned': wentOnWhileBanned,
  'spent-last-and-went-on': spentLastAndWentOn,
  'fixed-interval-retries': fixedIntervalRetries,
  'endless-retries': endlessRetries,
  'nested-retries': nestedRetries,
  'hopeless-retry': hopelessRetry,
  'unsafe-retry-duplicated': unsafeRetryDuplicated,
  'unsafe-retry': unsafeRetry,
  'key-in-url': keyInUrl,
  'key-elsewhere': keyElsewhere,
  'rounded-id': roundedId,
  'list-cut': listCut,
  'n-plus-one': nPlusOne,
  'deprecated-operation': deprecatedOperation,
  'removed-operation': removedOperation,
  'polls-beyond-plan': pollsBeyondPlan,
  lockstep,
  parallelism,
  'no-user-agent': noUserAgent,
  'connection-per-request': connectionPerRequest,
  'depends-on-gap': dependsOnGap,
} as const satisfies Record<string, Rule>

export type RuleName = keyof typeof rules

/** The names of the rules, in the order of the table. */
export const ruleNames: readonly RuleName[] = namesOf(rules)
