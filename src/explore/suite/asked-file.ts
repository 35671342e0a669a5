import { list } from '../../input/collections.ts'
import { object, optional } from '../../input/object.ts'
import type { Read } from '../../input/schema.ts'
import { flag, string, whole } from '../../input/values.ts'
import type { JournalEntry } from '../../state/journal-entry.ts'

const count = whole(0, Number.MAX_SAFE_INTEGER)

/** What the fixtures of a test runner tell of the sandbox of one test, for `explore`. */
export const askedFile = object(
  {
    test: string,
    requests: count,
    /** The choices that would have changed a reply, such as `banStatus=403`; none if that isn't known. */
    mattering: optional(list(string)),
    waits: object({ longestMs: count, openMs: count, areKept: flag }),
  },
  { title: 'asked', example: '{ "test": "", "requests": 0, "waits": {} }' },
)

export type AskedFile = Read<typeof askedFile>

/** How clients were told to wait, and whether they did. */
export interface Waits {
  /** The longest wait that a refusal asked for, in milliseconds; 0 for none. */
  readonly longestMs: number
  /** The longest of those that were not over at the end, and after which nothing came; 0 for none. */
  readonly openMs: number
  /** Whether no request was sent again before its wait was over. */
  readonly areKept: boolean
}

/** What somebody waits for. */
interface Wait {
  readonly refusedAt: number
  readonly until: number
  readonly request: string
}

/**
 * Finds how clients were told to wait in what a sandbox was asked.
 *
 * @param now When that ended, on the sandbox's clock, in Unix milliseconds.
 */
export function waitsOf(entries: readonly JournalEntry[], now: number): Waits {
  const waiting = new Map<JournalEntry['caller'], Wait>()
  let longestMs = 0
  let areKept = true
  for (const { at, caller, request, outcome, decision } of entries) {
    const sentAt = Date.parse(at)
    const text = `${request.method} ${request.url} ${request.body}`
    const before = waiting.get(caller)
    if (before !== undefined && before.request === text) {
      // Requests under way at the same time are no retries.
      areKept &&= sentAt <= before.refusedAt || sentAt >= before.until
    }
    waiting.delete(caller)
    const isRefusal = outcome.kind === 'reply' && waitStatuses.includes(outcome.status)
    if (!isRefusal || decision.retryAt === undefined) continue
    const wait = { refusedAt: sentAt, until: Date.parse(decision.retryAt), request: text }
    longestMs = Math.max(longestMs, wait.until - sentAt)
    waiting.set(caller, wait)
  }
  const open = [...waiting.values()].filter(({ until }) => until > now)
  const openMs = Math.max(0, ...open.map(({ until, refusedAt }) => until - refusedAt))
  return { longestMs, openMs, areKept }
}

/** The statuses of refusals that say when to come back. */
const waitStatuses: readonly number[] = [429, 503]
