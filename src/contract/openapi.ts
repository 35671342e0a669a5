import { apiVersion, basePath, type Endpoint, endpoints, tags } from './endpoints.ts'
import { errorSchema } from './error.ts'
import { gapNames, gaps } from './gaps.ts'
import { type ReplyHeader, replyHeaders } from './headers.ts'
import { newPetProperties, petIdSchema, petStatuses } from './pet.ts'
import { plans } from './plans.ts'

type Schema = Readonly<Record<string, unknown>>

interface Reference {
  readonly $ref: string
}

/** A parameter of an operation. */
interface OpenApiParameter {
  readonly name: string
  readonly in: 'path' | 'query'
  readonly description: string
  readonly required: boolean
  readonly schema: Schema
}

/** A header that replies carry. */
interface OpenApiHeader {
  readonly description: string
  readonly required: boolean
  readonly schema: Schema
}

/** JSON of one schema. */
interface OpenApiContent {
  readonly 'application/json': { readonly schema: Reference }
}

/** A reply that an operation can give. */
interface OpenApiResponse {
  readonly description: string
  readonly headers: Readonly<Record<string, Reference>>
  readonly content: OpenApiContent
}

/** One operation. */
interface OpenApiOperation {
  readonly operationId: string
  readonly summary: string
  readonly description: string
  readonly tags: readonly string[]
  readonly deprecated?: true
  readonly parameters: readonly OpenApiParameter[]
  readonly requestBody?: { readonly required: true; readonly content: OpenApiContent }
  readonly responses: Readonly<Record<string, OpenApiResponse>>
}

/** The parts of OpenAPI 3.1 that the description uses. */
export interface OpenApiDocument {
  readonly openapi: '3.1.0'
  readonly info: Readonly<Record<string, unknown>>
  readonly servers: readonly { readonly url: string; readonly description: string }[]
  readonly security: readonly Readonly<Record<string, readonly string[]>>[]
  readonly tags: readonly { readonly name: string; readonly description: string }[]
  /** By path and then by method, in lower case. */
  readonly paths: Readonly<Record<string, Readonly<Record<string, OpenApiOperation>>>>
  readonly components: {
    readonly securitySchemes: Readonly<Record<string, Readonly<Record<string, string>>>>
    readonly headers: Readonly<Record<string, OpenApiHeader>>
    readonly schemas: Readonly<Record<string, Schema>>
  }
}

/**
 * Describes the API in OpenAPI 3.1 (spec 1 to 9).
 *
 * @param serverUrl The address that the paths are under, `/v1` included; by default relative to the document's own.
 */
export function openApiDocument(serverUrl: string = basePath): OpenApiDocument {
  return {
    openapi: '3.1.0',
    info: {
      title: 'Pet Store Service',
      version: apiVersion,
      summary: 'Lists, adds and gets the animals of a store.',
      description: [
        'Every operation needs an API key (spec 5).',
        planText(),
        'An unknown path is answered with 404 and another method with 405, both with an Error body.',
      ].join(' '),
      contact: { name: 'petstore-sandbox' },
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: serverUrl, description: 'The sandbox that serves this description.' }],
    security: [{ bearerAuth: [] }],
    tags: Object.entries(tags).map(([name, description]) => ({ name, description })),
    paths: pathsOf(Object.values(endpoints)),
    components: {
      securitySchemes: {
        bearerAuth: { type: 'http', scheme: 'bearer', description: 'The API key (spec 5).' },
      },
      headers,
      schemas,
    },
  }
}

function planText(): string {
  const texts = Object.entries(plans).map(([plan, limits]) =>
    limits === 'custom'
      ? `${plan} as agreed`
      : `${plan} ${limits.minute} per minute and ${limits.day} per day`,
  )
  return `Requests are limited by the key's plan (spec 8): ${texts.join(', ')}.`
}

function pathsOf(all: readonly Endpoint[]): OpenApiDocument['paths'] {
  const paths: Record<string, Record<string, OpenApiOperation>> = {}
  for (const endpoint of all) {
    paths[endpoint.path] = {
      ...paths[endpoint.path],
      [endpoint.method.toLowerCase()]: operationOf(endpoint),
    }
  }
  return paths
}

