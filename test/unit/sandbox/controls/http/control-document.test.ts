import { describe, expect, it } from 'vitest'
import { isRecord } from '../../../../../src/mock/input/record.ts'
import { allRoutes } from '../../../../../src/sandbox/controls/http/control-routes.ts'
import { nothing } from '../../../../../src/sandbox/controls/http/route.ts'
import { createExample } from '../../../../../src/sandbox/sandbox.ts'
import { SandboxPool } from '../../../../../src/sandbox/sandbox-pool.ts'
import {
  type ControlDescription,
  controlDescription,
  controlsIn,
  jsonOf,
  validators,
} from '../../../../kit/control-description.ts'
import { controlHost } from '../../../../kit/control-host.ts'
import { send } from '../../../../kit/send.ts'
import { sendControl } from '../../../../kit/send-control.ts'

const description = await controlDescription(controlHost())
const controls = controlsIn(description)
const validatorOf = validators(description)

/** The schema of an operation's rejection, which may stand among the components. */
function schemaOfRejection(
  { responses }: (typeof controls)[number],
  status: string,
  { components }: ControlDescription,
) {
  const { $ref, ...own } = responses[status] ?? {}
  return jsonOf($ref === undefined ? own : components.responses[$ref.split('/').at(-1) ?? ''])
}

/** The example of a body; `undefined` if it has none. */
function exampleIn({ content = {} }: (typeof controls)[number]['responses'][string] = {}): unknown {
  return Object.values(content)[0]?.example
}

/** The names of properties, of lists in their first two items. */
function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(0, 2).map(shapeOf)
  if (!isRecord(value)) return typeof value
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, shapeOf(one)]))
}

/** Bodies that do what they say, beyond those of the table of controls. */
const goodBodies = [
  { path: '/reset', json: '{}' },
  { path: '/clock', json: '{"advance":60000}' },
  { path: '/clock', json: '{"set":1900000000000,"mode":"frozen"}' },
  { path: '/pets', json: '[]' },
  { path: '/pets', json: '{"id":"9007199254740993","name":"","categoryId":"1"}' },
  { path: '/pets/1', json: '{"name":"Bo","categoryId":"7","status":"sold"}' },
  {
    path: '/keys',
    json: '{"plan":"enterprise","limits":{"minute":1,"day":2},"expiresAt":"2030-01-01","revoked":false,"ban":"1h"}',
  },
  { path: '/keys/free-key', json: '{"expiresAt":null,"revoked":true,"unban":true}' },
  { path: '/keys/free-key', json: '{"limits":{"day":5},"expiresAt":1900000000000,"ban":500}' },
  {
    path: '/faults',
    json: '{"fault":"status","status":503,"operation":"getPet","method":"get","key":"free-key","times":1,"skip":0,"probability":0.5}',
  },
  { path: '/faults', json: '[{"fault":"slow-body","ms":"2s"},{"fault":"latency","ms":5}]' },
  { path: '/gaps', json: '{"banAfter":"never","deprecatedSince":0,"banStatus":403}' },
  { path: '/seed', json: '{"keys":[]}' },
  {
    path: '/sandboxes',
    json: '{"name":"a","seed":{"pets":[]},"randomSeed":-1,"gaps":{"banAfter":3},"clock":{"mode":"frozen"},"rateLimits":"report-only","maxRequests":0}',
  },
]

/** The operation that takes a body at a path of a request. */
function takerOf(path: string) {
  return controls.find((one) => {
    const pattern = new RegExp(`^${one.path.replace(/\{\w+\}/g, '[^/]+')}$`)
    return one.requestBody !== undefined && pattern.test(path)
  })
}

