import { errorSchema } from '../../contract/error.ts'
import type { ControlRoute } from './routes.ts'

/** Describes the control API as OpenAPI 3.1. */
export function controlDocument(routes: readonly ControlRoute[], origin: string) {
  const paths: Record<string, Record<string, unknown>> = {}
  for (const route of routes) {
    paths[route.path] = { ...paths[route.path], [route.method.toLowerCase()]: operationOf(route) }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Control API of petstore-sandbox',
      version: '1.0.0',
      description: 'What can be done to a sandbox behind the back of its API.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: `${origin}/_sandbox`, description: 'This sandbox' }],
    security: [{}, { controlToken: [] }],
    paths,
    components: {
      securitySchemes: {
        controlToken: {
          type: 'http',
          scheme: 'bearer',
          description:
            'Needed where the process listens on more than the loopback, or was given one.',
        },
      },
      schemas: { Error: errorSchema },
    },
  }
}

function operationOf({ name, path, summary, query, body, status, type, method }: ControlRoute) {
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, parameter]) => ({
    name: parameter,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }))
  const inQuery = Object.entries(query ?? {}).map(([parameter, schema]) => ({
    name: parameter,
    in: 'query',
    required: false,
    schema,
  }))
  return {
    operationId: name,
    summary,
    parameters: [...inPath, ...inQuery],
    ...(body === undefined
      ? {}
      : {
          requestBody: {
            required: !optionalBodies.includes(name),
            content: { 'application/json': { schema: body } },
          },
        }),
    responses: {
      [status ?? (isSilent(method, name) ? 204 : 200)]: {
        description: 'Done',
        ...(isSilent(method, name)
          ? {}
          : { content: { [type ?? 'application/json']: { schema: {} } } }),
      },
      '4XX': {
        description: 'Refused; nothing is changed',
        content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
      },
    },
  }
}

const optionalBodies = ['reset', 'createSandbox']

const silentNames = ['reset', 'reseed', 'applyScenario', 'restoreSnapshot', 'save']

function isSilent(method: ControlRoute['method'], name: string): boolean {
  return method === 'DELETE' || silentNames.includes(name)
}
