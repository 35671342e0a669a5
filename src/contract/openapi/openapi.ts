import { basePath, endpoints } from '../endpoints.ts'
import { errorSchema } from '../error.ts'
import { gapNames } from '../gaps.ts'
import { headersOfDeprecation, headersOfEveryReply, replyHeaders } from '../http/headers.ts'
import { petStatuses } from '../pet.ts'
import { plans } from '../plans.ts'
import { apiVersion, sharedRefusals, tags } from './descriptions.ts'
import { gapDescriptions } from './gap-descriptions.ts'
import { type DescribedHeader, headerDescriptions } from './header-descriptions.ts'
import {
  describeOperation,
  gapsOfAll,
  listGaps,
  type OpenApiOperation,
} from './openapi-operation.ts'
import { newPetProperties, petIdSchema } from './pet-schemas.ts'

type Schema = Readonly<Record<string, unknown>>

/** A header that replies carry. */
interface OpenApiHeader {
  readonly description: string
  readonly required: boolean
  readonly schema: Schema
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

function apiText(): string {
  const common = [
    'Every operation needs an API key (spec 5).',
    planText(),
    'An unknown path is answered with 404 and another method with 405, both with an Error body.',
  ]
  const gapsOfPaths = gapNames.filter((name) => gapDescriptions[name].operations.length === 0)
  return [
    common.join(' '),
    ...listGaps('Left open for every operation, and a gap:', gapsOfAll),
    ...listGaps('Left open for what is no operation, and a gap:', gapsOfPaths),
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

function paths(): OpenApiDocument['paths'] {
  const found: Record<string, Record<string, OpenApiOperation>> = {}
  for (const endpoint of Object.values(endpoints)) {
    found[endpoint.path] = {
      ...found[endpoint.path],
      [endpoint.method.toLowerCase()]: describeOperation(endpoint.name),
    }
  }
  return found
}

const headersInUse: readonly DescribedHeader[] = [
  ...headersOfEveryReply,
  ...headersOfDeprecation,
  ...Object.values(sharedRefusals).flatMap((refusal) => refusal.headers),
]

const headers: Readonly<Record<string, OpenApiHeader>> = Object.fromEntries(
  headersInUse.map((name) => {
    const { about, schema } = headerDescriptions[name]
    const required = !headersOfDeprecation.some((optional) => optional === name)
    return [replyHeaders[name].spelling, { description: about, required, schema }]
  }),
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
    // No `maxItems: 0`: generators of mocks fail on it, and it would be more than the spec shows.
    description:
      'Store orders, of whatever shape: it is not shown (spec 4.4). This sandbox never has any.',
    items: {},
  },
  Error: errorSchema,
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
