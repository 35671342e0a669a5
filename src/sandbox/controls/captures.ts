import { savedGaps } from '../../mock/api/gaps.ts'
import { adapterNames, type Outcome } from '../../mock/api/message.ts'
import {
  dictionary,
  list,
  type NamedSchema,
  object,
  optional,
  variant,
} from '../../mock/input/object.ts'
import { isRecord } from '../../mock/input/record.ts'
import {
  described,
  hoisted,
  type Input,
  identity,
  type JsonSchema,
  named,
  type Output,
  type Schema,
} from '../../mock/input/schema.ts'
import { custom, instant, integer, number, oneOf, string } from '../../mock/input/values.ts'
import { deliveries, type StateChange, stateChange } from '../../mock/log/request-view.ts'
import { type SandboxOptions, sandboxOptions } from '../../mock/state/beginning.ts'
import { changingControls } from './http/routes.ts'

/** Version of the capture format; later versions of the package can read it too. */
export const captureVersion = 1

/** URL and id of the JSON Schema of captures. */
export const captureSchemaUrl = 'https://unpkg.com/petstore-sandbox/dist/capture.schema.json'

const request = object({
  /** The method, in upper case. */
  method: string,
  /** The request target: path and query, with keys renamed. */
  url: string,
  /** Headers that the response or the audit depends on. */
  headers: dictionary(string),
  /** The text of the body, with keys renamed. */
  body: string,
  /** Number of bytes in the body, if `body` can't contain them. */
  bodyBytes: optional(integer(0, Number.MAX_SAFE_INTEGER)),
  /** Reason why the request couldn't be read, if so. */
  unreadable: optional(string),
})

const replayedResponse = object({
  /** The kind of outcome: a response, a broken one, or none. */
  kind: oneOf(['response', 'broken-response', 'disconnect', 'timeout']),
  /** Status of a response; like headers and body, it is absent if there was none. */
  status: optional(integer(100, 599)),
  /** The headers by lower-case name. */
  headers: optional(dictionary(string)),
  /** The text of the body. */
  body: optional(string),
})

/** Outcome of a request in a replay. */
export interface ReplayedResponse extends Input<typeof replayedResponse> {}

/** Outcome of a request. */
const outcome = object({
  ...replayedResponse.properties,
  /** Digest of the body, once the file contains the maximum of body text. */
  bodyDigest: optional(integer(0, Number.MAX_SAFE_INTEGER)),
})

/** Outcome of a request in a capture. */
export type CapturedOutcome = Output<typeof outcome>

const momentFields = object({
  /** Place in the sequence of all request starts, response ends and state changes. */
  sequence: described('Its place among those of all requests and events.', integer(0, 1e15)),
  /** Time on a clock of the host that never goes back, in milliseconds. */
  real: described(
    'In milliseconds, on a clock of the host that never goes back.',
    number('a time in milliseconds', { minimum: 0, maximum: 1e15 }),
  ),
  /** Time of the host's clock, which test runners can fake, in Unix milliseconds. */
  host: described(
    "What the host's clock showed, in Unix milliseconds.",
    number('a time in milliseconds', { minimum: -1e16, maximum: 1e16 }),
  ),
  /** Number of the turn of the host's event loop. */
  tick: described('In which turn of the event loop it was.', integer(0, 1e15)),
})

/** Time at which a request started or its response ended. */
interface CapturedMoment extends Input<typeof momentFields> {}

// Keeps the name in the declarations, and with it the comments.
const moment: Schema<CapturedMoment> = momentFields

/** Timing and delivery of a request and its response, for the audit. */
const capturedTiming = object({
  /** The adapter that it came through. */
  adapter: oneOf(adapterNames),
  /** The number of its connection; only servers know it. */
  connection: optional(described('Its number; only servers know one.', integer(0, 1e15))),
  /** The start of the request. */
  start: moment,
  /** The end of its response; absent while it was on its way. */
  end: optional(described('Left out while the response was on its way.', moment)),
  /** The sandbox's time at which the outcome was known. */
  endedAt: optional(described("The sandbox's time at which the outcome was known.", instant)),
  /** Delivery status of the response. */
  delivery: optional(described('What became of the response.', oneOf(deliveries))),
})

