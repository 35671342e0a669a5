import { expect, it } from 'vitest'
import { NotFoundError } from '../../../src/mock/input/input-error.ts'
import type { ApiRequest } from '../../../src/mock/spec/message.ts'
import { frozenSandbox } from '../../kit/frozen-sandbox.ts'
import { requestOf } from '../../kit/send.ts'

it('says what other choices would have made of a request, and changes nothing', async () => {
  const sandbox = frozenSandbox()
  for (let asked = 0; asked < 62; asked++) await sandbox.handle(requestOf({}))
  await sandbox.handle(requestOf({ url: '/v1/pets/007' }))
  sandbox.clock.advance('1m')
  await sandbox.handle(requestOf({}))
  const before = JSON.stringify(sandbox.snapshot())
  const found = await sandbox.whatIf(61, { retryAfterFormat: 'http-date' })
  expect(found.differs).toBe(true)
  expect(found.before).toMatchObject({ kind: 'reply', status: 429 })
  expect(found.before.headers?.['retry-after']).toMatch(/^\d+$/)
  expect(found.instead.headers?.['retry-after']).toMatch(/GMT$/)
  expect(found.before.body).toBe(found.instead.body)
  const same = await sandbox.whatIf(60, { retryAfterFormat: 'http-date' })
  expect(same).toMatchObject({ differs: false, before: { status: 200 }, instead: { status: 200 } })
  // What came before is as it was, so the last request finds a new minute in both.
  expect(await sandbox.whatIf(64, { banAfter: 1 })).toMatchObject({ differs: false })
  expect(JSON.stringify(sandbox.snapshot())).toBe(before)
})

it('takes several choices, and those in force at the time for all others', async () => {
  const sandbox = frozenSandbox({ gaps: { storeOrders: 'not-found' } })
  await sandbox.handle(requestOf({ url: '/v1/store/orders' }))
  sandbox.setGaps({ storeOrders: 'not-implemented' })
  const found = await sandbox.whatIf(1, { trailingSlash: 'ignore', listOrder: 'id-descending' })
  expect(found).toMatchObject({ differs: false, instead: { status: 404 } })
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
    const { before } = await sandbox.whatIf(id, {})
    expect(before.headers?.['x-ratelimit-remaining']).toBe(remaining)
  }
})

it('refuses what is no choice, and no exchange', async () => {
  const sandbox = frozenSandbox()
  await sandbox.handle(requestOf({}))
  await expect(sandbox.whatIf(9, {})).rejects.toThrow(NotFoundError)
  await expect(sandbox.whatIf(1, JSON.parse('{"banStatus":5}'))).rejects.toThrow(
    'Cannot set gaps.banStatus: found 5',
  )
})

it('ends when nobody waits any more', async () => {
  const sandbox = frozenSandbox()
  for (let asked = 0; asked < 5_000; asked++) await sandbox.handle(requestOf({}))
  const asked = sandbox.whatIf(5_000, {}, AbortSignal.abort())
  await expect(asked).rejects.toThrow('nobody waits')
})
