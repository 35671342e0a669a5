import { describe, expect, it } from 'vitest'
import type { GapSettings } from '../../src/mock/api/gaps.ts'
import type { ApiResponse } from '../../src/mock/api/message.ts'
import type { Sandbox } from '../../src/sandbox/sandbox.ts'
import { frozenSandbox, startAt } from '../kit/frozen-sandbox.ts'
import { requestOf, send, sendMany, type TestRequest } from '../kit/send.ts'

const petWith = (members: string): TestRequest => ({ json: `{"name":"Rex",${members}}` })
const rex = petWith('"categoryId":1')
const petUrl = '/v1/pets/1'
const rejectedForm = /send an integer without a fraction or an exponent/
const leadingZeros = /without leading zeros/

interface Answer {
  readonly gaps: GapSettings
  readonly request: TestRequest
  readonly status: number
  /** What the reply's body matches, if the status doesn't tell all. */
  readonly body?: RegExp
}

// The conformance pairs have one request for each choice; these are its neighbours, where a mistake would hide.
const answers: readonly Answer[] = [
  { gaps: { emptyName: 'reject' }, request: { json: '{"name":" ","categoryId":1}' }, status: 201 },
  ...['1000', '1e3', '1000.0', '10000E-1', '1.000e+3'].map((category) => ({
    gaps: { nonCanonicalIntegers: 'accept' } as const,
    request: petWith(`"categoryId":${category}`),
    status: 201,
    body: /"categoryId":1000,/,
  })),
  ...['1e3', '10000E-1', '1.000e+3', '9007199254740993.0'].map((category) => ({
    gaps: { nonCanonicalIntegers: 'reject' } as const,
    request: petWith(`"tag":{"categoryId":5},"categoryId": ${category}`),
    status: 400,
    body: rejectedForm,
  })),
  {
    gaps: { nonCanonicalIntegers: 'reject' },
    request: petWith('"categoryId":1.5'),
    status: 400,
    body: /found 1\.5; send an integer/,
  },
  ...['1000', '-0', '9007199254740993'].map((category) => ({
    gaps: { nonCanonicalIntegers: 'reject' } as const,
    request: {
      json: `{"category\\u0049d" : ${category} ,"name":"R\\"x","tag":[{"categoryId":1e3}]}`,
    },
    status: 201,
  })),
  ...['01', '-0', '-07', '%30%31'].map((id) => ({
    gaps: { nonCanonicalIntegers: 'reject' } as const,
    request: { url: `/v1/pets/${id}` },
    status: 404,
    body: leadingZeros,
  })),
  { gaps: { nonCanonicalIntegers: 'reject' }, request: { url: petUrl }, status: 200 },
  { gaps: { nonCanonicalIntegers: 'reject' }, request: { url: '/v1/pets?limit=10' }, status: 200 },
  {
    gaps: { nonCanonicalIntegers: 'reject' },
    request: { url: '/v1/pets/0' },
    status: 404,
    body: /no such pet/,
  },
  {
    gaps: { unknownRouteWithoutKey: 'not-found' },
    request: { url: '/v1/store/orders', key: null },
    status: 401,
  },
  ...['/v1/pets//', '/v1/pets/1//', '/v1/'].map((url) => ({
    gaps: { trailingSlash: 'ignore' } as const,
    request: { url },
    status: 404,
  })),
  {
    gaps: { bearerScheme: 'case-sensitive' },
    request: { headers: { authorization: 'Bearer  free-key' } },
    status: 200,
  },
  { gaps: { banStatus: 403 }, request: { key: 'minute-exhausted-key' }, status: 429 },
  {
    gaps: { storeOrders: 'empty-list', undocumentedProperty: 'present' },
    request: { url: '/v1/store/orders' },
    status: 200,
    body: /^\[\]$/,
  },
]

const nothing = { url: '/v1/nothing' }

/** Requests that are rejected for themselves, and how. */
const wrongRequests = [
  { ...nothing, status: 404 },
  { url: '/v1/pets/999', status: 404 },
  { method: 'PUT', status: 405 },
  { url: '/v1/pets?limit=0', status: 400 },
  { json: '{}', status: 400 },
  { json: '{"name":"Rex"', status: 400 },
  { url: '/v1/store/orders', status: 501 },
]

