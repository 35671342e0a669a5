import type { Sandbox } from '../../../sandbox.ts'
import type { JournalEntry } from '../../../state/journal/journal-entry.ts'
import { endMinuteSoon, shortLimit } from './limit-papers.ts'
import { type Paper, usualPaper } from './paper.ts'

/** How far clocks are apart, in milliseconds. */
const apartMs = 600_000

/** The day on which `getPet` is removed, at noon (spec 4.3). */
const sunsetNoonAt = Date.UTC(2030, 11, 5, 12)

const dayMs = 86_400_000

const skewed = {
  ...shortLimit,
  subject: 'time',
  red: 'look',
  repeats: 'minute-limit',
  advice: 'Take the wait from Retry-After, which needs no clock: not from X-RateLimit-Reset.',
} as const

const sunset = {
  ...usualPaper,
  subject: 'time',
  spec: '4.3',
  needs: 'getPet',
  isMet: isGetPet,
  red: 'look',
  expected: ['removed-operation', 'deprecated-operation'],
  advice: 'Take pets from GET /v1/pets, which is the successor, before 5 December 2030.',
} as const

function isGetPet({ operation }: JournalEntry): boolean {
  return operation === 'getPet'
}

/** Sets a day counted from that of the sunset. */
const onDay =
  (days: number) =>
  (sandbox: Sandbox): void =>
    sandbox.clock.set(sunsetNoonAt + days * dayMs)

/** Papers on clocks and the sunset. */
export const timePapers = {
  'clock-ahead': {
    ...skewed,
    about: 'As minute-limit, and the clock of the service is ten minutes ahead.',
    set: (sandbox) => endMinuteSoon(sandbox, apartMs),
  },
  'clock-behind': {
    ...skewed,
    about: 'As minute-limit, and the clock of the service is ten minutes behind.',
    set: (sandbox) => endMinuteSoon(sandbox, -apartMs),
  },
  'sunset-eve': {
    ...sunset,
    about: 'It is 4 December 2030, the last day of GET /v1/pets/{petId}.',
    set: onDay(-1),
  },
  'sunset-day': {
    ...sunset,
    about: 'It is noon on 5 December 2030, the day on which GET /v1/pets/{petId} is removed.',
    set: onDay(0),
  },
  'sunset-after': {
    ...sunset,
    about: 'It is 6 December 2030: GET /v1/pets/{petId} is gone.',
    set: onDay(1),
  },
} as const satisfies Record<string, Paper>
