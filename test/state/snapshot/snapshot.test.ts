import { describe, expect, it } from 'vitest'
import { frozenSandbox } from '../../kit/frozen-sandbox.ts'
import { send } from '../../kit/send.ts'
import saved from './snapshot-0.1.0.json' with { type: 'json' }

/** What `snapshot()` of 0.1.0 has made, of a sandbox with something in every part that version knew. */
const snapshot = saved as unknown as Readonly<Record<string, unknown>>

describe('a snapshot of 0.1.0', () => {
  it('is taken whole, and written again as it was, beside what is new', () => {
    const sandbox = frozenSandbox()
    sandbox.restore(snapshot)
    expect(JSON.parse(JSON.stringify(sandbox.snapshot()))).toMatchObject(snapshot)
  })

  it('goes on where it was', async () => {
    const sandbox = frozenSandbox()
    sandbox.restore(snapshot)
    expect(sandbox.clock.read().now).toBe('2026-01-01T00:01:30Z')
    expect(await send(sandbox, { url: '/v1/pets?limit=100' })).toMatchObject({
      status: 200,
      headers: { 'x-ratelimit-remaining': '59', date: 'Thu, 01 Jan 2026 00:01:30 GMT' },
      body: '[{"id":4611686018427387905,"name":"Rex","categoryId":5,"status":"available"},{"id":4611686018427387904,"name":"","categoryId":-3},{"id":2,"name":"Zoë 🐢","categoryId":1152921504606846976,"status":"sold"}]',
    })
    expect(await send(sandbox, { key: 'short-key' })).toMatchObject({
      status: 403,
      headers: { 'retry-after': '510' },
    })
    expect((await send(sandbox, { key: 'old-key' })).status).toBe(401)
    expect(sandbox.keys.get('agreed-key')).toMatchObject({
      state: 'active',
      limits: { minute: 9, day: 90 },
      expiresAt: '2026-02-01T00:00:00Z',
    })
    expect(sandbox.journal.last()?.id).toBe(29)
    expect(sandbox.journal.entries({ status: 'disconnect' })).toMatchObject([{ faults: [1] }])
    expect(sandbox.faults.list()).toHaveLength(10)
  })

  it('has no seed of its own: a reset comes back to that of the sandbox', () => {
    const sandbox = frozenSandbox()
    sandbox.reseed({ pets: [] })
    sandbox.restore(snapshot)
    sandbox.reset()
    expect(sandbox.pets.size).toBe(30)
  })

  it.each([0, 2, 1.5])('is no snapshot of version %d', (version) => {
    expect(() => frozenSandbox().restore({ ...snapshot, petstoreSandbox: version })).toThrow(
      `Cannot set snapshot: found a snapshot of version ${version}; use one of version 1`,
    )
  })

  it.each(Object.keys(snapshot).filter((name) => name !== 'petstoreSandbox'))(
    'is broken without its part %s',
    (name) => {
      const { [name]: _, ...rest } = snapshot
      expect(() => frozenSandbox().restore(rest)).toThrow(
        new RegExp(`^Cannot set snapshot\\.${name}: it is missing; use `),
      )
    },
  )
})
