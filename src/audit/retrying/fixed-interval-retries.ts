import type { Rule } from '../rule.ts'
import { isPaced, pausesOf, retryMs, type Seen } from '../seen.ts'
import { requestText, spanText } from '../words.ts'
import { isOutage } from './failures.ts'

/** How many tries in a row tell an interval. */
const tries = 5

/** How far intervals may differ from their mean and still be the same. */
const tolerance = 0.05

/** Retries without backoff (spec 8). */
export const fixedIntervalRetries: Rule = {
  severity: 'warning',
  clause: "spec 8.2; AWS Builders' Library, Timeouts, retries and backoff with jitter",
  about:
    'A failing request was tried five times at the same interval, and never sooner: no backoff.',
  advice:
    'Lengthen the pause between tries: double it each time, for instance, and add some jitter.',
  needsKnowledge: true,
  sees: ['after outage'],
  watch() {
    let told: WeakSet<Seen> | undefined
    return {
      see(next) {
        const before = next.origin.triesBefore(next)
        if (before === undefined || before.list.length < tries - 1) return undefined
        const list = [...before.list.slice(1 - tries), next]
        if (!list.every((one) => one === next || isOutage(one))) return undefined
        if (list.some((one) => told?.has(one))) return undefined
        const pauses = pausesOf(list)
        const mean = pauses.reduce((sum, pause) => sum + pause, 0) / pauses.length
        if (mean < 1 || mean > retryMs) return undefined
        if (pauses.some((pause) => Math.abs(pause - mean) > mean * tolerance)) return undefined
        // The same pause again and again is where a backoff ends that is capped.
        if (before.shortestPauseMs < mean * (1 - tolerance)) return undefined
        if (list.some((one, index) => index > 0 && isPaced(list[index - 1] ?? one, one))) {
          return undefined
        }
        told ??= new WeakSet()
        told.add(next)
        return {
          verdict: `Tried ${requestText(next)} ${tries} times, each ${spanText(mean)} after the last failure: no backoff.`,
          exchanges: list,
        }
      },
      forget() {
        told = undefined
      },
    }
  },
}
