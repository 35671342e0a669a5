import { operationNames } from '../../contract/endpoints.ts'
import { windowNames } from '../../contract/plans.ts'
import { dictionary, list } from '../../input/collections.ts'
import { instantText } from '../../input/instant.ts'
import { object, optional, variant } from '../../input/object.ts'
import { described, type Given, named } from '../../input/schema.ts'
import { flag, number, oneOf, string, whole } from '../../input/values.ts'

const request = object({
  method: string,
  url: string,
  headers: dictionary(string),
  body: string,
})

const reply = { status: whole(100, 599), headers: dictionary(string), body: string } as const

/** An exchange as the journal shows it: of keys, only the beginning. */
export const journalEntry = named(
  'JournalEntry',
  object({
    /** Counts up from 1. */
    id: whole(1, 1e15),
    /** The sandbox's time, ISO 8601 in UTC. */
    at: instantText,
    /** On the sandbox's clock. */
    durationMs: described(
      "On the sandbox's clock.",
      number('a duration in milliseconds', { minimum: 0, maximum: 1e15 }),
    ),
    operation: optional(oneOf(operationNames)),
    /** The beginning of the key, if one was sent. */
    key: optional(string),
    request,
    outcome: variant(
      'kind',
      {
        reply: object({ kind: oneOf(['reply']), ...reply }),
        'broken-reply': object({ kind: oneOf(['broken-reply']), ...reply }),
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
  }),
)

/** An exchange as the journal shows it: of keys, only the beginning. */
export type JournalEntry = Given<typeof journalEntry>
