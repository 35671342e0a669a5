import { describe, expect, it } from 'vitest'
import { decodeBody, maxBodyBytes } from '../../../../src/mock/api/http.ts'
import type { SandboxOptions } from '../../../../src/mock/state/beginning.ts'
import { type AdapterCase, oddCases } from '../../../kit/adapter-cases.ts'
import { frozenSandbox } from '../../../kit/frozen-sandbox.ts'
import { send, type TestRequest } from '../../../kit/send.ts'

const json = '{"name":"Rex","categoryId":1}'

const get = (urls: readonly string[]): TestRequest[] => urls.map((url) => ({ url }))

const withHeader = (name: string, values: readonly string[], request: TestRequest): TestRequest[] =>
  values.map((value) => ({ ...request, headers: { [name]: value } }))

/** Requests that are odd in ways in which those of the conformance pairs and of test/kit/adapter-cases.ts are not; hosts can't send most of them. */
const requests: readonly TestRequest[] = [
  ...get([
    ...['', '*', 'v1/pets', '/v1/pets\n', 'ftp://localhost/v1/pets', '*http://localhost/v1/pets'],
    ...['http://localhost:7387', 'http://store.test?limit=1'],
    ...['http://localhost:7387/v1/pets/29', 'HTTPS://api.example/v1/pets/29?limit=1'],
    ...['/v1/pets/29?a=/b', '/v1/pets/29?a=b?c', '/v1/pets/1/photos', '/v1/pets/1/'],
    ...['7e0', '+7', '7%20', '%20', '0x7', '٧'].map((id) => `/v1/pets/${id}`),
    ...['-0', '5.0', '0x1', '%2B5', '5%20', '٥', 'NaN'].map((limit) => `/v1/pets?limit=${limit}`),
    ...['sold%20', 'available,sold'].map((status) => `/v1/pets?status=${status}`),
  ]),
  ...withHeader(
    'authorization',
    [
      ...['Bearer free-key  ', 'Bearer ', 'Bearerfree-key', 'Bearer\tfree-key', ' Bearer free-key'],
      ...['Bearer "free-key"', 'Bearer free-key=x', 'Bearer free-key\n', 'Bearer __proto__'],
      ...['Bearer free-ke', `Bearer ${'x'.repeat(100_000)}`],
    ],
    { url: '/v1/pets/29' },
  ),
  ...withHeader(
    'content-type',
    [
      ...['application/json;charset="UTF-8"', 'application/json;', 'application/json v=1'],
      ...['application/json ; charset = utf-8', 'application/json; odata="a;b"; charset=utf-8'],
      ...['', 'application/jsonx', 'xapplication/json', 'application/json; v=1; charset=latin1'],
    ],
    { json },
  ),
  ...withHeader('content-encoding', ['Identity', 'gzip', 'identity, gzip', ''], { json }),
  ...[
    ...['{"name":"Rex","categoryId":1', "{'name':'Rex','categoryId':1}"],
    ...['{"name":"Rex","categoryId":01}', '{"name":"Rex","categoryId":+1}'],
    ...['{"name":"Rex","categoryId":NaN}', '{"__proto__":{"name":"Rex","categoryId":1}}'],
    '{"name":"Rex","categoryId":1,"__proto__":{"status":"sold"},"constructor":1}',
    ...['{"name":"Rex","categoryId":1e400}', '{"name":"Rex","categoryId":1,"status":null}'],
  ].map((body) => ({ json: body })),
  { unreadable: 'Cannot read the request: its header is too large' },
]

/** Rejections for which a choice, a key or the time is to blame. */
const circumstances: readonly (TestRequest & { readonly options?: SandboxOptions })[] = [
  ...[null, 'stranger', 'minute-exhausted-key', 'day-exhausted-key', 'banned-key'].map((key) => ({
    key,
  })),
  { key: 'banned-key', options: { gaps: { banStatus: 403 } } },
  { json: '{"name":"","categoryId":1}', options: { gaps: { emptyName: 'reject' } } },
  { url: '/v1/store/orders' },
  { url: '/v1/pets/1', options: { clock: { now: '2030-12-05', mode: 'frozen' } } },
  {
    url: '/v1/pets/1',
    options: { clock: { now: '2030-12-05', mode: 'frozen' }, gaps: { afterSunset: 'gone' } },
  },
]

/** Tells what a request is answered with, and why. */
async function tellAnswer(request: TestRequest, options?: SandboxOptions): Promise<string> {
  const sandbox = frozenSandbox(options)
  const { status, body } = await send(sandbox, request)
  const { method = '', url = '', key = '', headers = {}, json: text = request.body } = request
  const asked = [method, url, key ?? 'no key', ...Object.values(headers), text ?? '']
    .map((part) => JSON.stringify(part.slice(0, 80)).slice(1, -1))
    .filter((part) => part !== '')
  const why = `${sandbox.requests.last()?.why}`
  if (status >= 400 && status !== 429) expect(why).toContain(JSON.parse(body).message)
  return `${asked.join(' ')}\n  ${why}${status < 400 ? `: ${body}` : ''}`
}

/** Tells what a case of the adapters is answered with, and why; of a long body, its beginning and its length. */
async function tellCase(one: AdapterCase): Promise<string> {
  const sandbox = one.createSandbox()
  const outcome = await one.play(sandbox, sandbox.handle)
  if (outcome.kind !== 'response') throw new Error(`Cannot tell "${one.name}": no response`)
  const { status, body } = outcome
  const shown = body.length > 120 ? `${body.slice(0, 80)}… (${body.length})` : body
  return `${one.name}\n  ${sandbox.requests.last()?.why}${status < 400 ? `: ${shown}` : ''}`
}

