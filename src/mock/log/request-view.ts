import { type OperationName, operationNames } from '../api/endpoints.ts'
import { errorCodes } from '../api/error.ts'
import { gaps } from '../api/gaps.ts'
import { methodName } from '../api/http.ts'
import { adapterNames } from '../api/message.ts'
import { windowNames } from '../api/plans.ts'
import { dictionary, type GivenOf, list, object, optional, variant } from '../input/object.ts'
import {
  described,
  type Input,
  identity,
  named,
  type Output,
  type Schema,
} from '../input/schema.ts'
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

/** The kinds of state changes and test events between requests. */
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

/** Kind of a state change, or of the start or end of a test. */
export type StateChangeKind = (typeof stateChangeKinds)[number]

/** State changes that only let time pass. Any other makes what a client knew meaningless. */
export const harmlessChanges: ReadonlySet<StateChangeKind> = new Set(['clock-moved', 'clock-mode'])

/** The name of a test. */
export const testName = text({ use: '1 to 1,000 characters', pattern: /[\s\S]/, most: 1_000 })

/** A state change between requests, or the start or end of a test. */
export const stateChange = named(
  'StateChange',
  object({
    /** Its place in the sequence of request starts and response ends. */
    sequence: integer(0, 1e15),
    /** The sandbox's time, ISO 8601 in UTC. */
    at: instantText,
    /** The kind of change. */
    kind: oneOf(stateChangeKinds),
    /** The name of the test that started or ended. */
    name: optional(testName),
  }),
)

/** A state change between requests, or the start or end of a test. */
export interface StateChange extends Input<typeof stateChange> {}

const wholeBytes = integer(0, Number.MAX_SAFE_INTEGER)

const milliseconds = number('a duration in milliseconds', { minimum: 0, maximum: 1e15 })

const body = {
  /** The text of the body; after 65,536 characters `…` replaces the rest. */
  body: string,
  /**
   * Size in bytes if the body isn't shown as sent: it was cut, was too large to keep, isn't UTF-8, or contains hidden
   * keys.
   */
  bodyBytes: optional(wholeBytes),
} as const

const request = object({
  /** The method, in upper case. */
  method: string,
  /** The request target: path and query, with abbreviated keys. */
  url: string,
  /** The headers by lower-case name, with abbreviated keys. */
  headers: dictionary(string),
  ...body,
})

const responseFields = {
  /** The HTTP status. */
  status: integer(100, 599),
  /** The headers by lower-case name. */
  headers: dictionary(string),
  ...body,
} as const

const pieces = {
  /** Handling of the connection after the last piece: it stayed open, was closed, or was reset. */
  end: optional(oneOf(['whole', 'close', 'reset'])),
  /** Number of bytes of the body that were sent; absent until the transfer has ended. */
  sentBytes: optional(wholeBytes),
  /** Duration of the body's transfer in milliseconds, on the sandbox's clock. */
  bodyMs: optional(milliseconds),
} as const

const responseOutcome = object({
  /** A whole response. */
  kind: oneOf(['response']),
  ...responseFields,
})

/** A whole response in the request log. */
export interface LoggedResponse extends Input<typeof responseOutcome> {}

const brokenOutcome = object({
  /** A response whose body came in pieces or broke off. */
  kind: oneOf(['broken-response']),
  ...responseFields,
  ...pieces,
})

/** A response in the request log that was sent in pieces, or broke off. */
export interface LoggedBrokenResponse extends Input<typeof brokenOutcome> {}

/** The outcome of a request in the log, with a name in the declarations, which keeps the comments. */
const outcome: Schema<
  | LoggedResponse
  | LoggedBrokenResponse
  | {
      /** No response: the connection was reset. */
      readonly kind: 'disconnect'
    }
  | {
      /** No response: the request stayed open. */
      readonly kind: 'timeout'
    }
> = variant(
  'kind',
  {
    response: responseOutcome,
    'broken-response': brokenOutcome,
    disconnect: object({ kind: oneOf(['disconnect']) }),
    timeout: object({ kind: oneOf(['timeout']) }),
  },
  '{ "kind": "timeout" }',
)

const core = {
  /** Counts up from 1, also across resets; captures, findings and reports name a request by it. */
  id: integer(1, 1e15),
  /** The sandbox's time, ISO 8601 in UTC. */
  at: instantText,
  /** Time to the response on the sandbox's clock, without that of a body in pieces. */
  durationMs: milliseconds,
  /** The operation; absent if path or method match none. */
  operation: optional(oneOf(operationNames)),
  /** The abbreviated key, if one was sent. */
  key: optional(string),
  /** The request, with abbreviated keys. */
  request,
  /** The outcome: a response, a broken one, or none. */
  outcome,
  /** The window that the headers describe, and whether the request counted. */
  quota: object({
    /** The window: `minute` or `day`. */
    window: oneOf(windowNames),
    /** The limit, as in `X-RateLimit-Limit`. */
    limit: integer(0, 1e9),
    /** Number of requests left, as in `X-RateLimit-Remaining`. */
    remaining: integer(0, 1e9),
    /** The instant in `X-RateLimit-Reset`, ISO 8601 in UTC. */
    resetAt: instantText,
    /** Whether the request counted towards the limits. */
    counted: flag,
  }),
  /** The ids of the faults that were applied to it. */
  faults: list(integer(1, 1e12)),
  /** The reason for the response in words, with the clause or gap. */
  why: string,
} as const

