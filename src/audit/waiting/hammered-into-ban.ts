import type { Rule } from '../rule.ts'
import { watchBans } from './bans.ts'
import { toldText } from './early.ts'

/** Requests that went on after a 429 until the key was banned (spec 8). */
export const hammeredIntoBan: Rule = {
  severity: 'error',
  clause: 'spec 8.3',
  about: 'Requests went on after a 429 until the key was banned.',
  advice:
    'Stop at the first 429, wait as long as Retry-After says, and wait longer each time another follows.',
  needsKnowledge: true,
  sees: ['told to wait', 'after refusal'],
  watch: () =>
    watchBans(({ refusals, count, knowing, doubt, byDate }) => {
      const last = refusals.at(-1)
      if (knowing < 2 || last?.retryAt === undefined) return undefined
      return {
        verdict: `Went on with ${knowing} requests after a 429, ${count} refused in all, until the key was banned; Retry-After said ${toldText(last)}${byDate}.`,
        exchanges: refusals,
        ...(doubt === undefined && byDate === '' ? {} : { severity: 'warning' }),
      }
    }),
}
