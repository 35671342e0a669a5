import { controlErrorSchema } from '../../../contract/error.ts'
import { hoisted } from '../../../input/hoisted.ts'
import { isRecord } from '../../../input/record.ts'
import { component, type JsonSchema } from '../../../input/schema.ts'
import { type ControlRoutes, controlTags } from '../control-route.ts'
import { describeControl, sharedRefusals } from './control-operation.ts'

/**
 * Describes controls in OpenAPI 3.1.
 *
 * @param origin Where the sandbox is served that has them.
 */
export function controlDocument(routes: ControlRoutes, origin: string): JsonSchema {
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

function pathsOf(routes: ControlRoutes): JsonSchema {
  const paths: Record<string, Record<string, JsonSchema>> = {}
  for (const [name, route] of Object.entries(routes)) {
    const { path, method } = route
    paths[path] = { ...paths[path], [method.toLowerCase()]: describeControl(name, route, refusal) }
  }
  return paths
}

function refusal(description: string): JsonSchema {
  const schema = { [component]: { name: 'Error', schema: controlErrorSchema } }
  return { description, content: { 'application/json': { schema } } }
}