describe('control.openapi.json', () => {
  it.each(controls)('shows a request and the response of $operationId', async (control) => {
    const { method, path, requestBody, responses } = control
    const pool = new SandboxPool()
    pool.create({ name: 'mine' })
    const sandbox = createExample()
    await send(sandbox, { url: '/v1/pets/1' })
    sandbox.faults.add({ fault: 'status', status: 503 })
    const [[status, output] = ['', {}]] = Object.entries(responses)
    const example = exampleIn(output)
    // Streams have a test of their own.
    if (typeof example === 'string') return
    const params: Readonly<Record<string, string>> = { id: '1', key: 'free-key', name: 'mine' }
    const url = path.replace(/\{(\w+)\}/g, (_, name: string) => params[name] ?? '')
    const isRestore = path === '/snapshot' && method === 'PUT'
    const given = isRestore ? sandbox.snapshot() : exampleIn(requestBody)
    const json = given === undefined ? undefined : JSON.stringify(given)
    const reply = await sendControl(controlHost({ sandbox, pool }), method, url, json)
    expect(String(reply.status), reply.body).toBe(status)
    if (example !== undefined) expect(shapeOf(JSON.parse(reply.body))).toEqual(shapeOf(example))
  })

  it('has an example of each response with a body but for OpenAPI documents', () => {
    const bare = controls.flatMap(({ operationId, responses }) => {
      const [[status, output] = ['', {}]] = Object.entries(responses)
      return status === '204' || exampleIn(output) !== undefined ? [] : [operationId]
    })
    expect(bare).toEqual(['openapi', 'controlOpenapi'])
  })

  it('describes every control, under the name of the typed one', () => {
    expect(controls.map(({ operationId }) => operationId)).toEqual(
      Object.keys(allRoutes).map((name) =>
        name
          .split('.')
          .map((part, at) => (at === 0 ? part : part.charAt(0).toUpperCase() + part.slice(1)))
          .join(''),
      ),
    )
  })

  it.each(controls)('says of $operationId what it does, and of each parameter', (control) => {
    const { summary, description: about, tags, parameters, requestBody } = control
    expect(summary).toMatch(/^[A-Z].*[^.]$/)
    expect(about).toMatch(/\.$/)
    expect(tags.filter((tag) => !description.tags.some(({ name }) => name === tag))).toEqual([])
    expect(tags).toHaveLength(1)
    for (const parameter of parameters) {
      expect(parameter, parameter.name).toMatchObject({
        description: expect.stringMatching(/\.$/),
        required: parameter.in === 'path',
      })
    }
    if (requestBody !== undefined) expect(requestBody.description).toMatch(/^At most \d+ MiB\.$/)
  })

  it('gives each component a name that generators can make a type of', () => {
    const names = Object.values(description.components).flatMap((part) => Object.keys(part))
    expect(names).toContain('Instant')
    expect(names.filter((name) => !/^[A-Za-z]\w*$/.test(name))).toEqual([])
  })

  it('is the same for a named sandbox, but for what only the process has', async () => {
    const { process: _process, ...host } = controlHost()
    const { paths } = await controlDescription(host)
    // The examples have real times.
    expect(shapeOf(description.paths)).toMatchObject(Object(shapeOf(paths)))
    expect(Object.keys(description.paths).filter((path) => !Object.hasOwn(paths, path))).toEqual([
      '/sandboxes',
      '/sandboxes/{name}',
      '/state/save',
    ])
  })

  it.each(goodBodies)('describes a body of $path that is taken: $json', async ({ path, json }) => {
    const taker = takerOf(path)
    const isBody = validatorOf(jsonOf(taker?.requestBody) ?? {})
    expect([isBody(JSON.parse(json)), isBody.errors]).toEqual([true, null])
    const { status, body } = await sendControl(controlHost(), taker?.method ?? '', path, json)
    expect(status, body).toBeLessThan(300)
  })

  it.each(controls.filter(({ requestBody }) => requestBody !== undefined))(
    'asks for the body of $operationId exactly where there must be one',
    async ({ method, path, requestBody }) => {
      const places: Readonly<Record<string, string>> = { id: '1', key: 'free-key' }
      const url = path.replace(/\{(\w+)\}/g, (_, name: string) => places[name] ?? '')
      const { status } = await sendControl(controlHost(), method, url)
      expect(status === 400).toBe(requestBody?.required)
    },
  )

  it('describes the rejections that a control can give, with their bodies', async () => {
    const isError = validatorOf(description.components.schemas.Error ?? {})
    const oversized = ' '.repeat(2 ** 20 + 1)
    for (const control of controls) {
      const { method, path, requestBody, parameters, responses } = control
      const found = new Set<string>()
      const note = async (url: string, json?: string): Promise<void> => {
        const { status, body } = await sendControl(controlHost(), method, url, json)
        if (status < 400) return
        found.add(String(status))
        expect([isError(JSON.parse(body)), isError.errors]).toEqual([true, null])
      }
      await note(`${path}?oops=1&oops=2`)
      if (path.includes('{')) {
        const json = requestBody === undefined ? undefined : '{}'
        await note(path.replace(/\{\w+\}/, 'nothing'), json)
      }
      if (requestBody !== undefined) await note(path.replace('{id}', '1'), oversized)
      const described = Object.keys(responses).filter((status) => Number(status) >= 400)
      expect(described, path).toEqual(expect.arrayContaining([...found, '403']))
      expect(described.includes('404')).toBe(parameters.some((one) => one.in === 'path'))
      expect(described.includes('413')).toBe(requestBody !== undefined)
      for (const status of described) {
        expect(schemaOfRejection(control, status, description), `${path} ${status}`).toEqual({
          $ref: '#/components/schemas/Error',
        })
      }
    }
  })

  it('has a page beside the JSON of the index, and no body where none is taken', () => {
    const { content } = description.paths['/']?.get?.responses[200] ?? {}
    expect(Object.keys(content ?? {})).toEqual(['application/json', 'text/html'])
    const bodiless = Object.values(allRoutes).filter(({ body }) => Object.is(body, nothing))
    expect(controls.filter(({ requestBody }) => requestBody === undefined)).toHaveLength(
      bodiless.length,
    )
  })
})
