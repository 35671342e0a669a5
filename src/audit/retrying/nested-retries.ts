import { PerOrigin } from '../per-origin.ts'
import type { Found, Rule } from '../rule.ts'
import {
  intervalBetween,
  isAfter,
  isFollowing,
  isInLine,
  isSame,
  pausesOf,
  pollMs,
  retryMs,
  type Seen,
} from '../seen.ts'
import { requestText, spanText } from '../words.ts'
import { isOutage } from './failures.ts'

/** How many groups tell a habit. */
const groups = 3

/** How many tries of a request are kept: the largest group has a third of them. */
const keptTries = 30

/** How many failing requests are kept for each origin. */
const keptRequests = 8

/** How many times shorter pauses within a group are than those between, unless each group repeats the same pauses. */
const times = 5

/** How far the same pause may differ between groups that repeat each other: by this factor, and by this in milliseconds. */
const alike = { factor: 1.25, ms: 20 }

/** The longest pause between groups that no person makes, who tries again by hand. */
const byHandMs = 10_000

/** How often a poll asks at most whose turns might be the groups. */
const fastPollMs = 3_000

/** A request that failed, and came again and again. */
interface Chain {
  tries: Seen[]
  /** Whether it is told already, be it as information. */
  told: 'warning' | 'info' | undefined
}

/** Groups of tries, all of the same size, and the pauses in and between them, in milliseconds. */
interface Groups {
  readonly tries: readonly Seen[]
  readonly size: number
  readonly within: readonly number[]
  readonly between: readonly number[]
}

/** Retries inside retries (spec 8). */
export const nestedRetries: Rule = {
  severity: 'warning',
  clause:
    'Google SRE Book, Addressing Cascading Failures; as in github.com/NousResearch/hermes-agent/pull/53918',
  about:
    'Tries of a failing request came in three groups or more: a library retries inside a loop that retries, too.',
  advice:
    'Retry in one place: set the number of retries of the library to 0, or remove the loop around it. Together they multiply.',
  needsKnowledge: true,
  sees: ['lost', 'after loss'],
  watch() {
    const memories = new PerOrigin<Chain[]>(() => [])
    return {
      see(next) {
        const hasFailed = isOutage(next)
        const known = memories.find(next)
        if (known === undefined && !hasFailed) return undefined
        const chains = known ?? memories.of(next)
        const place = chains.findIndex(({ tries: [first] }) => first && isSame(first, next))
        const chain: Chain = chains.splice(place, place < 0 ? 0 : 1)[0] ?? newChain()
        if (!isNextTry(chain.tries.at(-1), next)) {
          chain.tries = []
          chain.told = undefined
        }
        chain.tries = [...chain.tries, next].slice(-keptTries)
        if (hasFailed) chains.push(chain)
        if (chains.length > keptRequests) chains.shift()
        const found = chain.told === 'warning' ? undefined : groupsAtEnd(chain.tries)
        const doubt = found === undefined ? undefined : doubtOf(found)
        if (found === undefined || (doubt !== undefined && chain.told === 'info')) return undefined
        chain.told = doubt === undefined ? 'warning' : 'info'
        return { verdict: textOf(next, found), exchanges: found.tries, ...doubt }
      },
      forget: () => memories.forget(),
    }
  },
}

function newChain(): Chain {
  return { tries: [], told: undefined }
}

/** Whether a request is a try again, and not the turn of a poll, or one of many at once. */
function isNextTry(last: Seen | undefined, next: Seen): boolean {
  if (last === undefined || !isInLine(last, next)) return false
  const [pause = 0] = pausesOf([last, next])
  return pause <= retryMs
}

/** The groups of tries with which a row of them ends; `undefined` if there are none. */
function groupsAtEnd(all: readonly Seen[]): Groups | undefined {
  for (let size = 2; size * groups <= all.length; size++) {
    const tries = all.slice(-size * groups)
    const pauses = pausesOf(tries)
    const isBetween = (place: number): boolean => place % size === size - 1
    const within = pauses.filter((_, place) => !isBetween(place))
    const between = pauses.filter((_, place) => isBetween(place))
    const found = { tries, size, within, between }
    // What comes without a longer pause before is the rest of a larger group.
    const before = pausesOf(all).at(-size * groups) ?? Number.POSITIVE_INFINITY
    if (before > Math.max(...within) && areApart(found) && areKnown(found)) return found
  }
  return undefined
}

/** Whether the pauses are those of a loop in a loop, and not of one whose pauses grow or vary. */
function areApart({ size, within, between }: Groups): boolean {
  const [longest, shortest] = [Math.max(...within), Math.min(...between)]
  if (shortest < pollMs) return false
  const isRepeating = within.every((pause, place) => {
    const first = within[place % (size - 1)] ?? pause
    return Math.abs(pause - first) <= Math.min(pause, first) * (alike.factor - 1) + alike.ms
  })
  if (longest * times <= shortest) return isRepeating || size > 2
  const isStartingAnew = within.every((pause, place) => {
    return place % (size - 1) > 0 || pause * 2 <= shortest
  })
  return size > 2 && isRepeating && isStartingAnew && longest * 1.1 <= shortest
}

/** Whether the client knew at the start of each group that the one before had failed. */
function areKnown({ tries, size }: Groups): boolean {
  return tries.every((one, place) => {
    const former = place % size === 0 ? tries[place - 1] : undefined
    return former === undefined || isAfter(former, one)
  })
}

/** What else may be behind groups of tries, and what a finding then is. */
function doubtOf({ tries, size, between }: Groups): Pick<Found, 'severity' | 'advice'> | undefined {
  const info = (text: string) =>
    ({
      severity: 'info',
      advice: `${nestedRetries.advice} This is for information only, since ${text}`,
    }) as const
  const starts = tries.filter((_, place) => place % size === 0)
  const cadence = starts.slice(1).map((one, index) => intervalBetween(starts[index] ?? one, one))
  const [least, most] = [Math.min(...cadence), Math.max(...cadence)]
  if (most > fastPollMs && most <= least * 1.1)
    return info('a poll whose turns retry looks the same.')
  if (Math.max(...between) > byHandMs) return info('a person who tries again looks the same.')
  const isQueue = starts.some((_, group) => {
    const own = tries.slice(group * size, (group + 1) * size)
    return own.slice(1).every((one, index) => !isRetry(own[index] ?? one, one))
  })
  return isQueue ? info('several parts of a client that send the same look like it.') : undefined
}

/** Whether a try is one after another, and not one of several that were sent together. */
function isRetry(former: Seen, next: Seen): boolean {
  return isAfter(former, next) || (!next.origin.isNear && isFollowing(former, next))
}

function textOf(next: Seen, { size, within, between, tries }: Groups): string {
  const [longest, shortest] = [Math.max(...within), Math.min(...between)]
  return `Tried ${requestText(next)} ${tries.length} times, ${groups} × ${size}: ${groups} groups of ${size} tries, at most ${spanText(longest)} apart, with ${spanText(shortest)} or more between groups.`
}
