import { namesOf } from '../../mock/input/record.ts'
import { gapRules } from './gaps.ts'
import { keyRules } from './keys.ts'
import { petRules } from './pets.ts'
import { redirectRules } from './redirects.ts'
import { retryingRules } from './retrying.ts'
import type { Rule } from './rule.ts'
import { trafficRules } from './traffic.ts'
import { waitingRules } from './waiting.ts'

/** Rules about the behaviour of clients, by name. */
export const rules = {
  ...waitingRules,
  ...retryingRules,
  ...keyRules,
  ...petRules,
  ...redirectRules,
  ...trafficRules,
  ...gapRules,
} as const satisfies Record<string, Rule>

export type RuleName = keyof typeof rules

/** Rule names, in the order of the table. */
export const ruleNames: readonly RuleName[] = namesOf(rules)
