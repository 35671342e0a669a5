import { describe, expect, it } from 'vitest'
import { toJson } from '../../../src/contract/json.ts'
import type { ApiRequest } from '../../../src/contract/message.ts'
import { nothing } from '../../../src/control/http/route.ts'
import { controlRoutes } from '../../../src/control/http/routes.ts'
import type { Sandbox } from '../../../src/sandbox.ts'
import { frozenSandbox } from '../../kit/frozen-sandbox.ts'
import { requestOf } from '../../kit/send.ts'

/** A sandbox with something of everything, so that a change of anything would show. */
async function fullSandbox(): Promise<Sandbox> {
  const sandbox = frozenSandbox()
  await sandbox.handle(requestOf({}))
  sandbox.keys.setRemaining('free-key', { minute: 3 })
  sandbox.faults.add([{ fault: 'timeout', times: 1, after: 5 }, { fault: 'status' }])
  return sandbox
}

/** Sends a control request that is to be refused, and checks that it changes nothing. */
async function refusal(request: Partial<ApiRequest> & { readonly json?: string }) {
  const sandbox = await fullSandbox()
  const before = toJson(sandbox.snapshot())
  const { json, ...rest } = request
  const reply = await sandbox.handleControl({
    method: 'GET',
    url: '/_sandbox',
    body: json ?? '',
    headers: json === undefined ? {} : { 'content-type': 'application/json' },
    ...rest,
  })
  expect(toJson(sandbox.snapshot())).toBe(before)
  if (reply.kind !== 'reply') throw new Error('Cannot read the refusal: found a stream')
  expect(reply.headers['content-type']).toBe('application/json')
  const body: unknown = JSON.parse(reply.body)
  expect(body).toEqual({
    code: expect.stringMatching(/^[a-z_]+$/),
    message: expect.stringMatching(/^Cannot .+: .+[^.]$/),
    status: reply.status,
    path: expect.any(Array),
    reason: expect.any(String),
  })
  return { reply, message: (body as { message: string }).message }
}

const places: Readonly<Record<string, string>> = { id: '1', key: 'free-key' }

/** The routes, each with a place that there is. */
const routes = Object.entries(controlRoutes).map(([name, { method, path, body, maxBytes }]) => {
  const url = `/_sandbox${path.replace(/\{(\w+)\}/g, (_, part: string) => places[part] ?? '')}`
  return { name, method, url, hasBody: !Object.is(body, nothing), maxBytes }
})

describe.each(routes.filter(({ hasBody }) => hasBody))('$method $url', (route) => {
  const { method, url, maxBytes } = route
  it.each([
    {
      json: '{"name":',
      message: /^Cannot read the body: found .*, which is not valid JSON; send JSON$/,
    },
    { json: '{"a":1}x', message: /not valid JSON/ },
    { json: '\udfff', message: /not valid JSON/ },
    { json: '[['.repeat(2 ** 18), message: /nested more than 100 levels deep; send/ },
    { json: '"text"', message: /found "text"; use an? / },
    { json: '17', message: /found 17; use an? / },
    { json: 'null', message: /found null; use an? / },
    { json: '[5]', message: /found (?:an array of 1|5); use an? / },
  ])('refuses the body $json', async ({ json, message }) => {
    const { reply, message: found } = await refusal({ method, url, json })
    expect(reply.status).toBe(400)
    expect(found).toMatch(message)
  })

  it.each([
    { type: 'text/plain' },
    { type: 'application/x-www-form-urlencoded' },
    { type: 'multipart/form-data; boundary=x' },
    { type: 'application/jsonp' },
    { type: undefined },
  ])('refuses a body of type $type', async ({ type }) => {
    const headers = type === undefined ? {} : { 'content-type': type }
    const { reply, message } = await refusal({ method, url, json: '{}', headers })
    expect(reply.status).toBe(400)
    expect(message).toBe(
      `Cannot use Content-Type: found "${type ?? 'none'}"; send application/json`,
    )
  })

  it('refuses a body that is too large with 413', async () => {
    const { reply, message } = await refusal({
      method,
      url,
      json: ' '.repeat(maxBytes + 1),
    })
    expect(reply.status).toBe(413)
    const isDocument = ['/_sandbox/seed', '/_sandbox/snapshot'].includes(url)
    expect(message).toBe(
      `Cannot read the body: it is larger than ${isDocument ? '64' : '1'} MiB; send less`,
    )
  })
})

