import type { Properties } from '../../../input/object.ts'
import type { JsonSchema } from '../../../input/schema.ts'
import type { ControlRoute } from '../control-route.ts'
import { bytesText, nothing } from '../route-bodies.ts'

/** The refusals that controls have in common, by status: their names among the components, and what they mean. */
export const sharedRefusals = {
  400: {
    name: 'BadRequest',
    about: 'A parameter or the body is invalid, or the request cannot be met now.',
  },
  403: {
    name: 'Forbidden',
    about:
      'The control token is missing or wrong, or the request comes from a page of another site.',
  },
  404: { name: 'NotFound', about: 'Nothing has this id or name.' },
  413: { name: 'ContentTooLarge', about: 'The body is too large.' },
} as const

type SharedStatus = keyof typeof sharedRefusals

/** Describes a control as an operation of OpenAPI 3.1; schemas with a name are not referred to yet. */
export function describeControl(
  name: string,
  route: ControlRoute,
  refusal: (about: string) => JsonSchema,
): JsonSchema {
  const { tag, summary, description, body, params, query, refusals } = route
  const takesBody = !Object.is(body, nothing)
  return {
    operationId: operationIdOf(name),
    tags: [tag],
    summary,
    description,
    parameters: [
      ...parametersIn('path', params.properties),
      ...parametersIn('query', query.properties),
    ],
    ...(takesBody ? { requestBody: requestBodyOf(route) } : {}),
    responses: {
      [route.status]: successOf(route),
      ...shared(400),
      ...shared(403),
      ...(Object.keys(params.properties).length > 0 ? shared(404) : {}),
      ...(takesBody ? shared(413) : {}),
      ...Object.fromEntries(
        Object.entries(refusals).map(([status, about]) => [status, refusal(about)]),
      ),
    },
  }
}

/** `clock.change` is `clockChange`. */
function operationIdOf(name: string): string {
  return name.replace(/\.(\w)/g, (_, first: string) => first.toUpperCase())
}

function shared(status: SharedStatus): JsonSchema {
  return { [status]: { $ref: `#/components/responses/${sharedRefusals[status].name}` } }
}

function parametersIn(place: 'path' | 'query', properties: Properties): JsonSchema[] {
  return Object.entries(properties).map(([name, property]) => {
    const isOptional = 'fallback' in property
    const schema = isOptional ? property.schema : property
    const { description, ...described } = schema.describe()
    return { name, in: place, required: !isOptional, description, schema: described }
  })
}

function requestBodyOf({ body, maxBytes }: ControlRoute): JsonSchema {
  return {
    description: `At most ${bytesText(maxBytes)}.`,
    required: !('isOptional' in body),
    content: { 'application/json': { schema: body.describe() } },
  }
}

const successes = { 200: 'The answer.', 201: 'What was made.', 204: 'Done.' } as const

function successOf({ status, reply, mediaType, page }: ControlRoute): JsonSchema {
  const description = successes[status]
  if (status === 204) return { description }
  return {
    description,
    content: {
      [mediaType]: { schema: reply.describe() },
      ...(page === undefined ? {} : { 'text/html': { schema: { type: 'string' } } }),
    },
  }
}
