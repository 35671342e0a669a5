import { basePath, type Endpoint, endpoints, type OperationName } from '../endpoints.ts'
import { type ErrorBody, errorSchema } from '../error.ts'
import { type GapName, gapDescriptions, gapNames } from '../gaps.ts'
import {
  headersOfDeprecation,
  headersOfEveryResponse,
  type ResponseHeader,
  responseHeaders,
} from '../http.ts'
import { petStatuses } from '../pet.ts'
import { plans } from '../plans.ts'
import {
  apiVersion,
  type Content,
  type EndpointDescription,
  type ErrorDescription,
  endpointDescriptions,
  int64Schema,
  sharedErrors,
  tags,
} from './descriptions.ts'

const httpDate = {
  type: 'string',
  pattern: '^[A-Z][a-z]{2}, \\d{2} [A-Z][a-z]{2} \\d{4} \\d{2}:\\d{2}:\\d{2} GMT$',
} as const

/** The headers of the described operations: none of them answers 405 or redirects, and what a body is stands with it. */
type DescribedHeader = Exclude<
  ResponseHeader,
  'content-type' | 'content-length' | 'allow' | 'location'
>

/** The meaning of each header, and its form as JSON Schema with an example. */
export const headerDescriptions = {
  date: {
    description: "The sandbox's clock.",
    schema: { ...httpDate, examples: ['Fri, 15 Jan 2027 08:00:20 GMT'] },
  },
  'x-ratelimit-limit': {
    description: 'The applicable request limit (spec 8).',
    schema: { type: 'integer', minimum: 1, examples: [60] },
  },
  'x-ratelimit-remaining': {
    description: 'Requests remaining in the current window (spec 8).',
    schema: { type: 'integer', minimum: 0, examples: [59] },
  },
  'x-ratelimit-reset': {
    description:
      'Unix timestamp at which the limit resets, in seconds unless the gap resetUnit says otherwise (spec 8).',
    schema: { type: 'integer', format: 'int64', minimum: 0, examples: [1800000060] },
  },
  'retry-after': {
    description:
      'When to retry: in seconds, unless the gap retryAfterFormat has another unit, a date or a timestamp (spec 8).',
    schema: { oneOf: [{ type: 'number', exclusiveMinimum: 0 }, httpDate], examples: [40] },
  },
  deprecation: {
    description: 'Since when the operation is deprecated: RFC 9745 (spec 9).',
    schema: { type: 'string', pattern: '^(@\\d+|true)$', examples: ['@1764892800'] },
  },
  sunset: {
    description: 'When the operation is removed: RFC 8594 (spec 4.3).',
    schema: { ...httpDate, examples: ['Thu, 05 Dec 2030 00:00:00 GMT'] },
  },
  link: {
    description: 'What to use instead: RFC 8288 (spec 4.3).',
    schema: {
      type: 'string',
      pattern: '^<[^>]+>; rel="successor-version"$',
      examples: ['</v1/pets>; rel="successor-version"'],
    },
  },
  'www-authenticate': {
    description: 'The scheme to authenticate with: RFC 6750 (spec 5).',
    schema: {
      type: 'string',
      pattern: '^Bearer realm="petstore"',
      examples: ['Bearer realm="petstore"'],
    },
  },
} as const satisfies Readonly<
  Record<
    DescribedHeader,
    { readonly description: string; readonly schema: Readonly<Record<string, unknown>> }
  >
>

function apiText(): string {
  const common = [
    'Every operation needs an API key (spec 5).',
    planText(),
    'An unknown path gets 404 and another method with 405, both with an Error body.',
  ]
  const gapsOfPaths = gapNames.filter((name) => gapDescriptions[name].operations?.length === 0)
  return [
    common.join(' '),
    ...listGaps('Left open for every operation, and a gap:', gapsOfAll),
    ...listGaps('Left open for what is not an operation, and a gap:', gapsOfPaths),
  ].join('\n\n')
}

function planText(): string {
  const texts = Object.entries(plans).map(([plan, limits]) =>
    limits === 'custom'
      ? `${plan} as agreed`
      : `${plan} ${limits.minute} per minute and ${limits.day} per day`,
  )
  return `Requests are limited by the key's plan (spec 8): ${texts.join(', ')}.`
}

/** The operations by path and then by method, in lower case. */
function paths() {
  const found: Record<string, Record<string, ReturnType<typeof describeOperation>>> = {}
  for (const endpoint of Object.values(endpoints)) {
    found[endpoint.path] = {
      ...found[endpoint.path],
      [endpoint.method.toLowerCase()]: describeOperation(endpoint.name),
    }
  }
  return found
}

const headersInUse: readonly DescribedHeader[] = [
  ...headersOfEveryResponse,
  ...headersOfDeprecation,
  ...Object.values(sharedErrors).flatMap((rejection) => rejection.headers),
]

const headers = Object.fromEntries(
  headersInUse.map((name) => {
    const { description, schema } = headerDescriptions[name]
    const required = !headersOfDeprecation.some((optional) => optional === name)
    return [responseHeaders[name].spelling, { description: description, required, schema }]
  }),
)

const newPetProperties = {
  name: { type: 'string', description: 'What the animal is called.' },
  categoryId: { ...int64Schema, description: 'The number of its category.' },
  status: { $ref: '#/components/schemas/PetStatus' },
} as const

