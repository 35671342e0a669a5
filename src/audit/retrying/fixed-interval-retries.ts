import type { Rule } from '../rule.ts'
import { type Seen, waitedMs } from '../seen.ts'
import { requestText, spanText } from '../words.ts'
import { isOutage } from './failures.ts'

/** How many tries in a row tell an interval. */
const tries = 5

const none: readonly Seen[] = []

/** How far intervals may differ from their mean and still be the same. */
const tolerance = 0.05

/** Retries without backoff (spec 8). */
export const fixedIntervalRetries: Rule = {
  severity: 'warning',
  clause: "spec 8.2; AWS Builders' Library, Timeouts, retries and backoff with jitter",
  about: 'A failing request was tried five times at the same interval: no backoff.',
  advice:
    'Lengthen the pause between tries: double it each time, for instance, and add some jitter.',
  needsKnowledge: true,
  sees: ['after outage'],
  watch() {
    let told: WeakSet<Seen> | undefined
    return {
      see(next) {
        const before = next.origin.triesBefore(next)?.list ?? none
        const last = before.at(-1)
        if (last === undefined || before.length < tries - 1 || !isOutage(last)) return undefined
        const list = [...before, next].slice(-tries)
        const [first] = list
        if (first === undefined) return undefined
        const isOfOutage = list.every((one) => one === next || isOutage(one))
        if (!isOfOutage || list.some((one) => told?.has(one))) return undefined
        const pauses = list.slice(1).map((one, index) => waitedMs(list[index] ?? first, one))
        const mean = pauses.reduce((sum, pause) => sum + pause, 0) / pauses.length
        if (mean < 1 || pauses.some((pause) => Math.abs(pause - mean) > mean * tolerance)) {
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
