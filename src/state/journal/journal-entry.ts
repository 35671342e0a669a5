import { operationNames } from '../../contract/endpoints.ts'
import { windowNames } from '../../contract/plans.ts'
import { dictionary, list } from '../../input/collections.ts'
import { instantText } from '../../input/instant.ts'
import { object, optional, variant } from '../../input/object.ts'
import { asGiven, described, type Given, named } from '../../input/schema.ts'
import { flag, number, oneOf, string, whole } from '../../input/values.ts'
import { factProperties } from './facts/facts.ts'
import { mark } from './mark.ts'

const wholeBytes = whole(0, Number.MAX_SAFE_INTEGER)

const milliseconds = number('a duration in milliseconds', { minimum: 0, maximum: 1e15 })

const body = {
  /** After 65,536 characters comes `…` in place of the rest. */
  body: string,
  /** How many bytes it has, if it can't be seen: it was cut, too large to keep, not UTF-8, or has keys hidden in it. */
  bodyBytes: optional(described('Its size, if `body` is not as it was sent.', wholeBytes)),
} as const

const request = object({ method: string, url: string, headers: dictionary(string), ...body })

const reply = { status: whole(100, 599), headers: dictionary(string), ...body } as const

const pieces = {
  /** What became of the connection after the body, as far as it was sent. */
  end: optional(oneOf(['whole', 'close', 'reset'])),
  /** How many bytes of the body were sent, once no more will be. */
  sentBytes: optional(described('Of the body, once no more will be sent.', wholeBytes)),
  /** How long the body took, on the sandbox's clock. */
  bodyMs: optional(milliseconds),
} as const

const core = {
  /** Counts up from 1, over resets too; captures, findings and reports name a request by it. */
  id: whole(1, 1e15),
  /** The sandbox's time, ISO 8601 in UTC. */
  at: instantText,
  /** On the sandbox's clock, without a body in pieces. */
  durationMs: described("On the sandbox's clock.", milliseconds),
  operation: optional(oneOf(operationNames)),
  /** The beginning of the key, if one was sent. */
  key: optional(string),
  request,
  outcome: variant(
    'kind',
    {
      reply: object({ kind: oneOf(['reply']), ...reply }),
      'broken-reply': object({ kind: oneOf(['broken-reply']), ...reply, ...pieces }),
      disconnect: object({ kind: oneOf(['disconnect']) }),
      timeout: object({ kind: oneOf(['timeout']) }),
    },
    '{ "kind": "timeout" }',
  ),
  /** The window that the headers describe, and whether the request counted. */
  quota: object({
    window: oneOf(windowNames),
    limit: whole(0, 1e9),
    remaining: whole(0, 1e9),
    resetAt: instantText,
    spent: flag,
  }),
  /** The ids of the faults that struck it. */
  faults: list(whole(1, 1e12)),
  /** Why it was answered this way, in words, with the clause or gap. */
  why: string,
} as const

/** An exchange as the journal shows it: of keys, only the beginning. */
export const journalEntry = named('JournalEntry', object({ ...core, ...factProperties }))

/** An exchange as the journal shows it: of keys, only the beginning. */
export type JournalEntry = Given<typeof journalEntry>

/** A journal as a snapshot has it. */
export const savedJournal = object({
  lastId: whole(0, 1e15),
  list: list(asGiven(journalEntry)),
  marks: list(asGiven(mark)),
})
