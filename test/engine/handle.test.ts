import { describe, expect, it, onTestFinished, vi } from 'vitest'
import type { GapSettings } from '../../src/contract/gap-settings.ts'
import { serverStops, utf8Length } from '../../src/contract/message.ts'
import { createSandbox } from '../../src/sandbox.ts'
import { Pets } from '../../src/state/pets.ts'
import { frozenSandbox } from '../kit/frozen-sandbox.ts'
import { requestOf, send, type TestRequest } from '../kit/send.ts'

const large = 'x'.repeat(2 ** 20 + 1)

interface Row extends TestRequest {
  readonly status: number
  /** Headers beyond those of every reply. */
  readonly extra?: readonly string[]
  readonly gaps?: GapSettings
}

const deprecation = ['deprecation', 'link', 'sunset']

describe('a bug', () => {
  it('is no refusal: it goes to whoever has asked', async () => {
    const bug = new Error('Cannot list: this is a test')
    const list = vi.spyOn(Pets.prototype, 'list').mockImplementation(() => {
      throw bug
    })
    onTestFinished(() => list.mockRestore())
    await expect(frozenSandbox().handle(requestOf({}))).rejects.toBe(bug)
  })
})

const oneOfEach: readonly Row[] = [
  { status: 200 },
  { status: 200, url: '/v1/pets/1', extra: deprecation },
  { status: 201, json: '{"name":"Rex","categoryId":1}' },
  { status: 400, json: '{}' },
  { status: 400, url: '/v1/pets?limit=0' },
  { status: 401, key: null, extra: ['www-authenticate'] },
  { status: 401, key: 'revoked-key', extra: ['www-authenticate'] },
  { status: 401, key: null, url: '/v1/pets/1', extra: [...deprecation, 'www-authenticate'] },
  { status: 403, key: 'banned-key', extra: ['retry-after'], gaps: { banStatus: 403 } },
  { status: 404, url: '/v1/nothing' },
  { status: 404, url: '/v1/pets/999', extra: deprecation },
  { status: 405, method: 'PUT', extra: ['allow'] },
  { status: 413, json: large },
  { status: 429, key: 'minute-exhausted-key', extra: ['retry-after'] },
  { status: 429, key: 'banned-key', extra: ['retry-after'] },
  { status: 501, url: '/v1/store/orders' },
]

