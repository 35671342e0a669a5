import type { GapChoices } from '../contract/gaps.ts'
import { parseOneOf } from '../input/input-error.ts'
import type { Clock } from './clock.ts'
import type { Faults } from './faults.ts'
import type { Journal } from './journal/journal.ts'
import type { Keys } from './keys.ts'
import type { Pets } from './pets.ts'
import type { Quotas } from './quotas.ts'

/** `reported` counts and shows quota as `enforced` does, but refuses nothing. */
export const rateLimitModes = ['enforced', 'reported'] as const

export type RateLimitMode = (typeof rateLimitModes)[number]

/** Reads how limits act; throws an InputError that lists the modes. */
export function parseRateLimitMode(value: unknown): RateLimitMode {
  return parseOneOf(value, rateLimitModes, 'the rate limit')
}

/** Everything that a sandbox remembers. */
export interface State {
  readonly clock: Clock
  readonly pets: Pets
  readonly keys: Keys
  readonly quotas: Quotas
  readonly faults: Faults
  readonly journal: Journal
  gaps: GapChoices
  rateLimit: RateLimitMode
}
