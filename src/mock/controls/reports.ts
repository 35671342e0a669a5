import { dictionary, list, object, optional, variant } from '../input/object.ts'
import { isRecord } from '../input/record.ts'
import {
  described,
  hoisted,
  type Input,
  identity,
  type JsonSchema,
  named,
  type Output,
} from '../input/schema.ts'
import { custom, flag, instant, integer, number, oneOf, string } from '../input/values.ts'
import { changingControls } from '../log/recording.ts'
import { deliveries, stateChange } from '../log/request-view.ts'
import { gapSettings } from '../spec/gaps.ts'
import { adapterNames, type Outcome } from '../spec/message.ts'
import { sandboxOptions } from '../state/beginning.ts'

/** The version of captures; later versions of the package read it, too. */
export const captureVersion = 1

/** Where the JSON Schema of captures is published, and what it is called. */
export const captureSchemaUrl = 'https://unpkg.com/petstore-sandbox/dist/capture.schema.json'

const request = object({
  method: string,
  url: string,
  /** Those that decide an answer. */
  headers: dictionary(string),
  body: string,
  /** How many bytes the body has, if `body` can't have them. */
  bodyBytes: optional(integer(0, Number.MAX_SAFE_INTEGER)),
  /** Why the request couldn't be read, if it couldn't. */
  unreadable: optional(string),
})

const replayedResponse = object({
  kind: oneOf(['response', 'broken-response', 'disconnect', 'timeout']),
  /** Of a reply, as are headers and body. */
  status: optional(integer(100, 599)),
  headers: optional(dictionary(string)),
  body: optional(string),
})

/** What became of a request in a replay. */
export type ReplayedResponse = Input<typeof replayedResponse>

/** What became of a request. */
const outcome = object({
  ...replayedResponse.properties,
  /** A digest of the body, where the file has enough of bodies. */
  bodyDigest: optional(integer(0, Number.MAX_SAFE_INTEGER)),
})

/** What became of a request, as a capture has it. */
export type CapturedOutcome = Output<typeof outcome>

/** The start of a request, or the end of its answer. */
const moment = object({
  order: described('Its place among those of all requests and events.', integer(0, 1e15)),
  real: described(
    'In milliseconds, on a clock of the host that never goes back.',
    number('a time in milliseconds', { minimum: 0, maximum: 1e15 }),
  ),
  host: described(
    "What the host's clock showed, in Unix milliseconds.",
    number('a time in milliseconds', { minimum: -1e16, maximum: 1e16 }),
  ),
  turn: described('In which turn of the event loop it was.', integer(0, 1e15)),
})

/** A request's way in and its answer's way out, by which the audit judges its client. */
const visit = object({
  adapter: oneOf(adapterNames),
  connection: optional(described('Its number; only servers know one.', integer(0, 1e15))),
  received: moment,
  answered: optional(described('Left out while the response was on its way.', moment)),
  endedAt: optional(described("The sandbox's time at which the outcome was known.", instant)),
  delivery: optional(described('What became of the response.', oneOf(deliveries))),
})

/** A request's way in and its answer's way out, as a capture has it. */
export type CapturedVisit = Output<typeof visit>

/** What came before all that is known of a sandbox. */
export const droppedRequests = object({
  requests: described('Number of requests before.', integer(0, Number.MAX_SAFE_INTEGER)),
  before: described("The sandbox's time from which on the log has all.", instant),
})

const anyJson = custom('any JSON', (found): found is unknown => found !== undefined)

/** A step of a capture. */
export const captureStep = variant(
  'do',
  {
    request: object({
      do: oneOf(['request']),
      /** Its id in the journal; of one that wasn't answered yet, the next one that was free. */
      number: integer(1, 1e15),
      at: instant,
      request,
      visit: optional(visit),
      outcome,
    }),
    control: object({
      do: oneOf(['control']),
      at: instant,
      /** Its name among the typed controls, such as `keys.update`. */
      name: oneOf(changingControls),
      given: list(anyJson),
    }),
  },
  '{ "do": "control", "at": "2030-12-05T00:00:00Z", "name": "reset", "given": [] }',
)

/** A step of a capture. */
export type CaptureStep = Output<typeof captureStep>

