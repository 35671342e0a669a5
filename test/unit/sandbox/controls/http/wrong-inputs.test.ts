import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { toJson } from '../../../../../src/mock/api/json.ts'
import type { ApiRequest } from '../../../../../src/mock/api/message.ts'
import { controlRoutes } from '../../../../../src/sandbox/controls/http/control-routes.ts'
import { nothing } from '../../../../../src/sandbox/controls/http/route.ts'
import type { Sandbox } from '../../../../../src/sandbox/sandbox.ts'
import { frozenSandbox } from '../../../../kit/frozen-sandbox.ts'
import { requestOf } from '../../../../kit/send.ts'

/** A sandbox with something of everything, so that a change of anything would show. */
async function fullSandbox(): Promise<Sandbox> {
  const sandbox = frozenSandbox()
  await sandbox.handle(requestOf({}))
  sandbox.keys.setRemaining('free-key', { minute: 3 })
  sandbox.faults.add([{ fault: 'timeout', times: 1, skip: 5 }, { fault: 'status' }])
  return sandbox
}

/** Sends a control request that is to be rejected, and checks that it changes nothing. */
async function rejection(request: Partial<ApiRequest> & { readonly json?: string }) {
  const sandbox = await fullSandbox()
  const before = toJson(sandbox.snapshot())
  const { json, ...rest } = request
  const output = await sandbox.handleControl({
    method: 'GET',
    url: '/_sandbox',
    body: json ?? '',
    headers: json === undefined ? {} : { 'content-type': 'application/json' },
    ...rest,
  })
  expect(toJson(sandbox.snapshot())).toBe(before)
  if (output.kind !== 'response') throw new Error('Cannot read the rejection: found a stream')
  expect(output.headers['content-type']).toBe('application/json')
  const body: unknown = JSON.parse(output.body)
  expect(body).toEqual({
    code: expect.stringMatching(/^[a-z_]+$/),
    message: expect.stringMatching(/^Cannot .+: .+[^.]$/),
    status: output.status,
    path: expect.any(Array),
    reason: expect.any(String),
  })
  return { output, message: (body as { message: string }).message }
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
    { json: '\udfff', message: /not valid JSON/ },
    { json: '"text"', message: /found "text"; use an? / },
    { json: 'null', message: /found null; use an? / },
    { json: '[5]', message: /found (?:an array of 1|5); use an? / },
  ])('rejects the body $json', async ({ json, message }) => {
    const { output, message: found } = await rejection({ method, url, json })
    expect(output.status).toBe(400)
    expect(found).toMatch(message)
  })

  it.each([{ type: 'text/plain' }, { type: 'application/jsonp' }, { type: undefined }])(
    'rejects a body of type $type',
    async ({ type }) => {
      const headers = type === undefined ? {} : { 'content-type': type }
      const { output, message } = await rejection({ method, url, json: '{}', headers })
      expect(output.status).toBe(400)
      expect(message).toBe(
        `Cannot use Content-Type: found "${type ?? 'none'}"; send application/json`,
      )
    },
  )

  it('rejects a body that is too large with 413', async () => {
    const { output, message } = await rejection({
      method,
      url,
      json: ' '.repeat(maxBytes + 1),
    })
    expect(output.status).toBe(413)
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
    setRateLimits: '{"mode":"report-only"}',
  }
  return bodies[name] ?? '{}'
}

it.each(routes.filter(({ name, hasBody }) => hasBody && name !== 'restore'))(
  '$method $url rejects unknown properties',
  async ({ name, method, url }) => {
    const members = goodBody(name).slice(1, -1)
    for (const unknown of ['oops', '__proto__', 'constructor']) {
      const json = `{"${unknown}":{}${members === '' ? '' : `,${members}`}}`
      const { output, message } = await rejection({ method, url, json })
      expect(output.status).toBe(400)
      expect(message).toMatch(new RegExp(`\\b${unknown}: unknown property; use `))
    }
  },
)

const strict = routes.filter(({ name }) => name !== 'index')

it.each(strict)('$method $url rejects unknown query parameters', async (route) => {
  const { output, message } = await rejection({ method: route.method, url: `${route.url}?oops=1` })
  expect(output.status).toBe(400)
  expect(message).toMatch(/^Cannot set query.oops: /)
})

it.each(routes.filter(({ hasBody, method }) => !hasBody && method !== 'GET'))(
  '$method $url takes no body',
  async ({ method, url }) => {
    const { output, message } = await rejection({ method, url, json: '{"id":[1]}' })
    expect(output.status).toBe(400)
    expect(message).toMatch(/^Cannot use the body: found .+; .+ takes no body$/)
  },
)

it.each(routes.filter(({ method }) => method !== 'GET'))(
  '$method $url rejects the form of a page, even one without a field',
  async ({ method, url }) => {
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    const { output } = await rejection({ method, url, headers })
    expect(output.status).toBe(400)
  },
)

describe('a control request', () => {
  // A new line to try goes into the file, after a dollar sign; `--update` writes what it is answered.
  it('is rejected in the words that were last looked through', async () => {
    const file = readFileSync(new URL('wrong-inputs.txt', import.meta.url), 'utf8')
    let said = ''
    for (const [line, method = '', url = '', json = ''] of file.matchAll(
      /^\$ (\S+) (\S+) ?(.*)$/gm,
    )) {
      const { output, message } = await rejection({ method, url, ...(json === '' ? {} : { json }) })
      const { allow = '' } = output.headers
      const text = message.length > 160 ? `${message.slice(0, 160)}...` : message
      said += `${line}\n${[output.status, allow, text].filter((part) => part !== '').join(' ')}\n`
    }
    await expect(said).toMatchFileSnapshot('wrong-inputs.txt')
  })

  it.each([
    { method: 'POST', url: '/_sandbox/keys/enterprise-key' },
    { method: 'GET', url: '/_sandbox/keys/enterprise%2Dkey/quota' },
    { method: 'POST', url: '/_sandbox/keys', json: '{"key":"enterprise-key","plan":"free"}' },
    { method: 'POST', url: '/_sandbox/keys', json: '{"key":"enterprise-key", plan}' },
    { method: 'GET', url: '/_sandbox/clock?enterprise-key' },
  ])('does not say whole keys in the rejection of $method $url', async (request) => {
    const { message } = await rejection(request)
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