describe('gaps', () => {
  it.each(answers)('$gaps: $request gets $status', async ({ gaps, request, ...reply }) => {
    const { status, body } = await send(frozenSandbox({ gaps }), request)
    expect(status).toBe(reply.status)
    if (reply.body !== undefined) expect(body).toMatch(reply.body)
  })

  it.each([
    { gaps: { nonCanonicalIntegers: 'reject' }, request: { url: '/v1/pets?limit=01' } },
    { gaps: { nonCanonicalIntegers: 'reject' }, request: { url: '/v1/pets/01' } },
    {
      gaps: { bearerScheme: 'case-sensitive' },
      request: { headers: { authorization: 'BEARER free-key' } },
    },
  ] as const)('$gaps is named as the cause in the request log', async ({ gaps, request }) => {
    const sandbox = frozenSandbox({ gaps })
    await send(sandbox, request)
    const [[gap, choice] = []] = Object.entries(gaps)
    expect(sandbox.requests.last()?.decision?.gap).toBe(gap)
    expect(sandbox.requests.last()?.why).toMatch(new RegExp(`gap ${gap}=${choice}$`))
  })

  it('defaultStatus: none leaves a pet out of all filtered lists', async () => {
    const sandbox = frozenSandbox({ gaps: { defaultStatus: 'none' } })
    await send(sandbox, rex)
    for (const status of ['available', 'pending', 'sold']) {
      expect(await idsOf(sandbox, `limit=100&status=${status}`)).not.toContain(31)
    }
  })

  it('idSequence: large goes on with odd numbers after an even one', async () => {
    const sandbox = frozenSandbox({ gaps: { idSequence: 'large' } })
    sandbox.pets.create({ id: '9007199254741000', name: 'Even', categoryId: 1 })
    const [{ body }] = (await sendMany(sandbox, 1, rex)) as [ApiResponse]
    expect(body).toContain('"id":9007199254741001,')
  })

  it('listOrder: shuffled gives all pets, whatever the limit', async () => {
    const sandbox = frozenSandbox({ gaps: { listOrder: 'shuffled' } })
    const ids = await idsOf(sandbox, 'limit=100')
    expect(new Set(ids).size).toBe(30)
    expect(await idsOf(sandbox, 'limit=5')).toEqual(ids.slice(0, 5))
  })

  it('invalidQuery: ignore clamps a limit that is out of range', async () => {
    const sandbox = frozenSandbox({ gaps: { invalidQuery: 'ignore' } })
    await sendMany(sandbox, 80, { ...rex, key: 'pro-key' })
    const lengths = []
    for (const limit of ['-5', '', '101', '9'.repeat(400)]) {
      lengths.push((await idsOf(sandbox, `limit=${limit}`)).length)
    }
    expect(lengths).toEqual([1, 20, 100, 100])
  })

  it('trailingSlash: ignore names the methods of the path without the slash', async () => {
    const sandbox = frozenSandbox({ gaps: { trailingSlash: 'ignore' } })
    const { headers } = await send(sandbox, { method: 'PUT', url: '/v1/pets/' })
    expect(headers.allow).toBe('GET, HEAD, POST')
  })

  it('deprecationHeaders: standard announces the removal in a 401 too', async () => {
    const { headers } = await send(frozenSandbox(), { url: petUrl, key: null })
    expect(Object.keys(headers)).toEqual(expect.arrayContaining(['deprecation', 'sunset', 'link']))
  })

  it('afterSunset: gone serves until the last millisecond, then no pet, whatever the id', async () => {
    const sandbox = frozenSandbox({ gaps: { afterSunset: 'gone' } })
    sandbox.clock.set('2030-12-04T23:59:59.999Z')
    expect((await send(sandbox, { url: petUrl })).status).toBe(200)
    sandbox.clock.set('2030-12-05')
    for (const url of [petUrl, '/v1/pets/999', '/v1/pets/abc']) {
      expect((await send(sandbox, { url })).status).toBe(410)
    }
  })

  it('sunsetTime: end-of-day is what the scenarios of the removal go by', async () => {
    const sandbox = frozenSandbox({ gaps: { sunsetTime: 'end-of-day' } })
    sandbox.scenario('sunset-tomorrow')
    expect(sandbox.clock.read().now).toBe('2030-12-04T23:59:59Z')
    sandbox.scenario('sunset-passed')
    expect((await send(sandbox, { url: petUrl })).status).toBe(404)
  })

  it('unauthenticatedQuota: not-counted leaves the window of keys alone', async () => {
    const sandbox = frozenSandbox({ gaps: { unauthenticatedQuota: 'not-counted' } })
    await sendMany(sandbox, 2, { key: null })
    expect(remainingOf(await send(sandbox))).toBe('59')
  })

  it('quotaWindow: sliding lets each request go a minute after its second, a day after its minute', async () => {
    const sandbox = frozenSandbox({ gaps: { quotaWindow: 'sliding' } })
    sandbox.keys.setRemaining('free-key', { minute: 2 })
    sandbox.clock.advance(30_500)
    expect(resetInSeconds(await send(sandbox))).toBe(60)
    sandbox.clock.advance(10_000)
    expect(remainingOf(await send(sandbox))).toBe('0')
    const rejected = await send(sandbox)
    expect([rejected.status, resetInSeconds(rejected)]).toEqual([429, 60])
    expect(rejected.headers['retry-after']).toBe('20')
    sandbox.clock.advance(19_500)
    expect(remainingOf(await send(sandbox))).toBe('57')
    sandbox.keys.setRemaining('free-key', { minute: 0, day: 0 })
    expect(resetInSeconds(await send(sandbox))).toBe(86_460)
    expect(sandbox.keys.get('free-key').day.resetAt).toBe('2026-01-02T00:01:00Z')
  })

  it('quotaWindow: first-request ends a window to the second', async () => {
    const sandbox = frozenSandbox({ gaps: { quotaWindow: 'first-request' } })
    sandbox.clock.advance(30_500)
    expect(resetInSeconds(await send(sandbox))).toBe(90)
    sandbox.clock.advance(59_000)
    expect(remainingOf(await send(sandbox))).toBe('58')
    sandbox.clock.advance(500)
    expect(resetInSeconds(await send(sandbox))).toBe(150)
    sandbox.keys.setRemaining('free-key', { day: 0 })
    expect(resetInSeconds(await send(sandbox))).toBe(86_430)
  })

  it('reportedWindow: minute reports the day when that rejects', async () => {
    const sandbox = frozenSandbox({ gaps: { reportedWindow: 'minute' } })
    sandbox.keys.setRemaining('free-key', { day: 1 })
    expect((await send(sandbox)).headers['x-ratelimit-limit']).toBe('60')
    expect((await send(sandbox)).headers).toMatchObject({
      'x-ratelimit-limit': '1000',
      'x-ratelimit-remaining': '0',
      'retry-after': '86400',
    })
  })

  it('countedRequests: successful counts only what ends in 2xx', async () => {
    const sandbox = frozenSandbox({ gaps: { countedRequests: 'successful' } })
    const left = []
    for (const { status: _, ...request } of wrongRequests) {
      left.push(remainingOf(await send(sandbox, request)))
    }
    expect(new Set(left)).toEqual(new Set(['60']))
    expect(remainingOf(await send(sandbox, rex))).toBe('59')
  })

  it.each(wrongRequests)('errorPrecedence decides about $method $url $json', async (wrong) => {
    const { status, ...request } = wrong
    const sandbox = frozenSandbox()
    const statuses = []
    for (const errorPrecedence of ['rate-limit', 'request'] as const) {
      sandbox.setGaps({ errorPrecedence })
      for (const key of ['minute-exhausted-key', 'banned-key']) {
        statuses.push((await send(sandbox, { ...request, key })).status)
      }
    }
    expect(statuses).toEqual([429, 429, status, status])
  })

  it('rejectedRequests: counted keeps out a client that comes back early, where the window slides', async () => {
    const served = async (rejectedRequests: 'counted' | 'not-counted') => {
      const sandbox = frozenSandbox({
        gaps: { rejectedRequests, quotaWindow: 'sliding', banAfter: 'never' },
      })
      await sendMany(sandbox, 60)
      const statuses = []
      for (let sent = 0; sent < 360; sent++) {
        sandbox.clock.advance(500)
        statuses.push((await send(sandbox)).status)
      }
      return statuses.filter((status) => status === 200).length
    }
    expect(await served('not-counted')).toBeGreaterThan(100)
    expect(await served('counted')).toBe(0)
  })

  it('rejectedRequests: counted says when a client that waits gets through', async () => {
    const sandbox = frozenSandbox({ gaps: { rejectedRequests: 'counted', quotaWindow: 'sliding' } })
    await sendMany(sandbox, 60)
    sandbox.clock.advance('10s')
    const { headers } = (await sendMany(sandbox, 3)).at(-1) as ApiResponse
    sandbox.clock.advance(`${headers['retry-after']}s`)
    expect((await send(sandbox)).status).toBe(200)
  })

  it('rejectedRequests: counted neither counts a wrong request nor gives back a rejected one', async () => {
    const gaps = { rejectedRequests: 'counted', reportedWindow: 'day' } as const
    const left = async (others: GapSettings) => {
      const sandbox = frozenSandbox({ gaps: { ...gaps, ...others } })
      sandbox.keys.setRemaining('free-key', { minute: 0 })
      await sendMany(sandbox, 5, nothing)
      sandbox.clock.advance('1m')
      return remainingOf(await send(sandbox))
    }
    expect(await left({ errorPrecedence: 'request' })).toBe('999')
    expect(await left({ countedRequests: 'successful' })).toBe('994')
  })

  it('newPetListed leaves a new pet out of lists only, until its time, in snapshots too', async () => {
    const sandbox = frozenSandbox({ gaps: { newPetListed: '5s' } })
    await send(sandbox, rex)
    const other = frozenSandbox({ gaps: { newPetListed: '5s' } })
    other.restore(sandbox.snapshot())
    for (const one of [sandbox, other]) {
      expect((await ask(one, { url: '/v1/pets/31' })).status).toBe(200)
      expect(one.pets.list()).toHaveLength(31)
      one.pets.update(31, { status: 'sold' })
      one.clock.advance(4_999)
      expect(await idsOf(one, 'limit=100')).not.toContain(31)
      one.clock.advance(1)
      expect(await idsOf(one, 'limit=100')).toContain(31)
    }
  })

  it('errorPrecedence: request counts a wrong request neither as a request nor to a ban', async () => {
    const sandbox = frozenSandbox({ gaps: { errorPrecedence: 'request' } })
    for (const reply of await sendMany(sandbox, 14, { ...nothing, key: 'minute-exhausted-key' })) {
      expect(remainingOf(reply)).toBe('0')
      expect(Object.keys(reply.headers)).not.toContain('retry-after')
    }
    const right = { ...rex, key: 'minute-exhausted-key' }
    expect(codeOf(await send(sandbox, right))).toBe('rate_limit_exceeded')
    expect(sandbox.pets.size).toBe(30)
    sandbox.clock.advance('1m')
    expect(remainingOf(await send(sandbox, right))).toBe('59')
    expect((await send(sandbox, { key: 'unknown-key', json: '{}' })).status).toBe(401)
  })

  it('retryAfterPadding: 5s pads dates and messages, but not the window', async () => {
    const sandbox = frozenSandbox({
      gaps: { retryAfterPadding: '5s', retryAfterFormat: 'http-date' },
    })
    const full = { key: 'minute-exhausted-key' }
    const { headers, body } = await send(sandbox, full)
    expect(headers['retry-after']).toBe('Thu, 01 Jan 2026 00:01:05 GMT')
    expect(body).toContain('retry at 2026-01-01T00:01:05Z')
    sandbox.clock.advance('1m')
    expect((await send(sandbox, full)).status).toBe(200)
  })

  it('banDuration lasts across days', async () => {
    const sandbox = frozenSandbox({ gaps: { banDuration: '2d' } })
    sandbox.keys.setRemaining('free-key', { minute: 0 })
    await sendMany(sandbox, 11)
    sandbox.clock.advance('47h')
    expect((await send(sandbox)).headers['retry-after']).toBe('3600')
    sandbox.clock.advance('1h')
    expect((await send(sandbox)).status).toBe(200)
  })

  it('undocumentedProperty: present keeps int64 digit for digit, and the length that HEAD announces', async () => {
    const sandbox = frozenSandbox({ gaps: { undocumentedProperty: 'present' } })
    const json = '{"name":"\\u0000n1","categoryId":9223372036854775807}'
    expect((await ask(sandbox, { json })).body).toBe(
      '{"id":31,"name":"\\u0000n1","categoryId":9223372036854775807,"status":"available","unpromised":true}',
    )
    const list = JSON.parse((await ask(sandbox, { url: '/v1/pets?limit=100' })).body)
    expect(list.filter((pet: object) => 'unpromised' in pet)).toHaveLength(31)
    const head = await ask(sandbox, { url: petUrl, method: 'HEAD' })
    const { body } = await ask(sandbox, { url: petUrl })
    expect(head.headers['content-length']).toBe(String(body.length))
  })

  it('undocumentedStatus: present changes what is sent of odd pending pets, not what is kept', async () => {
    const sandbox = frozenSandbox({ gaps: { undocumentedStatus: 'present' } })
    await ask(sandbox, petWith('"categoryId":9007199254740993,"status":"pending"'))
    await ask(sandbox, petWith('"categoryId":1,"status":"pending"'))
    expect((await ask(sandbox, { url: '/v1/pets/31' })).body).toBe(
      '{"id":31,"name":"Rex","categoryId":9007199254740993,"status":"reserved"}',
    )
    const { body } = await ask(sandbox, { url: '/v1/pets?limit=100' })
    const all: { id: number; status?: string }[] = JSON.parse(body)
    const reserved = all.filter(({ status }) => status === 'reserved').map(({ id }) => id)
    expect(reserved).toEqual([3, 9, 15, 31])
    for (const { limit, ids } of [
      { limit: 100, ids: [22, 26, 32] },
      { limit: 1, ids: [22] },
    ]) {
      expect(await idsOf(sandbox, `limit=${limit}&status=pending`)).toEqual(ids)
    }
    expect(sandbox.pets.list().find(({ id }) => id === 3)).toMatchObject({ status: 'pending' })
    sandbox.setGaps({ undocumentedStatus: 'absent' })
    expect(await idsOf(sandbox, 'limit=1&status=pending')).toEqual([3])
  })

  it('dateHeaderSkew changes nothing but the date, which stays within four digits of a year', async () => {
    const sandbox = frozenSandbox({ gaps: { dateHeaderSkew: '1h' } })
    const { headers } = await ask(sandbox, { key: 'minute-exhausted-key' })
    expect(headers).toMatchObject({
      date: 'Thu, 01 Jan 2026 01:00:00 GMT',
      'retry-after': '60',
      'x-ratelimit-reset': String(startAt / 1000 + 60),
    })
    sandbox.clock.set('9999-12-31T23:59:00Z')
    expect((await ask(sandbox)).headers.date).toBe('Fri, 31 Dec 9999 23:59:59 GMT')
  })
})

/** Sends a request whose reply need not be as the API is described. */
async function ask(sandbox: Sandbox, request: TestRequest = {}): Promise<ApiResponse> {
  const outcome = await sandbox.handle(requestOf(request))
  if (outcome.kind !== 'response')
    throw new Error('Cannot give the reply: the connection was broken')
  return outcome
}

async function idsOf(sandbox: Sandbox, query: string): Promise<number[]> {
  const { status, body } = await ask(sandbox, { url: `/v1/pets?${query}` })
  expect(status).toBe(200)
  return (JSON.parse(body) as { id: number }[]).map(({ id }) => id)
}

function codeOf({ body }: ApiResponse): string {
  return (JSON.parse(body) as { code: string }).code
}

function remainingOf({ headers }: ApiResponse): string | undefined {
  return headers['x-ratelimit-remaining']
}

function resetInSeconds({ headers }: ApiResponse): number {
  return Number(headers['x-ratelimit-reset']) - startAt / 1000
}
