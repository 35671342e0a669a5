import { openApiDocument } from '../../../contract/openapi.ts'
import { object } from '../../../input/object.ts'
import { isRecord } from '../../../input/record.ts'
import { anyThat, oneOf } from '../../../input/values.ts'
import { none, nothing, route } from '../control-route.ts'

const document = anyThat('an OpenAPI document', isRecord, { type: 'object' })

/** The controls that describe the sandbox's APIs. */
export const describingRoutes = {
  health: route({
    method: 'GET',
    path: '/health',
    tag: 'descriptions',
    summary: 'Say that it serves',
    description: 'Answers as soon as the sandbox serves.',
    params: none,
    query: none,
    body: nothing,
    reply: object({ status: oneOf(['ok']) }, { unknown: 'ignore' }),
    run: () => ({ status: 'ok' }),
  }),
  openapi: route({
    method: 'GET',
    path: '/openapi.json',
    tag: 'descriptions',
    summary: 'Describe the API of the pet store, as OpenAPI 3.1',
    description: 'Gives the description of the API, with the address of this sandbox.',
    params: none,
    query: none,
    body: nothing,
    reply: document,
    run: ({ origin }) => ({ ...openApiDocument(`${origin}/v1`) }),
  }),
  controlOpenapi: route({
    method: 'GET',
    path: '/control.openapi.json',
    tag: 'descriptions',
    summary: 'Describe these controls, as OpenAPI 3.1',
    description: 'Gives this description.',
    params: none,
    query: none,
    body: nothing,
    reply: document,
    async run({ origin, process }) {
      const { controlDocument } = await import('../control-document.ts')
      return controlDocument(origin, process === undefined ? 'sandbox' : 'process')
    },
  }),
} as const
