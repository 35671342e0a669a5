import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, it } from 'vitest'
import { parseJson } from '../../../src/contract/int64.ts'
import type { Sandbox } from '../../../src/sandbox.ts'
import { frozenSandbox } from '../../kit/frozen-sandbox.ts'
import { testServer } from '../../kit/test-server.ts'
import { controlRows } from './controls-table.ts'

interface Described {
  readonly operationId: string
  readonly requestBody?: {
    readonly required: boolean
    readonly content: { readonly 'application/json': { readonly schema: object } }
  }
  readonly responses: Readonly<Record<string, { readonly content?: object }>>
}

/** The document that a URL gives, and its operations by name. */
async function documentAt(url: string) {
  const document = await (await fetch(`${url}/_sandbox/control.openapi.json`)).json()
  const methods = Object.values<Record<string, Described>>(document.paths)
  const operations = methods.flatMap((one) => Object.values(one))
  return { document, operations: new Map(operations.map((one) => [one.operationId, one])) }
}

/** Bodies that do what they say, beyond those of the table of controls. */
const goodBodies = [
  { route: 'reset', json: '{}' },
  { route: 'reset', json: '{"only":[]}' },
  { route: 'changeClock', json: '{}' },
  { route: 'changeClock', json: '{"advance":60000}' },
  { route: 'changeClock', json: '{"set":1900000000000,"mode":"frozen"}' },
  { route: 'changeClock', json: '{"scale":0.5}' },
  { route: 'createPets', json: '[]' },
  { route: 'createPets', json: '{"id":"9007199254740993","name":"","categoryId":"1"}' },
  { route: 'createPets', json: '{"id":-5,"name":"Rex","categoryId":0,"status":"pending"}' },
  { route: 'changePet', json: '{"name":"Bo","categoryId":"7","status":"sold"}' },
  { route: 'issueKey', json: '{"plan":"free"}' },
  {
    route: 'issueKey',
    json: '{"plan":"enterprise","limits":{"minute":1,"day":2},"expiresAt":"2030-01-01","revoked":false,"ban":"1h"}',
  },
  { route: 'changeKey', json: '{"expiresAt":null,"revoked":true,"pardon":true}' },
  { route: 'changeKey', json: '{"limits":{"day":5},"expiresAt":1900000000000,"ban":500}' },
  { route: 'addFaults', json: '[]' },
  {
    route: 'addFaults',
    json: '{"fault":"status","status":503,"operation":"getPet","method":"get","key":"free-key","times":1,"after":0,"probability":0.5}',
  },
  { route: 'addFaults', json: '[{"fault":"slow-body","ms":"2s"},{"fault":"latency","ms":5}]' },
  { route: 'addFaults', json: '{"fault":"disconnect","when":"body"}' },
  { route: 'changeGaps', json: '{"banAfter":"never","deprecatedSince":0,"banStatus":403}' },
  { route: 'reseed', json: '{"keys":[]}' },
  { route: 'createSandbox', json: '{}' },
  {
    route: 'createSandbox',
    json: '{"name":"a","seed":{"pets":[]},"randomSeed":-1,"gaps":{"banAfter":3},"clock":{"mode":"frozen"},"rateLimit":"reported","journalSize":0}',
  },
]

const bodiesOf = (sandbox: Sandbox) => [
  ...controlRows.flatMap(({ route, json }) => {
    const body = typeof json === 'function' ? json(sandbox) : json
    return body === undefined ? [] : [{ route, json: body }]
  }),
  ...goodBodies,
]

describe('control.openapi.json', () => {
  it('names where a named sandbox is', async () => {
    const { url, pool } = await testServer()
    pool.create({ name: 'mine' })
    const { document } = await documentAt(`${url}/sandboxes/mine`)
    expect(document.servers[0].url).toBe(`${url}/sandboxes/mine/_sandbox`)
  })

  it('accepts every body that the controls take, and so do they', async () => {
    const { url, sandbox, pool } = await testServer({ sandbox: frozenSandbox() })
    pool.create({ name: 'one' })
    const { document, operations } = await documentAt(url)
    const ajv = new Ajv2020({ strict: true, allErrors: true })
    for (const { route, json } of bodiesOf(sandbox)) {
      const schema = operations.get(route)?.requestBody?.content['application/json'].schema
      const matches = ajv.compile(schema ?? false)
      // An integer past 2^53 is one to a validator only as a number.
      expect([matches(JSON.parse(json)), matches.errors], `${route} ${json}`).toEqual([true, null])
    }
    const places = placesOf(document)
    for (const { route, json } of goodBodies) {
      sandbox.reset()
      const { method = '', path = '' } = places.get(route) ?? {}
      const body = json
      const headers = { 'Content-Type': 'application/json' }
      const reply = await fetch(`${url}/_sandbox${path}`, { method, body, headers })
      expect(reply.status, `${route} ${json}: ${await reply.text()}`).toBeLessThan(300)
    }
  })

  it('asks for a body exactly where there must be one', async () => {
    const { url } = await testServer()
    const { document, operations } = await documentAt(url)
    for (const [route, { method, path }] of placesOf(document)) {
      const { requestBody } = operations.get(route) ?? {}
      if (requestBody === undefined) continue
      const reply = await fetch(`${url}/_sandbox${path}`, { method })
      await reply.text()
      expect(reply.status === 400, route).toBe(requestBody.required)
    }
  })

  it('says the status and type of what comes back', async () => {
    const { url, sandbox, pool } = await testServer({ sandbox: frozenSandbox(), save: () => {} })
    pool.create({ name: 'one' })
    await fetch(`${url}/v1/pets`)
    const { operations } = await documentAt(url)
    for (const { route, method, path, json } of controlRows) {
      const body = typeof json === 'function' ? json(sandbox) : json
      const headers = { 'Content-Type': 'application/json' }
      const init = body === undefined ? {} : { body, headers }
      const reply = await fetch(`${url}/_sandbox${path}`, { method, ...init })
      await reply.text()
      const described = operations.get(route)?.responses[reply.status]
      const type = reply.headers.get('content-type')
      expect(Object.keys(described?.content ?? {}), `${route} ${reply.status}`).toEqual(
        type === null ? [] : [type],
      )
    }
  })

  it('is the same in process, but for what only the process has', async () => {
    const reply = await frozenSandbox().handleControl(
      { method: 'GET', url: '/_sandbox/control.openapi.json', headers: {}, body: '' },
      'http://sandbox.test',
    )
    const inProcess = parseJson(reply.body) as { paths: object; servers: unknown }
    const { url } = await testServer()
    const { document } = await documentAt(url)
    expect(inProcess.servers).toMatchObject([{ url: 'http://sandbox.test/_sandbox' }])
    expect(document.paths).toMatchObject(inProcess.paths)
    expect(
      Object.keys(document.paths).filter((path) => !Object.hasOwn(inProcess.paths, path)),
    ).toEqual(['/events', '/sandboxes', '/sandboxes/{name}', '/save'])
  })
})

/** Where the operations of a document are, with parameters that there are. */
function placesOf(document: { readonly paths: Record<string, Record<string, Described>> }) {
  const parameters: Record<string, string> = { id: '1', key: 'free-key', name: 'one' }
  return new Map(
    Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, { operationId }]) => {
        const place = path.replace(/\{(\w+)\}/g, (_, name: string) => parameters[name] ?? '')
        return [operationId, { method: method.toUpperCase(), path: place }] as const
      }),
    ),
  )
}
