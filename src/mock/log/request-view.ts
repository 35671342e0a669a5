import { dictionary, list, object, optional, variant } from '../input/object.ts'
import { described, type Input, identity, named, type Output } from '../input/schema.ts'
import {
  either,
  flag,
  instant,
  instantText,
  integer,
  nameIn,
  number,
  oneOf,
  string,
  text,
} from '../input/values.ts'
import { type OperationName, operationNames } from '../spec/endpoints.ts'
import { errorCodes } from '../spec/error.ts'
import { gaps } from '../spec/gaps.ts'
import { methodName } from '../spec/http.ts'
import { adapterNames } from '../spec/message.ts'
import { windowNames } from '../spec/plans.ts'

/** What marks say: how the world of a sandbox changed between exchanges. */
const stateChangeKinds = [
  'clock-moved',
  'clock-set-back',
  'clock-mode',
  'reset',
  'restored',
  'keys-changed',
  'pets-changed',
  'faults-changed',
  'gaps-changed',
  'rate-limits-changed',
  'test-started',
  'test-ended',
] as const

export type StateChangeKind = (typeof stateChangeKinds)[number]

/** The name of a test. */
export const testName = text({ use: '1 to 1,000 characters', pattern: /[\s\S]/, most: 1_000 })

/** A change of the world between exchanges. */
export const stateChange = named(
  'StateChange',
  object({
    /** Its place among the starts and answers of requests. */
    order: integer(0, 1e15),
    /** The sandbox's time, ISO 8601 in UTC. */
    at: instantText,
    kind: oneOf(stateChangeKinds),
    /** The name of the test that began or ended. */
    name: optional(testName),
  }),
)

/** A change of the world between exchanges. */
export type StateChange = Input<typeof stateChange>

const wholeBytes = integer(0, Number.MAX_SAFE_INTEGER)

const milliseconds = number('a duration in milliseconds', { minimum: 0, maximum: 1e15 })

const body = {
  /** After 65,536 characters comes `…` in place of the rest. */
  body: string,
  /** How many bytes it has, if it can't be seen: it was cut, too large to keep, not UTF-8, or has keys hidden in it. */
  bodyBytes: optional(described('Its size, if `body` is not as it was sent.', wholeBytes)),
} as const

const request = object({ method: string, url: string, headers: dictionary(string), ...body })

const reply = { status: integer(100, 599), headers: dictionary(string), ...body } as const

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
  id: integer(1, 1e15),
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
      response: object({ kind: oneOf(['response']), ...reply }),
      'broken-response': object({ kind: oneOf(['broken-response']), ...reply, ...pieces }),
      disconnect: object({ kind: oneOf(['disconnect']) }),
      timeout: object({ kind: oneOf(['timeout']) }),
    },
    '{ "kind": "timeout" }',
  ),
  /** The window that the headers describe, and whether the request counted. */
  quota: object({
    window: oneOf(windowNames),
    limit: integer(0, 1e9),
    remaining: integer(0, 1e9),
    resetAt: instantText,
    counted: flag,
  }),
  /** The ids of the faults that struck it. */
  faults: list(integer(1, 1e12)),
  /** Why it was answered this way, in words, with the clause or gap. */
  why: string,
} as const

const order = integer(0, 1e15)

const realMs = number('a time in milliseconds', { minimum: 0, maximum: 1e15 })

/** What became of an answer: the client has it whole, left before that, or a fault broke it. */
export const deliveries = ['delivered', 'aborted', 'broken'] as const

export type Delivery = (typeof deliveries)[number]

/** What is known of an exchange besides its messages, for who judges or counts it. */
export const factProperties = {
  /** What decided how it was answered. */
  decision: object({
    /** The error code of a refusal, however the gap `errorCodes` writes it. */
    code: optional(nameIn(errorCodes)),
    /** The deciding clause; absent for an error that a fault injected. */
    clause: optional(string),
    /** The gap whose choice decided. */
    gap: optional(nameIn(gaps)),
    /** From when on the request would be served, if only time is needed. */
    retryAt: optional(instantText),
    /** The id of the pet that it added, in digits, whether or not the answer arrived. */
    petId: optional(string),
    /** How many pets fit what a list was asked for. */
    total: optional(order),
  }),
  /** Where its start and the end of its answer stand, in one sequence with those of all others and the marks. */
  sequence: object({ start: order, end: optional(order) }),
  /** When the request came, in real milliseconds on a clock of the host that never goes back. */
  receivedMs: realMs,
  /** When its answer ended, on the same clock; absent while it is on its way. */
  endedMs: optional(realMs),
  /** The number of the key or other token; `key` alone may be the beginning of several. */
  client: order,
  /** The number of its connection; only servers know one. */
  connection: optional(order),
  /** Through which adapter it came; `direct` is a call of the sandbox's `handle`. */
  adapter: oneOf(adapterNames),
  /** Whether the client has the whole answer, left before, or a fault broke it; absent while it is on its way. */
  delivery: optional(oneOf(deliveries)),
} as const

/** An exchange as the journal shows it: of keys, only the beginning. */
export const requestView = named('RequestView', object({ ...core, ...factProperties }))

/** An exchange as the journal shows it: of keys, only the beginning. */
export type RequestView = Input<typeof requestView>

/** A journal as a snapshot has it. */
export const savedLog = object({
  lastId: integer(0, 1e15),
  list: list(identity(requestView)),
  changes: list(identity(stateChange)),
})

/** How an exchange ended: with a status, or by a broken connection. */
export const outcomeStatus = either(integer(100, 599), oneOf(['disconnect', 'timeout']))

/** Which entries to return; filters left out match everything. */
export const requestFilter = object(
  {
    operation: optional(
      described('Only requests of this operation.', oneOf<OperationName>(operationNames)),
    ),
    method: optional(
      described('Only requests with this method, in upper or lower case.', methodName),
    ),
    /** A status, `disconnect` or `timeout`. */
    status: optional(
      described(
        'Only requests with this response status, or broken off in this way.',
        outcomeStatus,
      ),
    ),
    /** A key, whole or shortened as the log shows it. */
    key: optional(
      described('Only requests with this key, whole or shortened as the log shows it.', text()),
    ),
    /** From this instant on, by the sandbox's clock. */
    since: optional(
      described("Only requests from this instant on, by the sandbox's clock.", instant),
    ),
    /** Before this instant. */
    until: optional(
      described("Only requests before this instant, by the sandbox's clock.", instant),
    ),
    /** Only entries with a higher id. */
    afterId: optional(described('Only requests with a higher id.', integer(0, 1e15))),
    /** Return at most this many, the latest ones. */
    limit: optional(described('Return at most this many, the latest ones.', integer(1, 1e9))),
  },
  { title: 'filter', example: '{ "status": 429 }' },
)

/** Which entries to return; filters left out match everything. */
export type JournalQuery = Input<typeof requestFilter>

/** Parsed {@link JournalQuery}. */
export type RequestFilter = Output<typeof requestFilter>