/** A body that would do, but for what is added to it. */
function goodBody(name: string): string {
  const bodies: Readonly<Record<string, string>> = {
    'pets.create': '{"name":"Rex","categoryId":1}',
    'keys.issue': '{"plan":"free"}',
    'faults.add': '{"fault":"status"}',
    scenario: '{"name":"flaky"}',
    setRateLimit: '{"mode":"reported"}',
  }
  return bodies[name] ?? '{}'
}

it.each(routes.filter(({ name, hasBody }) => hasBody && name !== 'restore'))(
  '$method $url refuses unknown properties',
  async ({ name, method, url }) => {
    const members = goodBody(name).slice(1, -1)
    for (const unknown of ['oops', '__proto__', 'constructor']) {
      const json = `{"${unknown}":{}${members === '' ? '' : `,${members}`}}`
      const { reply, message } = await refusal({ method, url, json })
      expect(reply.status).toBe(400)
      expect(message).toMatch(new RegExp(`\\b${unknown}: unknown property; use `))
    }
  },
)

const strict = routes.filter(({ name }) => name !== 'index')

it.each(strict)('$method $url refuses unknown query parameters', async (route) => {
  const { reply, message } = await refusal({ method: route.method, url: `${route.url}?oops=1` })
  expect(reply.status).toBe(400)
  expect(message).toMatch(/^Cannot set query.oops: unknown property; use /)
})

it.each(routes.filter(({ hasBody, method }) => !hasBody && method !== 'GET'))(
  '$method $url takes no body',
  async ({ method, url }) => {
    const { reply, message } = await refusal({ method, url, json: '{"id":[1]}' })
    expect(reply.status).toBe(400)
    expect(message).toMatch(/^Cannot use the body: found .+; .+ takes no body$/)
  },
)

it.each(routes.filter(({ method }) => method !== 'GET'))(
  '$method $url refuses the form of a page, even one without a field',
  async ({ method, url }) => {
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    const { reply } = await refusal({ method, url, headers })
    expect(reply.status).toBe(400)
  },
)

