import type { Rule } from '../rule.ts'
import { pausesOf, retryMs } from '../seen.ts'
import { requestText } from '../words.ts'
import { isOutage } from './failures.ts'

/** How many tries are too many. */
const most = 10

/** How many are too many even for several parts of a client that try on their own. */
const mostTogether = 50

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
      if (before === undefined) return undefined
      const count = before.count + 1
      if (count !== most && count !== mostTogether) return undefined
      const tries = [...before.list, next]
      const pauses = pausesOf(tries)
      if (pauses.some((pause) => pause > retryMs) || !before.list.every(isOutage)) return undefined
      const isSure = count === mostTogether || isOfOneLoop(pauses)
      return {
        verdict: `Tried ${requestText(next)} ${count} times; every earlier try had failed.`,
        exchanges: tries,
        ...(isSure ? {} : doubt),
      }
    },
  }),
}

/** What a finding is where several parts of a client may have tried, each a few times. */
const doubt = {
  severity: 'info',
  advice: `${endlessRetries.advice} This is for information only, since several parts of a client that try on their own look the same.`,
} as const

/** Whether pauses may be those of a single loop with a backoff: they grow, or stay, but for some jitter. */
function isOfOneLoop(pauses: readonly number[]): boolean {
  let longest = 0
  for (const pause of pauses) {
    if (pause * 2 < longest) return false
    longest = Math.max(longest, pause)
  }
  return true
}
