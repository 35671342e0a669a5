import type { JournalEntry } from '../../../state/journal/journal-entry.ts'
import { type Paper, usualPaper } from './paper.ts'

/** How long the answers of the paper `slow` may take together, in milliseconds. */
const slowAnswersMs = 15_000

/** How long retries with backoff may take, in milliseconds. */
const moreForRetries = 10_000

function isStruck({ faults }: JournalEntry): boolean {
  return faults.length > 0
}

const ofOperation = {
  ...usualPaper,
  subject: 'faults',
  per: 'operation',
  isMet: isStruck,
} as const

/** Papers on faults: one by one for each operation, and mixed. */
export const faultPapers = {
  down: {
    ...ofOperation,
    about: 'The operation answers each request with 503.',
    spec: '7',
    set: (sandbox, operation) => sandbox.faults.add({ fault: 'status', status: 503, operation }),
    moreMs: moreForRetries,
    advice: 'Give up after a few tries, each after a longer wait, and tell the caller.',
  },
  lost: {
    ...ofOperation,
    about: 'The first request is carried out, and its answer gets lost.',
    spec: '4',
    set: (sandbox, operation) => sandbox.faults.add({ fault: 'disconnect', operation, times: 1 }),
    advice:
      'Send a GET again; look before you send a POST again, since it may have been carried out.',
  },
  silent: {
    ...ofOperation,
    about: 'The first request is never answered.',
    spec: '4',
    set: (sandbox, operation) => sandbox.faults.add({ fault: 'timeout', operation, times: 1 }),
    advice: 'Set a time limit for each request, such as AbortSignal.timeout(5_000).',
  },
  garbled: {
    ...ofOperation,
    about: 'The first answer is not valid JSON.',
    spec: '4',
    set: (sandbox, operation) =>
      sandbox.faults.add({ fault: 'malformed-json', operation, times: 1 }),
    advice: 'Catch what the parser throws, and tell the caller that the answer was unreadable.',
  },
  flaky: {
    ...usualPaper,
    subject: 'faults',
    about: 'One request in five gets 503, one in twenty is cut off.',
    spec: '7',
    set: (sandbox) => sandbox.scenario('flaky'),
    isMet: isStruck,
    moreMs: moreForRetries,
    advice: 'Send a GET again after a short wait that grows; a POST only after a look.',
  },
  slow: {
    ...usualPaper,
    subject: 'faults',
    about: 'The first five answers take one to three seconds each.',
    spec: '4',
    set: (sandbox) => sandbox.faults.add({ fault: 'latency', ms: ['1s', '3s'], times: 5 }),
    isMet: isStruck,
    red: 'look',
    moreMs: slowAnswersMs,
    advice: 'Allow several seconds for an answer, and ask nothing twice meanwhile.',
  },
} as const satisfies Record<string, Paper>
