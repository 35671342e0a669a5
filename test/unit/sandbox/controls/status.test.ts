import { describe, expect, it } from 'vitest'
import { frozenSandbox } from '../../../kit/frozen-sandbox.ts'
import { requestOf } from '../../../kit/send.ts'

describe('Sandbox.status()', () => {
  it('says of a fresh sandbox that nothing has happened yet', () => {
    const sandbox = frozenSandbox()
    expect(sandbox.status()).toEqual({
      clock: { now: '2026-01-01T00:00:00Z', mode: 'frozen', speed: 1 },
      rateLimits: 'enforce',
      counts: { pets: 30, keys: 9, faults: 0 },
      keys: sandbox.keys.list(),
      faults: [],
      gaps: [],
      requests: [],
    })
  })

  it('says what was found of clients, the worst first, once somebody judges them', async () => {
    const sandbox = frozenSandbox()
    for (const url of ['/v1/pets?limit=1', '/v1/pets/1', '/v1/pets?key=free-key', '/v1/pets/2']) {
      for (const key of ['free-key', 'pro-key']) await sandbox.handle(requestOf({ url, key }))
    }
    expect(sandbox.status().findings).toBeUndefined()
    const all = await sandbox.findings()
    const { counts, worst } = sandbox.status().findings ?? {}
    expect(counts).toEqual({ error: 2, warning: 2, info: 4 })
    expect(worst?.map(({ rule }) => rule)).toEqual([
      'key-in-url',
      'key-in-url',
      'deprecated-operation',
    ])
    expect(all).toEqual(expect.arrayContaining([...(worst ?? [])]))
  })

  it('says what is not as it was, and what the latest requests were', async () => {
    const sandbox = frozenSandbox()
    sandbox.setGaps({ banDuration: '1h', retryAfterFormat: 'http-date', emptyName: 'accept' })
    sandbox.faults.add({ fault: 'timeout', key: 'pro-key' })
    sandbox.scenario('banned', { key: 'free-key' })
    for (const url of ['/a', '/b', '/c', '/v1/pets?limit=1']) {
      await sandbox.handle(requestOf({ url, key: 'business-key' }))
    }
    await sandbox.handle(requestOf({}))
    const leave = new AbortController()
    const left = sandbox.handle(requestOf({ key: 'pro-key' }), leave.signal)
    leave.abort()
    await left
    const { gaps, faults, keys, requests } = sandbox.status()
    expect(gaps).toEqual([
      { gap: 'retryAfterFormat', value: 'http-date', default: 'seconds' },
      { gap: 'banDuration', value: '1h', default: '5m' },
    ])
    expect(faults).toMatchObject([{ fault: 'timeout', applied: 1 }])
    expect(keys[0]).toMatchObject({ state: 'banned', bannedUntil: '2026-01-01T01:00:00Z' })
    expect(requests.map(({ url, status }) => [url, status])).toEqual([
      ['/b', 404],
      ['/c', 404],
      ['/v1/pets?limit=1', 200],
      ['/v1/pets', 429],
      ['/v1/pets', 'timeout'],
    ])
    expect(requests[3]).toEqual({
      id: 5,
      at: '2026-01-01T00:00:00Z',
      method: 'GET',
      url: expect.anything(),
      key: 'free…',
      status: 429,
      why: expect.stringContaining('the API key is banned'),
    })
  })

  it('lists no more than a screen holds, and says how many there are', () => {
    const sandbox = frozenSandbox()
    for (let made = 0; made < 30; made++) {
      sandbox.keys.issue({ plan: 'free' })
      sandbox.faults.add({ fault: 'status' })
    }
    const { keys, faults, counts } = sandbox.status()
    expect([keys.length, faults.length]).toEqual([20, 20])
    expect(counts).toMatchObject({ keys: 39, faults: 30 })
  })
})
