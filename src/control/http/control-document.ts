import { controlErrorSchema } from '../../contract/error.ts'
import { hoisted } from '../../input/hoisted.ts'
import type { Properties } from '../../input/object.ts'
import { isRecord } from '../../input/record.ts'
import { component, type JsonSchema } from '../../input/schema.ts'
import { bytesText, controlTags, type KnownRoute, type KnownRoutes, nothing } from './route.ts'

/**
 * Describes controls in OpenAPI 3.1.
 *
 * @param origin Where the sandbox is served that has them.
 */
export function controlDocument(routes: KnownRoutes, origin: string): JsonSchema {
  const used = new Set(Object.values(routes).map(({ tag }) => tag))
  const { document, schemas } = hoisted({
    paths: pathsOf(routes),
    responses: Object.fromEntries(
      Object.values(sharedRefusals).map(({ name, about }) => [name, refusal(about)]),
    ),
  })
  const { paths, responses } = isRecord(document) ? document : {}
  return {
    openapi: '3.1.0',
    info: {
      title: 'Control API of petstore-sandbox',
      version: '1.0.0',
      summary: "Everything that can be done to a sandbox behind its API's back.",
      description: [
        'Bodies are JSON; a request with one needs `Content-Type: application/json`.',
        'Integers beyond 2^53 are exact. A refusal has an Error body, and changes nothing.',
        '`HEAD` is answered as `GET`, without the body. Other methods on a known path get 405.',
      ].join(' '),
      contact: { name: 'petstore-sandbox' },
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [
      { url: `${origin}/_sandbox`, description: 'The sandbox that serves this description.' },
    ],
    security: [{}, { controlToken: [] }],
    tags: Object.entries(controlTags)
      .filter(([name]) => [...used].some((one) => one === name))
      .map(([name, description]) => ({ name, description })),
    paths: isRecord(paths) ? paths : {},
    components: {
      securitySchemes: {
        controlToken: {
          type: 'http',
          scheme: 'bearer',
          description:
            'Needed if the process listens on more than the loopback, or was started with a token.',
        },
      },
      responses,
      schemas,
    },
  }
}

function pathsOf(routes: KnownRoutes): JsonSchema {
  const paths: Record<string, Record<string, JsonSchema>> = {}
  for (const [name, route] of Object.entries(routes)) {
    const { path, method } = route
    paths[path] = { ...paths[path], [method.toLowerCase()]: describeControl(name, route) }
  }
  return paths
}

function refusal(description: string): JsonSchema {
  const schema = { [component]: { name: 'Error', schema: controlErrorSchema } }
  return { description, content: { 'application/json': { schema } } }
}

/** The refusals that controls have in common, by status: their names among the components, and what they mean. */
const sharedRefusals = {
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
function describeControl(name: string, route: KnownRoute): JsonSchema {
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

function requestBodyOf({ body, maxBytes }: KnownRoute): JsonSchema {
  return {
    description: `At most ${bytesText(maxBytes)}.`,
    required: !('isOptional' in body),
    content: { 'application/json': { schema: body.describe() } },
  }
}

const successes = { 200: 'The answer.', 201: 'What was made.', 204: 'Done.' } as const

function successOf({ status, reply, mediaType, page }: KnownRoute): JsonSchema {
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
