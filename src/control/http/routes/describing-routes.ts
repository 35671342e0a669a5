import { object } from '../../../input/object.ts'
import { isRecord } from '../../../input/record.ts'
import { named } from '../../../input/schema.ts'
import { anyThat, oneOf } from '../../../input/values.ts'
import { route } from '../control-route.ts'
import { indexDocument, indexOf } from '../index-document.ts'
import { indexPage } from '../index-page.ts'
import { none, nothing } from '../route-bodies.ts'
import { routePlaces } from '../route-places.ts'

const document = named(
  'OpenApiDocument',
  anyThat('an OpenAPI document', isRecord, { type: 'object' }),
)

/** The controls that describe the sandbox's APIs. */
export const describingRoutes = {
  index: route({
    ...routePlaces.index,
    tag: 'descriptions',
    summary: 'List the controls, as JSON or as a page',
    description:
      'Gives the addresses of the APIs and of every control; a client that accepts HTML gets a page.',
    params: none,
    query: object({}, { unknown: 'ignore' }),
    body: nothing,
    reply: indexDocument,
    run: ({ origin, routes }) => indexOf(origin, routes),
    page: indexPage,
  }),
  health: route({
    ...routePlaces.health,
    tag: 'descriptions',
    summary: 'Check that the process serves',
    description: 'Answers as soon as the sandbox serves.',
    params: none,
    query: none,
    body: nothing,
    reply: named('Health', object({ status: oneOf(['ok']) }, { unknown: 'ignore' })),
    run: () => ({ status: 'ok' }),
  }),
  openapi: route({
    ...routePlaces.openapi,
    tag: 'descriptions',
    summary: 'Describe the pet store API in OpenAPI 3.1',
    description: 'Gives the description of the API, with the address of this sandbox.',
    params: none,
    query: none,
    body: nothing,
    reply: document,
    async run({ origin }) {
      const { openApiDocument } = await import('../../../contract/openapi/openapi.ts')
      return { ...openApiDocument(`${origin}/v1`) }
    },
  }),
  controlOpenapi: route({
    ...routePlaces.controlOpenapi,
    tag: 'descriptions',
    summary: 'Describe these controls in OpenAPI 3.1',
    description: 'Gives this description.',
    params: none,
    query: none,
    body: nothing,
    reply: document,
    run: ({ description }) => description(),
  }),
} as const