function operationOf(endpoint: Endpoint): OpenApiOperation {
  const { name, summary, tag, success, takes } = endpoint
  const refusals = Object.entries({ ...sharedRefusals, ...endpoint.refusals })
  return {
    operationId: name,
    summary,
    description: descriptionOf(endpoint),
    tags: [tag],
    ...(endpoint.deprecated === undefined ? {} : { deprecated: true }),
    parameters: parametersOf(endpoint),
    ...(takes === undefined ? {} : { requestBody: { required: true, content: jsonOf(takes) } }),
    responses: {
      [success.status]: {
        description: success.about,
        headers: headersOf(endpoint),
        content: jsonOf(success.schema),
      },
      ...Object.fromEntries(
        refusals.map(([status, about]) => [
          status,
          {
            description: about,
            headers: headersOf(endpoint, headersOfRefusal[status]),
            content: jsonOf('Error'),
          },
        ]),
      ),
    },
  }
}

/** An operation's description with its clause and what that clause leaves open. */
function descriptionOf({ description, spec, deprecated }: Endpoint): string {
  const removal =
    deprecated === undefined
      ? []
      : [`To be removed on ${new Date(deprecated.sunsetAt).toISOString().slice(0, 10)}.`]
  const open = gapNames
    .filter((name) => gaps[name].spec === spec)
    .map((name) => `- ${name}: ${gaps[name].about}`)
  const openText = open.length === 0 ? [] : [`Left open, and a gap:\n\n${open.join('\n')}`]
  return [`${description} See spec ${spec}.`, ...removal, ...openText].join('\n\n')
}

function parametersOf({ pathParameters, query }: Endpoint): OpenApiParameter[] {
  return [
    ...pathParameters.map((parameter) => ({ ...parameter, in: 'path', required: true }) as const),
    ...query.map((parameter) => ({ ...parameter, in: 'query', required: false }) as const),
  ]
}

function jsonOf(schema: string): OpenApiContent {
  return { 'application/json': { schema: { $ref: `#/components/schemas/${schema}` } } }
}

/** When every operation refuses, by status (spec 5, 8). */
const sharedRefusals = {
  401: 'The API key is missing or invalid (spec 5).',
  403: 'The API key is banned, where the gap banStatus is 403 (spec 8).',
  429: 'A rate limit is exceeded, or the API key is banned (spec 8).',
} as const

const headersOfEveryReply = [
  'date',
  'x-ratelimit-limit',
  'x-ratelimit-remaining',
  'x-ratelimit-reset',
] as const satisfies ReplyHeader[]

const headersOfRefusal: Readonly<Record<string, readonly ReplyHeader[]>> = {
  401: ['www-authenticate'],
  403: ['retry-after'],
  429: ['retry-after'],
}

/** Those of {@link replyHeaders} that a gap can leave out. */
const headersOfDeprecation = ['deprecation', 'sunset', 'link'] as const satisfies ReplyHeader[]

function headersOf(
  { deprecated }: Endpoint,
  more: readonly ReplyHeader[] = [],
): Readonly<Record<string, Reference>> {
  const ofOperation = deprecated === undefined ? [] : headersOfDeprecation
  return Object.fromEntries(
    [...headersOfEveryReply, ...ofOperation, ...more].map((name) => {
      const { spelling } = replyHeaders[name]
      return [spelling, { $ref: `#/components/headers/${spelling}` }]
    }),
  )
}

const headers: Readonly<Record<string, OpenApiHeader>> = Object.fromEntries(
  [...headersOfEveryReply, ...headersOfDeprecation, ...Object.values(headersOfRefusal).flat()].map(
    (name) => {
      const { spelling, about, schema } = replyHeaders[name]
      const required = !headersOfDeprecation.some((optional) => optional === name)
      return [spelling, { description: about, required, schema }]
    },
  ),
)

const schemas: Readonly<Record<string, Schema>> = {
  PetStatus: {
    type: 'string',
    description: 'Whether an animal is to be had (spec 2, 3).',
    enum: petStatuses,
  },
  NewPet: {
    type: 'object',
    description: 'What a client sends to add an animal (spec 2).',
    required: ['name', 'categoryId'],
    properties: newPetProperties,
    examples: [
      { name: 'Bella', categoryId: 1, status: 'available' },
      { name: 'Stray', categoryId: 1 },
    ],
  },
  Pet: {
    type: 'object',
    description: 'An animal as the service gives it (spec 2).',
    required: ['id', 'name', 'categoryId'],
    properties: { id: petIdSchema, ...newPetProperties },
    additionalProperties: false,
    examples: [
      { id: 1, name: 'Bella', categoryId: 1, status: 'available' },
      { id: 29, name: 'Stray', categoryId: 1 },
    ],
  },
  Pets: {
    type: 'array',
    description: 'A page of animals (spec 2, 4.1).',
    items: { $ref: '#/components/schemas/Pet' },
  },
  Orders: {
    type: 'array',
    description: 'Always empty, since the shape of an order is not shown (spec 4.4).',
    items: {},
    maxItems: 0,
  },
  Error: errorSchema,
}
