import { namesOf } from '../input/record.ts'
import { keyElsewhere } from './keys/key-elsewhere.ts'
import { keyInUrl } from './keys/key-in-url.ts'
import { dependsOnGap } from './pets/depends-on-gap.ts'
import { deprecatedOperation } from './pets/deprecated-operation.ts'
import { listCut } from './pets/list-cut.ts'
import { nPlusOne } from './pets/n-plus-one.ts'
import { removedOperation } from './pets/removed-operation.ts'
import { roundedId } from './pets/rounded-id.ts'
import { endlessRetries } from './retrying/endless-retries.ts'
import { fixedIntervalRetries } from './retrying/fixed-interval-retries.ts'
import { hopelessRetry } from './retrying/hopeless-retry.ts'
import { nestedRetries } from './retrying/nested-retries.ts'
import { unsafeRetry } from './retrying/unsafe-retry.ts'
import { unsafeRetryDuplicated } from './retrying/unsafe-retry-duplicated.ts'
import type { Rule } from './rule.ts'
import { connectionPerRequest } from './traffic/connection-per-request.ts'
import { lockstep } from './traffic/lockstep.ts'
import { noUserAgent } from './traffic/no-user-agent.ts'
import { parallelism } from './traffic/parallelism.ts'
import { pollsBeyondPlan } from './traffic/polls-beyond-plan.ts'
import { burstIntoBan } from './waiting/burst-into-ban.ts'
import { hammeredIntoBan } from './waiting/hammered-into-ban.ts'
import { requestWhileLimited } from './waiting/request-while-limited.ts'
import { retryTooEarly } from './waiting/retry-too-early.ts'
import { spentLastAndWentOn } from './waiting/spent-last-and-went-on.ts'
import { wentOnWhileBanned } from './waiting/went-on-while-banned.ts'

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