const order = integer(0, 1e15)

const realMs = number('a time in milliseconds', { minimum: 0, maximum: 1e15 })

/** Delivery status of a response: complete, the client left before the end, or a fault broke it. */
export const deliveries = ['delivered', 'aborted', 'broken'] as const

/** End of a response: `delivered` whole, `aborted` by the client, or `broken` by a fault. */
export type Delivery = (typeof deliveries)[number]

/** The facts about a request besides its messages, for findings and coverage. */
export const factProperties = {
  /** The decision that led to the response. */
  decision: object({
    /** The error code of an error response, in the default spelling, whatever the gap `errorCodes` is. */
    code: optional(nameIn(errorCodes)),
    /** The deciding clause; absent for an error that a fault injected. */
    spec: optional(string),
    /** The gap whose value decided. */
    gap: optional(nameIn(gaps)),
    /** The time from which the request would succeed, if only time is needed. */
    retryAt: optional(instantText),
    /** The id of the pet that it added, in digits, even if the response was lost. */
    petId: optional(string),
    /** Number of pets that match the list query. */
    total: optional(order),
    /** Number of pets in the list. */
    count: optional(order),
  }),
  /** The places of its start and of its response's end in the sequence, which all requests and state changes share. */
  sequence: object({
    /** The place of its start. */
    start: order,
    /** The place of its response's end; absent until then. */
    end: optional(order),
  }),
  /** The time of the request in real milliseconds, on a host clock that never goes back. */
  receivedMs: realMs,
  /** The time at which its response ended, on the same clock; absent until then. */
  endedMs: optional(realMs),
  /** The number of the key or other token; several may share the abbreviation in `key`. */
  client: order,
  /** The number of its connection; only servers know it. */
  connection: optional(order),
  /** The adapter that it came through; `direct` is a call of the sandbox's `handle`. */
  adapter: oneOf(adapterNames),
  /** Whether the client has the whole response, left before the end, or a fault broke it; absent until then. */
  delivery: optional(oneOf(deliveries)),
} as const

/** A request as the request log shows it, with abbreviated keys. */
export const requestView = named('RequestView', object({ ...core, ...factProperties }))

/** A request as the request log shows it, with abbreviated keys. */
export interface RequestView extends Input<typeof requestView> {}

/** A request log in a snapshot. */
export const savedLog = object({
  lastId: integer(0, 1e15),
  list: list(identity(requestView)),
  changes: list(identity(stateChange)),
})

/** The outcome of a request: a status, or a broken connection. */
export const outcomeStatus = either(integer(100, 599), oneOf(['disconnect', 'timeout']))

/** Properties of a filter for requests, by name. */
export const filterProperties = {
  /** Only requests of this operation. */
  operation: optional(
    described('Only requests of this operation.', oneOf<OperationName>(operationNames)),
  ),
  /** Only requests with this method, in upper or lower case. */
  method: optional(
    described('Only requests with this method, in upper or lower case.', methodName),
  ),
  /** Only requests with this response status, or with the outcome `disconnect` or `timeout`. */
  status: optional(
    described('Only requests with this status, or outcome disconnect or timeout.', outcomeStatus),
  ),
  /** Only requests with this key, whole or abbreviated as the log shows it. */
  key: optional(
    described('Only requests with this key, whole or shortened as the log shows it.', text()),
  ),
  /** Only requests from this instant on, by the sandbox's clock. */
  since: optional(
    described("Only requests from this instant on, by the sandbox's clock.", instant),
  ),
  /** Only requests before this instant, by the sandbox's clock. */
  until: optional(described("Only requests before this instant, by the sandbox's clock.", instant)),
  /** Only requests with a higher id. */
  afterId: optional(described('Only requests with a higher id.', integer(0, 1e15))),
  /** Maximum number of requests to return, the latest ones; all by default. */
  limit: optional(described('Return at most this many, the latest ones.', integer(1, 1e9))),
} as const

/** Filter for requests; an omitted property matches everything. */
export const requestFilter = object(filterProperties, {
  title: 'filter',
  example: '{ "status": 429 }',
})

/** Filter for requests; an omitted property matches everything. */
export interface RequestFilter extends GivenOf<typeof filterProperties> {}

/** Parsed {@link RequestFilter}. */
export type ParsedRequestFilter = Output<typeof requestFilter>