/** Timing and delivery of a request in a capture. */
interface CapturedTiming extends Input<typeof capturedTiming> {}

/** Parsed timing and delivery of a request in a capture. */
export type ReadTiming = Output<typeof capturedTiming>

/** Requests before the ones that are still known. */
export const droppedRequests = object({
  /** Number of requests before. */
  requests: described('Number of requests before.', integer(0, Number.MAX_SAFE_INTEGER)),
  /** The sandbox's time from which on the log has all requests. */
  before: described("The sandbox's time from which on the log has all.", instant),
})

/** Requests before the ones that are still known. */
export interface DroppedRequests extends Input<typeof droppedRequests> {}

const anyJson = custom('any JSON', (found): found is unknown => found !== undefined)

const captureSteps = {
  request: object({
    /** Kind of step: a request. */
    do: oneOf(['request']),
    /** Id of the request in the log; the next free one if it had no outcome yet. */
    number: integer(1, 1e15),
    /** Its time on the sandbox's clock. */
    at: instant,
    /** The request, with keys renamed. */
    request,
    /** Timing and delivery, for findings. */
    timing: optional<CapturedTiming, ReadTiming>(capturedTiming),
    /** The outcome, which a replay compares. */
    outcome,
  }),
  control: object({
    /** Kind of step: a control call. */
    do: oneOf(['control']),
    /** Its time on the sandbox's clock. */
    at: instant,
    /** Name of the typed control, such as `keys.update`. */
    name: oneOf<string>(changingControls),
    /** The arguments of the call. */
    given: list(anyJson),
  }),
}

/** A request in a capture. */
interface CapturedRequest extends Input<typeof captureSteps.request> {}

/** A control call in a capture. */
interface CapturedControl extends Input<typeof captureSteps.control> {}

/** A parsed step of a capture. */
export type ReadStep = Output<(typeof captureSteps)[keyof typeof captureSteps]>

/** A step of a capture. */
const captureStep: Schema<CapturedRequest | CapturedControl, ReadStep> = variant(
  'do',
  captureSteps,
  '{ "do": "control", "at": "2030-12-05T00:00:00Z", "name": "reset", "given": [] }',
)

/** Options of a captured sandbox. */
const options: NamedSchema<typeof sandboxOptions.properties, SandboxOptions> = object({
  ...sandboxOptions.properties,
  gaps: optional(savedGaps),
})

/** A capture: the options of a sandbox, and all requests and controls so far, to replay them. */
export const captureFile = named(
  'Capture',
  object(
    {
      /** URL of its JSON Schema. */
      $schema: optional(string),
      /** Version of the format. */
      petstoreCapture: oneOf([captureVersion]),
      /** Options of the sandbox. */
      options,
      /** Requests before the first step, which restores the state after them; left out if there were none. */
      dropped: optional<DroppedRequests, Output<typeof droppedRequests>>(droppedRequests),
      /** Steps in order, each with its time on the sandbox's clock. */
      steps: list(captureStep),
      /** Latest 1,000 state changes, and tests that started and ended. */
      changes: optional(
        described(
          'Changes of the state between requests.',
          list<StateChange, StateChange>(identity(stateChange)),
        ),
      ),
    },
    { title: 'capture', example: '{ "petstoreCapture": 1, "options": {}, "steps": [] }' },
  ),
)

/** A capture as JSON: the options of a sandbox, and all requests and controls so far. */
export interface Capture extends Input<typeof captureFile> {}

/** A parsed capture. */
export type ReadCapture = Output<typeof captureFile>

/** Returns the JSON Schema of captures, which the build writes to a file in the package. */
export function captureSchema(): JsonSchema {
  const { document, schemas } = hoisted(captureFile.jsonSchema(), '#/$defs/')
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $id: captureSchemaUrl,
    title: 'A capture of petstore-sandbox',
    description:
      'How a sandbox began, and everything that was done to it. Integers beyond 2^53 are written digit for digit.',
    ...(isRecord(document) ? document : {}),
    $defs: schemas,
  }
}

/** Returns the outcome of a request in a replay, in the form of reports. */
export function responseOf(outcome: Outcome): ReplayedResponse {
  if (!('status' in outcome)) return { kind: outcome.kind }
  const { kind, status, headers, body } = outcome
  return { kind, status, headers: { ...headers }, body }
}