/** How a sandbox began, and everything that was done to it: all that it takes to do it again. */
export const captureFile = named(
  'Capture',
  object(
    {
      /** Where its JSON Schema is. */
      $schema: optional(string),
      petstoreCapture: oneOf([captureVersion]),
      /** The options of the sandbox. */
      begin: sandboxOptions,
      /** What came before the first step, which restores what the sandbox then held; left out where nothing did. */
      dropped: optional(droppedRequests),
      /** In order, each with the time on the sandbox's clock. */
      steps: list(captureStep),
      /** How the world changed between the exchanges: the latest 1,000 times. */
      marks: optional(
        described('Changes of the state between requests.', list(identity(stateChange))),
      ),
    },
    { title: 'capture', example: '{ "petstoreCapture": 1, "begin": {}, "steps": [] }' },
  ),
)

/** How a sandbox began, and everything that was done to it, as JSON has it. */
export type Capture = Input<typeof captureFile>

/** A capture that was read. */
export type ReadCapture = Output<typeof captureFile>

/** The JSON Schema of captures, which the build writes to a file of the package. */
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

const whatIfResult = named(
  'WhatIfResult',
  object({
    /** The gap values that were tried. */
    gaps: described('The gap values that were tried.', identity(gapSettings)),
    /** Whether any response would have differed. */
    changesResponse: described('Whether any response would have differed.', flag),
    /** Id of the first request with another response. */
    firstRequest: optional(
      described('Id of the first request with another response.', integer(1, 1e15)),
    ),
    /** Number of requests with another response, if `count` asked for it. */
    count: optional(
      described('Number of requests with another response, with `count`.', integer(1, 1e15)),
    ),
    /** Ids of the first five of these. */
    ids: optional(described('Ids of the first five of these.', list(integer(1, 1e15)))),
    /** The first request with another response, and both responses, if `responses` asked for them. */
    responses: optional(
      described(
        'The first request with another response, and both responses, with `responses`.',
        object({
          method: string,
          url: string,
          actual: replayedResponse,
          alternative: replayedResponse,
        }),
      ),
    ),
  }),
)

/** What other gap values would have changed. */
export type WhatIfResult = Input<typeof whatIfResult>

/** Responses that other gap values would have changed. */
export const whatIfReport = named(
  'WhatIf',
  object({
    /** Number of requests that were compared. */
    requests: described('Number of requests that were compared.', integer(0, 1e15)),
    /** The requests before, which the log no longer has; only where there were any. */
    dropped: optional(
      described('The requests before these, which the log no longer has.', droppedRequests),
    ),
    /** One result for each set of gap values that was tried. */
    results: described('One result for each set of gap values that was tried.', list(whatIfResult)),
    /** The gaps about what the spec doesn't promise. */
    unpromised: described("The gaps about what the spec doesn't promise.", list(string)),
  }),
)

/** Responses that other gap values would have changed. */
export type WhatIf = Input<typeof whatIfReport>

/** Options of `whatIf()`. */
export const whatIfOptions = object({
  /** The gap values to try, all at once; by default each other value of each gap in turn. */
  gaps: optional(
    described(
      'The gap values to try, all at once; by default each other value of each gap in turn.',
      gapSettings,
    ),
  ),
  /** Id of a request in the log: then only its response is compared, and what came before it stays as it was. */
  request: optional(
    described(
      'Id of a request: then only its response is compared, and what came before it stays as it was.',
      integer(1, 1e15),
    ),
  ),
  /** Whether to return the first request with another response, and both responses; `false` by default. */
  responses: optional(
    described(
      'Whether to return the first request with another response, and both responses; `false` by default.',
      flag,
    ),
    false,
  ),
  /** Whether to count all requests with another response, which takes longer; `false` by default. */
  count: optional(
    described(
      'Whether to count all requests with another response, which takes longer; `false` by default.',
      flag,
    ),
    false,
  ),
})

/** Options of `whatIf()`. */
export type WhatIfOptions = Input<typeof whatIfOptions>

/** Shows what became of a request in a replay. */
export function responseOf(outcome: Outcome): ReplayedResponse {
  if (!('status' in outcome)) return { kind: outcome.kind }
  const { kind, status, headers, body } = outcome
  return { kind, status, headers: { ...headers }, body }
}