describe('handle()', () => {
  it.each(oneOfEach)(
    'answers $status to $method $url with every header that is due and no other',
    async ({ status, extra = [], gaps = {}, ...request }) => {
      const reply = await send(frozenSandbox({ gaps }), request)
      expect(reply.status).toBe(status)
      expect(Object.keys(reply.headers).sort()).toEqual(
        [
          'content-type',
          'date',
          'x-ratelimit-limit',
          'x-ratelimit-remaining',
          'x-ratelimit-reset',
          ...extra,
        ].sort(),
      )
      expect(reply.headers).toMatchObject({
        'content-type': 'application/json',
        date: 'Thu, 01 Jan 2026 00:00:00 GMT',
        'x-ratelimit-limit': expect.stringMatching(/^\d+$/),
        'x-ratelimit-remaining': expect.stringMatching(/^\d+$/),
        'x-ratelimit-reset': expect.stringMatching(/^\d{10}$/),
      })
    },
  )

  it.each(oneOfEach.filter(({ status }) => status >= 400))(
    'repeats status $status in an Error body of three fields',
    async ({ status, gaps = {}, ...request }) => {
      const reply = await send(frozenSandbox({ gaps }), request)
      expect(JSON.parse(reply.body)).toEqual({
        code: expect.stringMatching(/^[a-z]+(_[a-z]+)*$/),
        message: expect.stringMatching(/^Cannot [^\n]+[^.]$/),
        status,
      })
    },
  )

  it.each([
    { refusal: '401 before 404', status: 401, url: '/v1/nothing', key: null },
    { refusal: '401 before 405', status: 401, method: 'PUT', key: null },
    { refusal: '401 before 413', status: 401, json: large, key: null },
    { refusal: '401 before 400', status: 401, json: '{}', key: null },
    { refusal: '401 before 429', status: 401, key: 'revoked-key' },
    { refusal: '429 before 404', status: 429, url: '/v1/nothing', key: 'minute-exhausted-key' },
    { refusal: '429 before 405', status: 429, method: 'PUT', key: 'minute-exhausted-key' },
    { refusal: '429 before 501', status: 429, url: '/v1/store/orders', key: 'banned-key' },
    { refusal: '429 before 400', status: 429, json: '{}', key: 'day-exhausted-key' },
    { refusal: '404 before 413', status: 404, url: '/v1/nothing', json: large },
    { refusal: '404 before 400', status: 404, url: '/v1/nothing?limit=0', json: '{}' },
    { refusal: '405 before 400', status: 405, method: 'PUT', json: '{}' },
    { refusal: '405 before 413', status: 405, url: '/v1/pets/1', json: large },
  ] satisfies (Row & { refusal: string })[])('answers $refusal', async ({ status, ...row }) => {
    const { refusal: _, ...request } = row
    expect((await send(frozenSandbox(), request)).status).toBe(status)
  })

  it('answers 400 to a request that its host could not read, saying why', async () => {
    const unreadable = 'Cannot read the request: its header is too large; send less'
    const reply = await send(frozenSandbox(), { unreadable })
    expect(reply.status).toBe(400)
    expect(JSON.parse(reply.body)).toEqual({
      code: 'invalid_request',
      message: unreadable,
      status: 400,
    })
  })

  it('lets no fault strike in the place of what its host could not read', async () => {
    const sandbox = frozenSandbox()
    sandbox.faults.add({ fault: 'status', status: 503, times: 1 })
    await send(sandbox, { unreadable: 'Cannot read the request' })
    expect(sandbox.faults.list()).toMatchObject([{ seen: 0, struck: 0 }])
  })

  it.each(['/v1/pets', '/v1/pets/8', '/v1/pets?limit=0', '/v1/nothing', '/v1/store/orders'])(
    'answers HEAD %s as GET, without the body and with its length',
    async (url) => {
      const get = await send(frozenSandbox(), { url })
      const head = await send(frozenSandbox(), { url, method: 'HEAD' })
      const length = String(utf8Length(get.body))
      expect(head.body).toBe('')
      expect(head.status).toBe(get.status)
      expect(head.headers).toEqual({ ...get.headers, 'content-length': length })
    },
  )

  it.each([
    { key: null, status: 401 },
    { key: 'banned-key', status: 429 },
  ])('refuses HEAD with $status as GET, without the body', async ({ key, status }) => {
    const head = await send(frozenSandbox(), { method: 'HEAD', key })
    expect(head).toMatchObject({ status, body: '' })
    expect(head.headers).toHaveProperty('content-length')
  })

  it('takes Date from the clock, in whole seconds', async () => {
    const sandbox = frozenSandbox()
    sandbox.clock.set('2030-12-05T01:02:03.999Z')
    const reply = await send(sandbox)
    expect(reply.headers.date).toBe('Thu, 05 Dec 2030 01:02:03 GMT')
  })

  it('takes no time on a clock that runs, where no fault does', async () => {
    const sandbox = createSandbox()
    let now = Date.UTC(2026, 0)
    const read = vi.spyOn(Date, 'now').mockImplementation(() => now++)
    onTestFinished(() => read.mockRestore())
    await send(sandbox)
    expect(sandbox.journal.last()).toMatchObject({ durationMs: 0 })
  })

  it('names what it could not find on one line, cut to a length that fits', async () => {
    const reply = await send(frozenSandbox(), { url: `/v1/${'a\n'.repeat(10_000)}` })
    const { message } = JSON.parse(reply.body) as { message: string }
    expect(message.length).toBeLessThan(200)
    expect(message).not.toContain('\n')
  })
})

describe('handle() with an owner', () => {
  it.each([
    { reason: undefined, said: 'the client left' },
    { reason: 'bored', said: 'the client left' },
    { reason: serverStops, said: 'the server stops' },
  ])('says that $said before the answer', async ({ reason, said }) => {
    const sandbox = frozenSandbox()
    sandbox.faults.add({ fault: 'latency', ms: '1h' })
    const owner = new AbortController()
    const answered = sandbox.handle(requestOf({}), owner.signal)
    owner.abort(reason)
    expect(await answered).toMatchObject({ status: 200 })
    expect(sandbox.journal.last()?.why).toBe(
      `200: listPets; spec 4.1; fault 1 (latency); ${said} before the answer`,
    )
  })
})
