import { type Endpoint, endpoints, type OperationName } from '../endpoints.ts'
import type { ErrorBody } from '../error.ts'
import { type GapName, gapNames } from '../gaps.ts'
import {
  headersOfDeprecation,
  headersOfEveryReply,
  type ReplyHeader,
  replyHeaders,
} from '../http/headers.ts'
import {
  type Content,
  type EndpointDescription,
  endpointDescriptions,
  type Refusal,
  sharedRefusals,
} from './descriptions.ts'
import { gapDescriptions } from './gap-descriptions.ts'

interface Reference {
  readonly $ref: string
}

/** A parameter of an operation. */
interface OpenApiParameter {
  readonly name: string
  readonly in: 'path' | 'query'
  readonly description: string
  readonly required: boolean
  readonly schema: Readonly<Record<string, unknown>>
  readonly example: unknown
}

/** JSON of one schema, with examples by name. */
interface OpenApiContent {
  readonly 'application/json': {
    readonly schema: Reference
    readonly examples: Readonly<Record<string, { readonly value: unknown }>>
  }
}

/** A reply that an operation can give. */
interface OpenApiResponse {
  readonly description: string
  readonly headers: Readonly<Record<string, Reference>>
  /** Left out for a reply without a body. */
  readonly content?: OpenApiContent
}

/** One operation. */
export interface OpenApiOperation {
  readonly operationId: string
  readonly summary: string
  readonly description: string
  readonly tags: readonly string[]
  readonly deprecated?: true
  readonly parameters: readonly OpenApiParameter[]
  readonly requestBody?: { readonly required: true; readonly content: OpenApiContent }
  readonly responses: Readonly<Record<string, OpenApiResponse>>
}

/** Describes an operation in OpenAPI 3.1 (spec 4). */
export function describeOperation(name: OperationName): OpenApiOperation {
  const endpoint: Endpoint = endpoints[name]
  const description: EndpointDescription = endpointDescriptions[name]
  const { summary, tag, success, takes } = description
  const refusals: EndpointDescription['refusals'] = { ...sharedRefusals, ...description.refusals }
  return {
    operationId: name,
    summary,
    description: descriptionOf(name, endpoint, description),
    tags: [tag],
    ...(endpoint.deprecated === undefined ? {} : { deprecated: true }),
    parameters: parametersOf(description),
    ...(takes === undefined ? {} : { requestBody: { required: true, content: jsonOf(takes) } }),
    responses: {
      [success.status]: {
        description: success.about,
        headers: headersOf(endpoint),
        ...(success.content === undefined ? {} : { content: jsonOf(success.content) }),
      },
      ...Object.fromEntries(
        Object.entries(refusals).map(([status, refusal]) => [
          status,
          {
            description: refusal.about,
            headers: headersOf(endpoint, refusal.headers),
            content: jsonOf({ schema: 'Error', examples: errorsOf(refusal, Number(status)) }),
          },
        ]),
      ),
    },
  }
}

/** An operation's description with its clause and what the spec leaves open of it. */
function descriptionOf(
  name: OperationName,
  { spec, deprecated }: Endpoint,
  { description }: EndpointDescription,
): string {
  const removal =
    deprecated === undefined
      ? []
      : [`To be removed on ${new Date(deprecated.sunsetAt).toISOString().slice(0, 10)}.`]
  const ofIt = gapNames.filter((gap) => !gapsOfAll.includes(gap) && isTouched(name, gap))
  return [
    `${description} See spec ${spec}.`,
    ...removal,
    ...listGaps('Left open, and a gap:', ofIt),
    `Left open for every operation: ${gapsOfAll.join(', ')}.`,
  ].join('\n\n')
}

function parametersOf({ pathParameters, query }: EndpointDescription): OpenApiParameter[] {
  const ofPath = Object.entries(pathParameters).map(
    ([name, parameter]) => ({ name, ...parameter, in: 'path', required: true }) as const,
  )
  const ofQuery = Object.entries(query).map(
    ([name, parameter]) => ({ name, ...parameter, in: 'query', required: false }) as const,
  )
  return [...ofPath, ...ofQuery]
}

function jsonOf({ schema, examples }: Content): OpenApiContent {
  return {
    'application/json': {
      schema: { $ref: `#/components/schemas/${schema}` },
      examples: Object.fromEntries(
        Object.entries(examples).map(([name, value]) => [name, { value }]),
      ),
    },
  }
}

/** An Error body for each thing that a refusal says, by code. */
function errorsOf({ messages }: Refusal, status: number): Readonly<Record<string, ErrorBody>> {
  return Object.fromEntries(
    Object.entries(messages).map(([code, message]) => [code, { code, message, status }]),
  )
}

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

/** The gaps that touch every operation. */
export const gapsOfAll = gapNames.filter((name) => gapDescriptions[name].operations === 'all')

function isTouched(operation: OperationName, gap: GapName): boolean {
  const { operations } = gapDescriptions[gap]
  return operations === 'all' || operations.includes(operation)
}

/** Lists gaps under a heading; nothing where there are none. */
export function listGaps(heading: string, names: readonly GapName[]): string[] {
  if (names.length === 0) return []
  return [heading, names.map((name) => `- ${name}: ${gapDescriptions[name].about}`).join('\n')]
}
