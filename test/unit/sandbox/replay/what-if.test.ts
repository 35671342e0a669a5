import { expect, it } from 'vitest'
import type { GapSettings } from '../../../../src/mock/api/gaps.ts'
import type { ApiRequest } from '../../../../src/mock/api/message.ts'
import { NotFoundError } from '../../../../src/mock/input/input-error.ts'
import type { Sandbox } from '../../../../src/sandbox/sandbox.ts'
import { frozenSandbox } from '../../../kit/frozen-sandbox.ts'
import { requestOf } from '../../../kit/send.ts'

async function ask(sandbox: Sandbox, request: number, gaps: GapSettings) {
  const { requests, results } = await sandbox.whatIf({ gaps, request, responses: true })
  expect(requests).toBe(1)
  expect(results).toHaveLength(1)
  return results[0]
}

it('tries each other value of each gap on one request, if none is given', async () => {
  const sandbox = frozenSandbox()
  for (const url of ['/v1/pets', '/v1/pets/x', '/v1/pets/1']) {
    await sandbox.handle(requestOf({ url }))
  }
  const { requests, results } = await sandbox.whatIf({ request: 2, count: true })
  expect(requests).toBe(1)
  const changing = results.filter(({ changesResponse }) => changesResponse)
  expect(changing.map(({ gaps }) => Object.keys(gaps)[0])).toContain('invalidPetId')
  expect(changing.every(({ firstRequest, ids }) => firstRequest === 2 && ids?.[0] === 2)).toBe(true)
  expect(changing.flatMap(({ gaps }) => Object.keys(gaps))).not.toContain('listOrder')
})

it('tries several values at once on all requests', async () => {
  const sandbox = frozenSandbox()
  await sandbox.handle(requestOf({ url: '/v1/pets/1' }))
  await sandbox.handle(requestOf({ url: '/v1/pets/x' }))
  const gaps: GapSettings = { deprecationHeaders: 'none', invalidPetId: 'bad-request' }
  expect(await sandbox.whatIf({ gaps, count: true })).toMatchObject({
    requests: 2,
    results: [{ gaps, changesResponse: true, firstRequest: 1, count: 2, ids: [1, 2] }],
  })
})

it('says what other values would have made of a request, and changes nothing', async () => {
  const sandbox = frozenSandbox()
  for (let asked = 0; asked < 62; asked++) await sandbox.handle(requestOf({}))
  await sandbox.handle(requestOf({ url: '/v1/pets/007' }))
  sandbox.clock.advance('1m')
  await sandbox.handle(requestOf({}))
  const before = JSON.stringify(sandbox.snapshot())
  const found = await ask(sandbox, 61, { retryAfterFormat: 'http-date' })
  expect(found?.changesResponse).toBe(true)
  const { actual, alternative } = found?.responses ?? {}
  expect(actual).toMatchObject({ kind: 'response', status: 429 })
  expect(actual?.headers?.['retry-after']).toMatch(/^\d+$/)
  expect(alternative?.headers?.['retry-after']).toMatch(/GMT$/)
  expect(actual?.body).toBe(alternative?.body)
  const same = await ask(sandbox, 60, { retryAfterFormat: 'http-date' })
  expect(same).toEqual({ gaps: { retryAfterFormat: 'http-date' }, changesResponse: false })
  // What came before is as it was, so the last request finds a new minute in both.
  expect(await ask(sandbox, 64, { banAfter: 1 })).toMatchObject({ changesResponse: false })
  expect(JSON.stringify(sandbox.snapshot())).toBe(before)
})

it('takes several values, and those in force at the time for all others', async () => {
  const sandbox = frozenSandbox({ gaps: { storeOrders: 'not-found' } })
  await sandbox.handle(requestOf({ url: '/v1/store/orders' }))
  sandbox.setGaps({ storeOrders: 'not-implemented' })
  const found = await ask(sandbox, 1, { trailingSlash: 'ignore', bearerScheme: 'case-sensitive' })
  expect(found).toMatchObject({ changesResponse: false })
  const other = await ask(sandbox, 1, { trailingSlash: 'ignore', storeOrders: 'not-implemented' })
  expect(other?.responses).toMatchObject({ actual: { status: 404 }, alternative: { status: 501 } })
})

it.each([
  { what: 'one request is', copy: (request: ApiRequest) => request },
  { what: 'requests that are the same are', copy: (request: ApiRequest) => ({ ...request }) },
])('knows which one is meant where $what sent again and again', async ({ copy }) => {
  const sandbox = frozenSandbox()
  const request = requestOf({})
  await sandbox.handle(copy(request))
  sandbox.reset()
  await sandbox.handle(copy(request))
  await sandbox.handle(copy(request))
  for (const [id, remaining] of [
    [2, '59'],
    [3, '58'],
  ] as const) {
    const found = await ask(sandbox, id, {
      retryAfterFormat: 'http-date',
      deprecationHeaders: 'none',
      dateHeaderSkew: '1h',
    })
    expect(found?.responses?.actual.headers?.['x-ratelimit-remaining']).toBe(remaining)
  }
})

it('rejects an invalid value, and a request that is not in the log', async () => {
  const sandbox = frozenSandbox()
  await sandbox.handle(requestOf({}))
  await expect(sandbox.whatIf({ request: 9 })).rejects.toThrow(NotFoundError)
  await expect(sandbox.whatIf(JSON.parse('{"request":1,"gaps":{"banStatus":5}}'))).rejects.toThrow(
    'Cannot set gaps.banStatus: found 5',
  )
})

it('ends when the client has disconnected', async () => {
  const sandbox = frozenSandbox()
  for (let asked = 0; asked < 5_000; asked++) await sandbox.handle(requestOf({}))
  const asked = sandbox.whatIf({ request: 5_000 }, AbortSignal.abort())
  await expect(asked).rejects.toThrow('the client has disconnected')
})
