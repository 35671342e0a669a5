import type { Rule } from '../rule.ts'
import { pausesOf, retryMs } from '../seen.ts'
import { requestText } from '../words.ts'
import { isOutage } from './failures.ts'

/** How many tries are too many. */
const most = 10

/** A request that is tried on and on (spec 8). */
export const endlessRetries: Rule = {
  severity: 'warning',
  clause: 'GitHub REST API, Best practices; RFC 9110, 9.2.2',
  about: 'A failing request was tried ten times without success.',
  advice: 'Give up after a few tries, and tell the user, or whatever else waits for the answer.',
  needsKnowledge: true,
  sees: ['after outage'],
  watch: () => ({
    see(next) {
      const before = next.origin.triesBefore(next)
      if (before?.count !== most - 1) return undefined
      const { list } = before
      const isRetrying = pausesOf([...list, next]).every((pause) => pause <= retryMs)
      if (!isRetrying || !list.every(isOutage)) return undefined
      return {
        verdict: `Tried ${requestText(next)} ${most} times; every earlier try had failed.`,
        exchanges: [...list, next],
      }
    },
  }),
}