describe('sandbox.handle() of odd requests', () => {
  it('handles them as it always has', async () => {
    const told: string[] = []
    for (const request of requests) told.push(await tellAnswer(request))
    for (const { options, ...request } of circumstances) {
      told.push(await tellAnswer(request, options))
    }
    for (const one of oddCases) told.push(await tellCase(one))
    await expect(told.join('\n')).toMatchFileSnapshot('odd-requests.txt')
  })

  it.each(['a"b\\c\n', 'Señor 🐢', '\ud83d', '#1', '9007199254740993', 'a'.repeat(1_000)])(
    'keeps the name %j',
    async (name) => {
      const { status, body } = await send(frozenSandbox(), {
        json: JSON.stringify({ name, categoryId: 1 }),
      })
      expect([status, JSON.parse(body).name === name]).toEqual([201, true])
    },
  )

  it.each([
    { query: '=5', name: '' },
    { query: 'limit=1&a', name: 'a' },
    { query: '&&b==', name: 'b' },
  ])('names the parameter of ?$query as URLSearchParams does', async ({ query, name }) => {
    const sandbox = frozenSandbox({ gaps: { unknownQuery: 'reject' } })
    const { status, body } = await send(sandbox, { url: `/v1/pets?${query}` })
    expect([status, JSON.parse(body)]).toEqual([
      400,
      expect.objectContaining({ message: expect.stringContaining(`parameter "${name}": `) }),
    ])
  })

  it('names what it could not find on one line, cut to a length that fits', async () => {
    const reply = await send(frozenSandbox(), { url: `/v1/${'a\n'.repeat(10_000)}` })
    const { message } = JSON.parse(reply.body) as { message: string }
    expect(message.length).toBeLessThan(200)
    expect(message).not.toContain('\n')
  })

  it.each([
    { url: '/v1/pets/1/?limit=1', ending: ', gap trailingSlash=not-found' },
    { url: '/v1/store/orders/', ending: ', gap trailingSlash=not-found' },
    { url: '/v1/users/', ending: '; spec 7' },
    { url: '/v1/pets//', ending: '; spec 7' },
    { url: '/v1/store/orders/', ending: '; spec 7', gaps: { storeOrders: 'not-found' } as const },
    { url: '/v1/pets/1/', ending: '; spec 7', now: '2030-12-05' },
  ])('blames the slash of $url only where it alone is wrong', async ({ url, ending, ...world }) => {
    const sandbox = frozenSandbox({ gaps: world.gaps ?? {} })
    if (world.now !== undefined) sandbox.clock.set(world.now)
    await send(sandbox, { url })
    expect(sandbox.requests.last()?.why.endsWith(ending)).toBe(true)
  })
})

const answerTo = async (request: TestRequest) => {
  const { status, body } = await send(frozenSandbox(), request)
  return { status, message: status < 400 ? '' : String(JSON.parse(body).message) }
}

/** A pet as JSON of so many bytes, its name made of one character again and again. */
function petOfBytes(bytes: number, character = 'a'): string {
  const width = new TextEncoder().encode(character).length
  const frame = '{"categoryId":1,"name":""}'
  const count = Math.floor((bytes - frame.length) / width)
  const name = character.repeat(count) + 'a'.repeat(bytes - frame.length - count * width)
  return frame.replace('""', `"${name}"`)
}

const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth)

describe('sandbox.handle() of large bodies', () => {
  it.each(['a', 'é', '€', '🐢'])('takes 1 MiB of %s and not a byte more', async (character) => {
    // It is read whole: its name is too long for a pet.
    expect(await answerTo({ json: petOfBytes(maxBodyBytes, character) })).toMatchObject({
      status: 400,
      message: expect.stringContaining('Cannot use name'),
    })
    expect(await answerTo({ json: petOfBytes(maxBodyBytes + 1, character) })).toEqual({
      status: 413,
      message: 'Cannot read the body: it is larger than 1048576 bytes; send less',
    })
  })

  it.each([
    { bytes: maxBodyBytes, status: 400 },
    { bytes: maxBodyBytes + 1, status: 413 },
  ])('rejects $bytes bytes that are not UTF-8 with $status', async ({ bytes, status }) => {
    const unreadable = decodeBody(new Uint8Array(bytes).fill(0xff))
    expect(await answerTo({ json: '', ...unreadable })).toMatchObject({ status })
  })

  it('rejects a large body for its size before its type', async () => {
    const body = ' '.repeat(maxBodyBytes + 1)
    expect(await answerTo({ method: 'POST', body })).toMatchObject({ status: 413 })
  })

  it.each([
    { what: 'open arrays', body: '['.repeat(500_000), status: 400 },
    { what: 'arrays', body: nested(500_000), status: 400 },
    { what: 'a large number', body: `${'['.repeat(9_999)}9007199254740993`, status: 400 },
    {
      what: 'something beside a wrong number',
      body: `{"name":"Rex","categoryId":9007199254740993.5,"x":${nested(10_000)}}`,
      status: 400,
    },
    {
      what: 'something beside a large number',
      body: `{"name":"Rex","categoryId":9007199254740993,"x":${nested(10_000)}}`,
      status: 201,
    },
    {
      what: 'an unknown property',
      body: `{"name":"Rex","categoryId":1,"x":${nested(500_000)}}`,
      status: 201,
    },
  ])('answers deeply nested $what with $status', async ({ body, status }) => {
    expect(await answerTo({ json: body })).toMatchObject({ status })
  })
})
