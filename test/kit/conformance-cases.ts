import { Ajv2020 } from 'ajv/dist/2020.js'
import jsonOverHttp from '../../fixtures/conformance/1-json-over-http.json' with { type: 'json' }
import resources from '../../fixtures/conformance/2-resources.json' with { type: 'json' }
import states from '../../fixtures/conformance/3-states.json' with { type: 'json' }
import listPets from '../../fixtures/conformance/4.1-list-pets.json' with { type: 'json' }
import createPet from '../../fixtures/conformance/4.2-create-pet.json' with { type: 'json' }
import getPet from '../../fixtures/conformance/4.3-get-pet.json' with { type: 'json' }
import listOrders from '../../fixtures/conformance/4.4-list-orders.json' with { type: 'json' }
import pathsAndMethods from '../../fixtures/conformance/4-paths-and-methods.json' with {
  type: 'json',
}
import authentication from '../../fixtures/conformance/5-authentication.json' with { type: 'json' }
import errors from '../../fixtures/conformance/7-errors.json' with { type: 'json' }
import exceeded from '../../fixtures/conformance/8-exceeded.json' with { type: 'json' }
import rateLimits from '../../fixtures/conformance/8-rate-limits.json' with { type: 'json' }
import versioning from '../../fixtures/conformance/9-versioning.json' with { type: 'json' }
import type { GapSettings } from '../../src/mock/api/gaps.ts'
import type { ApiRequest, Handler, Headers, Outcome } from '../../src/mock/api/message.ts'
import type { PerWindow } from '../../src/mock/api/plans.ts'
import type { RateLimitMode } from '../../src/mock/state/beginning.ts'
import { createSandbox, type Sandbox } from '../../src/sandbox/sandbox.ts'

/** Something that happens before the request of a case. */
type Step =
  | { readonly kind: 'send'; readonly request: ApiRequest; readonly times?: number }
  | { readonly kind: 'advance'; readonly by: string }
  | { readonly kind: 'remaining'; readonly key: string; readonly remaining: PerWindow }

/** One request and the whole reply that it gets; `fixtures/conformance/README.md` explains the fields. */
interface ConformanceCase {
  readonly name: string
  readonly clause: string
  readonly gaps?: GapSettings
  readonly clock?: string
  readonly rateLimits?: RateLimitMode
  readonly before?: readonly Step[]
  readonly bodyBytes?: number
  readonly request: ApiRequest
  readonly response: { readonly status: number; readonly headers: Headers; readonly body: string }
}

const files: Readonly<Record<string, unknown>> = {
  '1-json-over-http.json': jsonOverHttp,
  '2-resources.json': resources,
  '3-states.json': states,
  '4-paths-and-methods.json': pathsAndMethods,
  '4.1-list-pets.json': listPets,
  '4.2-create-pet.json': createPet,
  '4.3-get-pet.json': getPet,
  '4.4-list-orders.json': listOrders,
  '5-authentication.json': authentication,
  '7-errors.json': errors,
  '8-exceeded.json': exceeded,
  '8-rate-limits.json': rateLimits,
  '9-versioning.json': versioning,
}

const text = { type: 'string' }
const texts = { type: 'object', additionalProperties: text }

const requestSchema = {
  type: 'object',
  required: ['method', 'url', 'headers', 'body'],
  properties: { method: text, url: text, headers: texts, body: text },
  additionalProperties: false,
}

const stepSchema = {
  type: 'object',
  required: ['kind'],
  oneOf: [
    {
      required: ['request'],
      properties: {
        kind: { const: 'send' },
        request: requestSchema,
        times: { type: 'integer', minimum: 2 },
      },
      additionalProperties: false,
    },
    {
      required: ['by'],
      properties: { kind: { const: 'advance' }, by: text },
      additionalProperties: false,
    },
    {
      required: ['key', 'remaining'],
      properties: { kind: { const: 'remaining' }, key: text, remaining: { type: 'object' } },
      additionalProperties: false,
    },
  ],
}

const casesSchema = {
  type: 'array',
  items: {
    type: 'object',
    required: ['name', 'clause', 'request', 'response'],
    properties: {
      name: text,
      clause: text,
      gaps: { type: 'object' },
      clock: text,
      rateLimits: { enum: ['enforce', 'report-only'] },
      before: { type: 'array', items: stepSchema },
      bodyBytes: { type: 'integer' },
      request: requestSchema,
      response: {
        type: 'object',
        required: ['status', 'headers', 'body'],
        properties: { status: { type: 'integer' }, headers: texts, body: text },
        additionalProperties: false,
      },
    },
    additionalProperties: false,
  },
}

const ajv = new Ajv2020({ strictTypes: false, strictRequired: false })
const isCases = ajv.compile<readonly ConformanceCase[]>(casesSchema)

/** All cases of `fixtures/conformance`. */
export const conformanceCases: readonly ConformanceCase[] = Object.entries(files).flatMap(
  ([file, cases]) => {
    if (!isCases(cases)) {
      throw new TypeError(`Cannot read ${file}: ${ajv.errorsText(isCases.errors)}`)
    }
    return cases.map((one) => ({ ...one, request: padded(one) }))
  },
)

/** Fills a body up with spaces, so that a large one takes no room in its file. */
function padded({ request, bodyBytes = 0 }: ConformanceCase): ApiRequest {
  return { ...request, body: request.body.padEnd(bodyBytes) }
}

/** Where the clock of a case stands that states no other instant: Unix second 1,800,000,020. */
const defaultClock = '2027-01-15T08:00:20Z'

/** Makes the sandbox of a case: the default seed, and a clock that stands still. */
export function createSandboxFor({
  clock = defaultClock,
  gaps,
  rateLimits,
}: ConformanceCase): Sandbox {
  return createSandbox({
    clock: { now: clock, mode: 'frozen' },
    ...(gaps === undefined ? {} : { gaps }),
    ...(rateLimits === undefined ? {} : { rateLimits }),
  })
}

/**
 * Plays a case on its sandbox and gives what became of its request.
 *
 * @param handle The adapter to send through; the sandbox's own by default.
 */
export async function play(
  { before = [], request }: ConformanceCase,
  sandbox: Sandbox,
  handle: Handler = sandbox.handle,
): Promise<Outcome> {
  for (const step of before) await take(step, sandbox, handle)
  return await handle(request)
}

async function take(step: Step, sandbox: Sandbox, handle: Handler): Promise<void> {
  switch (step.kind) {
    case 'send':
      await handle(step.request)
      // The same again says nothing of an adapter, and takes one that leads through a browser long.
      for (let sent = 1; sent < (step.times ?? 1); sent++) await sandbox.handle(step.request)
      return
    case 'advance':
      sandbox.clock.advance(step.by)
      return
    case 'remaining':
      sandbox.keys.setRemaining(step.key, step.remaining)
  }
}
