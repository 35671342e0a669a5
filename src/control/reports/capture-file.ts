import { dictionary, list } from '../../input/collections.ts'
import { instant } from '../../input/instant.ts'
import { object, optional, variant } from '../../input/object.ts'
import { described, type Given, named, type Read } from '../../input/schema.ts'
import { anyThat, oneOf, string, whole } from '../../input/values.ts'
import { sandboxOptions } from '../../state/beginning.ts'

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
  bodyBytes: optional(whole(0, Number.MAX_SAFE_INTEGER)),
  /** Why the request couldn't be read, if it couldn't. */
  unreadable: optional(string),
})

/** What became of a request. */
const outcome = object({
  kind: oneOf(['reply', 'broken-reply', 'disconnect', 'timeout']),
  /** Of a reply, as are headers and body. */
  status: optional(whole(100, 599)),
  headers: optional(dictionary(string)),
  body: optional(string),
  /** A digest of the body, where the file has enough of bodies. */
  bodyDigest: optional(whole(0, Number.MAX_SAFE_INTEGER)),
})

/** What became of a request, as a capture has it. */
export type CapturedOutcome = Read<typeof outcome>

/** What came before all that is known of a sandbox. */
export const earlierRequests = object({
  /** How many requests. */
  exchanges: described('How many requests came before.', whole(0, Number.MAX_SAFE_INTEGER)),
  /** When the first step was, on the sandbox's clock. */
  until: described("The sandbox's time at which what is known begins.", instant),
})

const anyJson = anyThat('any JSON', (found): found is unknown => found !== undefined)

/** A step of a capture. */
export const captureStep = variant(
  'do',
  {
    request: object({
      do: oneOf(['request']),
      /** Its id in the journal; of one that wasn't answered yet, the next one that was free. */
      number: whole(1, 1e15),
      at: instant,
      request,
      outcome,
    }),
    control: object({
      do: oneOf(['control']),
      at: instant,
      /** Its name among the typed controls, such as `keys.change`. */
      name: string,
      given: list(anyJson),
    }),
  },
  '{ "do": "control", "at": "2030-12-05T00:00:00Z", "name": "reset", "given": [] }',
)

/** A step of a capture. */
export type CaptureStep = Read<typeof captureStep>

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
      earlier: optional(earlierRequests),
      /** In order, each with the time on the sandbox's clock. */
      steps: list(captureStep),
    },
    { title: 'capture', example: '{ "petstoreCapture": 1, "begin": {}, "steps": [] }' },
  ),
)

/** How a sandbox began, and everything that was done to it, as JSON has it. */
export type Capture = Given<typeof captureFile>

/** A capture that was read. */
export type ReadCapture = Read<typeof captureFile>