const schemas: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
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
    properties: {
      id: {
        ...int64Schema,
        description: 'Assigned by the service when the animal is added; no two animals share one.',
      },
      ...newPetProperties,
    },
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
    // No `maxItems: 0`: mock generators fail on it, and it would promise more than the spec shows.
    description:
      'Store orders, of whatever shape: it is not shown (spec 4.4). This sandbox never has any.',
    items: {},
  },
  Error: errorSchema,
}

/**
 * Describes the API in OpenAPI 3.1 (spec 1 to 9).
 *
 * @param serverUrl The base address of the paths, `/v1` included; by default relative to the document's own address.
 */
export function openApiDocument(serverUrl: string = basePath) {
  return {
    openapi: '3.1.0',
    info: {
      title: 'Pet Store Service',
      version: apiVersion,
      summary: 'Lists, adds and gets the animals of a store.',
      description: apiText(),
      contact: { name: 'petstore-sandbox' },
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: serverUrl, description: 'The sandbox that serves this description.' }],
    security: [{ bearerAuth: [] }],
    tags: Object.entries(tags).map(([name, description]) => ({ name, description })),
    paths: paths(),
    components: {
      securitySchemes: {
        bearerAuth: { type: 'http', scheme: 'bearer', description: 'The API key (spec 5).' },
      },
      headers,
      schemas,
    },
  }
}

/** Describes an operation in OpenAPI 3.1 (spec 4). */
function describeOperation(name: OperationName) {
  const endpoint: Endpoint = endpoints[name]
  const description: EndpointDescription = endpointDescriptions[name]
  const { summary, tag, success, takes } = description
  const errors: EndpointDescription['errors'] = { ...sharedErrors, ...description.errors }
  return {
    operationId: name,
    summary,
    description: descriptionOf(name, endpoint, description),
    tags: [tag],
    ...(endpoint.deprecated === undefined ? {} : { deprecated: true }),
    parameters: parametersOf(endpoint, description),
    ...(takes === undefined ? {} : { requestBody: { required: true, content: jsonOf(takes) } }),
    responses: Object.fromEntries([
      [
        success.status,
        responseOf(success.description, headersOf(endpoint), success.content),
      ] as const,
      ...Object.entries(errors).map(([status, rejection]) => {
        const content = { schema: 'Error', examples: errorsOf(rejection, Number(status)) }
        const headers = headersOf(endpoint, rejection.headers)
        return [status, responseOf(rejection.description, headers, content)] as const
      }),
    ]),
  }
}

function responseOf(
  description: string,
  headers: ReturnType<typeof headersOf>,
  content: Content | undefined,
) {
  return { description, headers, ...(content === undefined ? {} : { content: jsonOf(content) }) }
}

/** Returns an operation's description with its clause and its gaps. */
function descriptionOf(
  name: OperationName,
  { spec, deprecated }: Endpoint,
  { description }: EndpointDescription,
): string {
  const removal =
    deprecated === undefined
      ? []
      : [
          `To be removed on ${new Date(deprecated.sunsetAt['start-of-day']).toISOString().slice(0, 10)}.`,
        ]
  const ofIt = gapNames.filter((gap) => gapDescriptions[gap].operations?.includes(name))
  return [
    `${description} See spec ${spec}.`,
    ...removal,
    ...listGaps('Left open, and a gap:', ofIt),
    `Left open for every operation: ${gapsOfAll.join(', ')}.`,
  ].join('\n\n')
}

function parametersOf({ query }: Endpoint, { parameters }: EndpointDescription) {
  return Object.entries(parameters).map(([name, parameter]) => {
    const isInQuery = query.includes(name)
    return { name, ...parameter, in: isInQuery ? 'query' : 'path', required: !isInQuery } as const
  })
}

function jsonOf({ schema, examples }: Content) {
  return {
    'application/json': {
      schema: { $ref: `#/components/schemas/${schema}` },
      examples: Object.fromEntries(
        Object.entries(examples).map(([name, value]) => [name, { value }] as const),
      ),
    },
  }
}

/** Returns an Error body for each message of an error response, by code. */
function errorsOf(
  { messages }: ErrorDescription,
  status: number,
): Readonly<Record<string, ErrorBody>> {
  return Object.fromEntries(
    Object.entries(messages).map(([code, message]) => [code, { code, message, status }]),
  )
}

function headersOf({ deprecated }: Endpoint, more: readonly ResponseHeader[] = []) {
  const ofOperation = deprecated === undefined ? [] : headersOfDeprecation
  return Object.fromEntries(
    [...headersOfEveryResponse, ...ofOperation, ...more].map((name) => {
      const { spelling } = responseHeaders[name]
      return [spelling, { $ref: `#/components/headers/${spelling}` }]
    }),
  )
}

/** The gaps that concern every operation. */
const gapsOfAll = gapNames.filter((name) => gapDescriptions[name].operations === undefined)

/** Lists gaps under a heading; returns an empty list for an empty list of names. */
function listGaps(heading: string, names: readonly GapName[]): string[] {
  if (names.length === 0) return []
  return [heading, names.map((name) => `- ${name}: ${gapDescriptions[name].summary}`).join('\n')]
}
