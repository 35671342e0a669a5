import type { Row } from '../../../explore/suite/row.ts'
import type { Sandbox } from '../../../sandbox.ts'
import type { JournalEntry } from '../../../state/journal/journal-entry.ts'
import { type Paper, usualPaper } from './paper.ts'

const dayMs = 86_400_000

/** Two seconds before a minute ends, at noon. */
const lateInMinuteMs = dayMs / 2 + 58_000

/** How long the wait after a short limit may take, with retries. */
const moreForWaits = 10_000

/** The beginning of the sandbox's day. */
function today(sandbox: Sandbox): number {
  const now = sandbox.clock.now()
  return now - (now % dayMs)
}

/** Whether a request was refused for quota, or for a ban. */
export function isLimited({ decision: { code } }: JournalEntry): boolean {
  return code === 'rate_limit_exceeded' || code === 'key_banned'
}

/**
 * Uses up the minute of all keys two seconds before its end, by a clock that stands until the client has learnt of it.
 *
 * @param shiftMs How far the sandbox's clock is ahead of the client's.
 */
export function endMinuteSoon(sandbox: Sandbox, shiftMs = 0): void {
  sandbox.clock.freeze()
  sandbox.clock.set(today(sandbox) + lateInMinuteMs + shiftMs)
  sandbox.scenario('minute-limit')
}

/** What to do about refusals that are over soon. */
export const waitAdvice = 'Wait as long as Retry-After says, then send the request again.'

/** Windows that begin with minutes and days, so that their ends are known. */
const calendar: Row = [{ gap: 'quotaWindow', choice: 'calendar' }]

/** What a paper on a limit that is over in two seconds is made of. */
export const shortLimit = {
  ...usualPaper,
  gaps: calendar,
  subject: 'limits',
  spec: '8.2',
  isMet: isLimited,
  afterwards: (sandbox: Sandbox) => sandbox.clock.resume(),
  moreMs: moreForWaits,
  advice: waitAdvice,
} as const

/** Papers on limits and keys. */
export const limitPapers = {
  'minute-limit': {
    ...shortLimit,
    about:
      'The requests of the minute are used up; Retry-After says two seconds, and then all is well.',
    set: (sandbox) => endMinuteSoon(sandbox),
  },
  'day-limit': {
    ...usualPaper,
    subject: 'limits',
    about: 'The requests of the day are used up; Retry-After says twelve hours.',
    spec: '8.2',
    gaps: calendar,
    set(sandbox) {
      sandbox.clock.set(today(sandbox) + dayMs / 2)
      sandbox.scenario('day-limit')
    },
    isMet: isLimited,
    advice: 'Tell the caller when a wait is too long to sit out, and stop sending until then.',
  },
  banned: {
    ...usualPaper,
    subject: 'limits',
    about: 'The key is banned for five minutes, or what the gap banDuration says.',
    spec: '8.3',
    set: (sandbox) => sandbox.scenario('banned'),
    isMet: isLimited,
    slow: 'noted',
    advice: 'Send nothing with a banned key until the time that Retry-After tells, and say why.',
  },
  'key-expired': {
    ...usualPaper,
    subject: 'limits',
    about: 'The key has expired: every request gets 401.',
    spec: '5',
    set: (sandbox) => sandbox.scenario('key-expired'),
    isMet: ({ decision: { code } }) => code === 'unauthorized',
    advice: 'Take 401 as final: ask for another key, and send nothing again with this one.',
  },
} as const satisfies Record<string, Paper>