describe('a control request', () => {
  it.each([
    // The clock.
    [
      'PATCH',
      '/clock',
      '{"advance":-1}',
      /clock.advance: found -1; use milliseconds,? or a duration/,
    ],
    ['PATCH', '/clock', '{"advance":"1m","set":0}', /found advance and set; use one of them/],
    ['PATCH', '/clock', '{"advance":253402300799999,"mode":"scaled"}', /year 9999/],
    ['PATCH', '/clock', '{"set":"2030-02-30"}', /clock.set: found "2030-02-30"; use ISO 8601/],
    [
      'PATCH',
      '/clock',
      '{"mode":"frozen","scale":2}',
      /clock.scale: the mode is frozen; use mode scaled/,
    ],
    [
      'PATCH',
      '/clock',
      '{"mode":"system","advance":1}',
      /clock.advance: mode system always shows the system's time; use offset, frozen or scaled/,
    ],
    ['PATCH', '/clock', '{"scale":0}', /found 0; use a number above 0/],
    // Pets.
    ['POST', '/pets', '{"categoryId":1}', /pet.name: it is missing; use a string/],
    ['POST', '/pets', '{"name":"R","categoryId":"x"}', /pet.categoryId: found "x"; use an integer/],
    ['POST', '/pets', '{"name":"R","categoryId":9223372036854775808}', /9223372036854775808; use/],
    ['POST', '/pets', '{"name":"R","categoryId":1,"status":"dead"}', /"dead"; use one of avail/],
    ['POST', '/pets', '{"id":1,"name":"R","categoryId":1}', /pet 1: another pet has this id; use/],
    [
      'POST',
      '/pets',
      '[{"name":"R","categoryId":1},{"name":"S"}]',
      /^Cannot set pets\[1\]\.categoryId: it is missing/,
    ],
    ['PATCH', '/pets/1', '{"id":2}', /pet.id: unknown property; use name, categoryId, status$/],
    // Keys.
    ['POST', '/keys', '{}', /key.plan: it is missing; use one of free, pro, business, enterprise/],
    ['POST', '/keys', '{"plan":"free","key":"a b"}', /key: found "a b"/],
    [
      'POST',
      '/keys',
      '{"plan":"free","limits":{"hour":5}}',
      /key.limits.hour: unknown property; use minute, day/,
    ],
    [
      'POST',
      '/keys',
      '{"plan":"free","remaining":{"minute":61}}',
      /remaining.minute: found 61; use at most the limit, 60/,
    ],
    [
      'PATCH',
      '/keys/free-key',
      '{"remaining":{"day":1001}}',
      /remaining.day: found 1001; use at most the limit, 1000/,
    ],
    // Faults.
    ['POST', '/faults', '{}', /fault.fault: it is missing; use one of status/],
    ['POST', '/faults', '{"fault":"latency"}', /fault.ms: it is missing; use milliseconds/],
    ['POST', '/faults', '{"fault":"latency","ms":["x","1s"]}', /fault.ms\[0\]: found "x"/],
    [
      'POST',
      '/faults',
      '{"fault":"latency","ms":[5,1]}',
      /fault.ms: found an array of 2; use .* or a range such as 1s-3s, the shorter first/,
    ],
    [
      'POST',
      '/faults',
      '{"fault":"latency","ms":"2d"}',
      /fault.ms: found "2d"; use .*, at most 1d/,
    ],
    [
      'POST',
      '/faults',
      '{"fault":"timeout","ms":5}',
      /fault.ms: unknown property; use fault, operation/,
    ],
    ['POST', '/faults', '{"fault":"timeout","method":"G T"}', /use a method such as GET/],
    ['POST', '/faults', '[{"fault":"timeout"},{"fault":"x"}]', /^Cannot set faults\[1\]\.fault: /],
    // The rest.
    [
      'POST',
      '/reset',
      '{"only":["pets","all"]}',
      /reset.only\[1\]: found "all"; use one of .*pets/,
    ],
    [
      'POST',
      '/scenario',
      '{"name":"slow","key":"nobody"}',
      /scenario.key: found "nob…"; use a key/,
    ],
    ['POST', '/scenario', '{"name":"sunset-passed","key":"free-key"}', /leave the key out/],
    [
      'PATCH',
      '/gaps',
      '{"emptyName":"reject","listOrder":"up"}',
      /gaps.listOrder: found "up"; use one/,
    ],
    [
      'PATCH',
      '/gaps',
      '{"emptyName":"reject","noGap":1}',
      /gaps.noGap: unknown property; use omittedStatus, /,
    ],
    ['PATCH', '/gaps', '{"banDuration":"0s"}', /gaps.banDuration: found "0s"; use .*above zero/],
    [
      'PUT',
      '/seed',
      '{"keys":[{"key":"a","plan":"free"},{"key":"a","plan":"pro"}]}',
      /seed.keys\[1\].key: item 0 has the same; use another/,
    ],
    ['PUT', '/snapshot', '{}', /use a snapshot of petstore-sandbox/],
    ['PUT', '/snapshot', '{"petstoreSandbox":2}', /version 2; use one of version 1/],
  ])('%s %s with %s is refused', async (method, path, json, expected) => {
    const { reply, message } = await refusal({ method, url: `/_sandbox${path}`, json })
    expect(reply.status).toBe(400)
    expect(message).toMatch(expected)
  })

  it.each([
    ['/pets?status=dead', /status: found "dead"; use one of available, pending, sold/],
    ['/pets?status=sold&status=available', /status: it is given twice; give it once/],
    [
      '/requests?status=teapot',
      /status: found "teapot"; use a whole number from 100 to 599, or one of disconnect, timeout/,
    ],
    ['/requests?status=', /status: found ""/],
    ['/requests?limit=0', /limit: found 0/],
    ['/requests?limit=', /limit: found ""/],
    ['/requests?limit=1e3x', /limit: found "1e3x"/],
    ['/requests?after=-1', /after: found -1/],
    ['/requests?since=yesterday', /since: found "yesterday"; use ISO 8601/],
    ['/requests?operation=getPets', /"getPets"; use one of listPets, createPet, getPet/],
    ['/requests?key=', /key: found ""; use a non-empty string/],
    ['/requests.har?until=1.5', /until: found "1.5"/],
    [
      '/requests.har?offset=1',
      /query.offset: unknown property; use operation, method, status, key, since/,
    ],
  ])('GET %s is refused', async (path, expected) => {
    const { reply, message } = await refusal({ url: `/_sandbox${path}` })
    expect(reply.status).toBe(400)
    expect(message).toMatch(expected)
  })

  it.each([
    ['GET', '/pets/999', 'Cannot find pet 999: no pet has this id'],
    [
      'GET',
      '/pets/1.5',
      'Cannot find pet: found "1.5"; use an integer from -9223372036854775808 to',
    ],
    [
      'GET',
      '/pets/9223372036854775808',
      /^Cannot find pet: found "9223372036854775808"; use an integer from/,
    ],
    ['DELETE', '/pets/999', /pet 999/],
    ['GET', '/keys/no-such-key', 'Cannot find key "no-s…": no key has this text'],
    ['DELETE', '/keys/%zz', /^Cannot find key "%…": no key has this text$/],
    ['DELETE', '/faults/9', 'Cannot find fault 9: no fault has this id'],
    ['DELETE', '/faults/1e0', 'Cannot find fault: found "1e0"; use a whole number from 0'],
    ['DELETE', '/faults/%20', /; use a whole number from 0/],
    ['GET', '/requests/99', 'Cannot find request 99: the journal has no such entry'],
    ['GET', '/requests/0x1', /; use a whole number from 0/],
    [
      'GET',
      '/nothing',
      'Cannot find "/_sandbox/nothing": no control has this path; /_sandbox lists them',
    ],
    ['GET', '/pets/1/status', /no control has this path/],
    ['GET', '//clock', /no control has this path/],
  ])('%s %s answers 404', async (method, path, expected) => {
    const { reply, message } = await refusal({ method, url: `/_sandbox${path}` })
    expect(reply.status).toBe(404)
    expect(message).toMatch(expected)
  })

  it.each([
    ['POST', '/clock', 'GET, HEAD, PATCH'],
    ['PUT', '/pets', 'GET, HEAD, POST, DELETE'],
    ['OPTIONS', '/reset', 'POST'],
    ['TRACE', '/requests.har', 'GET, HEAD'],
    ['POST', '/control.openapi.json', 'GET, HEAD'],
    ['DELETE', '', 'GET, HEAD'],
    ['PATCH', '/', 'GET, HEAD'],
  ])('%s %s answers 405 and says what would do', async (method, path, allow) => {
    const { reply, message } = await refusal({ method, url: `/_sandbox${path}` })
    expect(reply.status).toBe(405)
    expect(reply.headers.allow).toBe(allow)
    expect(message).toContain(`: use ${allow}`)
  })

  it.each([
    { method: 'POST', url: '/_sandbox/keys/enterprise-key' },
    { method: 'GET', url: '/_sandbox/keys/enterprise%2Dkey/quota' },
    { method: 'POST', url: '/_sandbox/keys', json: '{"key":"enterprise-key","plan":"free"}' },
    { method: 'POST', url: '/_sandbox/keys', json: '{"key":"enterprise-key", plan}' },
    { method: 'GET', url: '/_sandbox/clock?enterprise-key' },
  ])('does not say whole keys in the refusal of $method $url', async (request) => {
    const { message } = await refusal(request)
    expect(decodeURIComponent(message)).not.toContain('enterprise-key')
  })

  it('takes a JSON body with a charset, and a type in any letter case', async () => {
    const sandbox = frozenSandbox()
    for (const type of [
      'application/json; charset=utf-8',
      'Application/JSON',
      'application/json ;a=b',
    ]) {
      const headers = { 'content-type': type }
      const request = { method: 'PATCH', url: '/_sandbox/clock', body: '{}', headers }
      expect((await sandbox.handleControl(request)).status).toBe(200)
    }
  })
})
