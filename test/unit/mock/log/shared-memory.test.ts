import { describe, expect, it } from 'vitest'
import { FullError } from '../../../../src/mock/input/input-error.ts'
import { SharedMemory } from '../../../../src/mock/log/shared-memory.ts'
import { createSandbox, type Sandbox } from '../../../../src/sandbox/sandbox.ts'
import { SandboxPool } from '../../../../src/sandbox/sandbox-pool.ts'
import { requestOf } from '../../../kit/send.ts'

const large = requestOf({ json: JSON.stringify({ x: 'x'.repeat(50_000) }) })

async function post(sandbox: Sandbox, count: number): Promise<void> {
  for (let sent = 0; sent < count; sent++) await sandbox.handle(large)
}

const idsOf = (sandbox: Sandbox): number[] => sandbox.requests.list().map(({ id }) => id)

/** Number of requests that all sandboxes remember. */
function keptIn(...sandboxes: readonly Sandbox[]): number {
  return sandboxes.reduce((sum, sandbox) => sum + idsOf(sandbox).length, 0)
}

/** Ten requests with a body of 50,000 characters, and not eleven. */
const tenLarge = 1_100_000

describe('SharedMemory', () => {
  it('lets the sandbox with the most forget its oldest requests', async () => {
    const pool = new SandboxPool({ limits: { requestLogBytes: tenLarge } })
    const { sandbox: one } = pool.create({ rateLimits: 'report-only' })
    const { sandbox: other } = pool.create({ rateLimits: 'report-only' })
    await post(one, 6)
    await post(other, 5)
    expect([idsOf(one), idsOf(other)]).toEqual([
      [2, 3, 4, 5, 6],
      [1, 2, 3, 4, 5],
    ])
    await post(other, 20)
    expect([idsOf(one).length, idsOf(other).length]).toEqual([5, 5])
    await post(one, 20)
    expect([idsOf(one).length, idsOf(other).length]).toEqual([5, 5])
  })

  const long = 'x'.repeat(50_000)
  const authorization = 'Bearer pro-key'

  it.each([
    { part: 'body', request: large },
    { part: 'URL', request: requestOf({ url: `/v1/pets?x=${long}` }) },
    { part: 'header', request: requestOf({ headers: { authorization, 'x-long': long } }) },
    { part: "header's name", request: requestOf({ headers: { authorization, [long]: 'x' } }) },
  ])('counts every character of a $part', async ({ request }) => {
    const pool = new SandboxPool({ limits: { requestLogBytes: tenLarge } })
    const { sandbox } = pool.create({ rateLimits: 'report-only' })
    for (let sent = 0; sent < 12; sent++) await sandbox.handle(request)
    expect(idsOf(sandbox)).toEqual([3, 4, 5, 6, 7, 8, 9, 10, 11, 12])
  })

  it.each([
    { what: 'cleared', end: (sandbox: Sandbox) => sandbox.requests.clear() },
    { what: 'reset', end: (sandbox: Sandbox) => sandbox.reset() },
    { what: 'restored', end: (sandbox: Sandbox) => sandbox.restore(createSandbox().snapshot()) },
    { what: 'deleted', end: (_: Sandbox, pool: SandboxPool) => pool.delete('one') },
  ])('gives back what a request log took that is $what', async ({ end }) => {
    const pool = new SandboxPool({ limits: { requestLogBytes: tenLarge } })
    const { sandbox: one } = pool.create({ name: 'one', rateLimits: 'report-only' })
    const { sandbox: other } = pool.create({ rateLimits: 'report-only' })
    await post(one, 8)
    expect(pool.memory.used.requests).toBeGreaterThan(800_000)
    end(one, pool)
    await post(other, 10)
    expect(idsOf(other)).toHaveLength(10)
  })

  it('bounds a request log that is restored, and the bodies in it', async () => {
    const original = createSandbox({ rateLimits: 'report-only' })
    await post(original, 20)
    const snapshot = JSON.parse(JSON.stringify(original.snapshot()))
    const cut = { body: `${'x'.repeat(65_536)}…`, bodyBytes: 70_000 }
    Object.assign(snapshot.requests.list[18].request, cut)
    snapshot.requests.list[19].request.body = 'x'.repeat(1_000_000)
    const pool = new SandboxPool({ limits: { requestLogBytes: tenLarge } })
    const { sandbox } = pool.create()
    sandbox.restore(snapshot)
    expect(idsOf(sandbox)).toEqual([11, 12, 13, 14, 15, 16, 17, 18, 19, 20])
    expect(sandbox.requests.get(19).request).toMatchObject(cut)
    expect(sandbox.requests.get(20).request.body).toHaveLength(65_537)
    expect(pool.memory.used.requests).toBeLessThan(tenLarge)
  })

  it('shows nothing of a request that ends after a reset', async () => {
    const pool = new SandboxPool()
    const { sandbox } = pool.create({ clock: { mode: 'frozen' } })
    sandbox.faults.add({ fault: 'latency', ms: '1h' })
    const responded = sandbox.handle(large)
    sandbox.reset()
    await responded
    expect(idsOf(sandbox)).toEqual([])
  })

  it('bounds a sandbox of its own to 64 MiB', async () => {
    const sandbox = createSandbox({ rateLimits: 'report-only' })
    await post(sandbox, 700)
    const kept = keptIn(sandbox)
    expect(kept).toBeGreaterThan(500)
    expect(kept).toBeLessThan(671)
  })

  it('counts a sandbox that came to share it after a reset, too', async () => {
    const sandbox = createSandbox({ rateLimits: 'report-only' })
    const memory = new SharedMemory({ requestLogBytes: tenLarge })
    sandbox.shareMemory(memory)
    sandbox.reset()
    await post(sandbox, 20)
    expect(keptIn(sandbox)).toBe(10)
    expect(memory.used.requests).toBeGreaterThan(1_000_000)
  })

  it('counts no request that a request log has let go for its size', async () => {
    const pool = new SandboxPool()
    const { sandbox } = pool.create({ rateLimits: 'report-only', maxRequests: 5 })
    await post(sandbox, 5)
    sandbox.reset()
    await post(sandbox, 5)
    const { requests } = pool.memory.used
    sandbox.reset()
    await post(sandbox, 15)
    expect(idsOf(sandbox)).toHaveLength(5)
    expect(pool.memory.used.requests).toBeGreaterThan(requests)
  })

  // R1: what a sandbox remembers was bounded for each, not for the server.
  it('forgets unknown tokens of the sandbox with the most, once there are 10,000', async () => {
    const pool = new SandboxPool()
    const sandboxes = Array.from({ length: 12 }, () => pool.create().sandbox)
    const remainingOf = async (sandbox: Sandbox | undefined, token: number) => {
      const outcome = await sandbox?.handle(requestOf({ key: `unknown-${token}` }))
      return outcome?.kind === 'response' ? outcome.headers['x-ratelimit-remaining'] : undefined
    }
    for (const sandbox of sandboxes) {
      for (let token = 0; token < 1_000; token++) await remainingOf(sandbox, token)
    }
    expect(pool.memory.used.tokens).toBe(20_000)
    const [first] = sandboxes
    expect(await remainingOf(first, 999)).toBe('58')
    expect(await remainingOf(first, 0)).toBe('59')
  })

  it('rejects names once all pets together have 10,000,000 characters', async () => {
    const pool = new SandboxPool({
      defaults: { gaps: { maxNameLength: 'never' }, rateLimits: 'report-only' },
    })
    const name = 'x'.repeat(1_000_000)
    const create = (sandbox: Sandbox) =>
      sandbox.handle(requestOf({ json: JSON.stringify({ name, categoryId: 1 }) }))
    await create(pool.create({ name: 'first' }).sandbox)
    for (let made = 0; made < 8; made++) {
      expect(await create(pool.create().sandbox)).toMatchObject({ status: 201 })
    }
    const { sandbox: last } = pool.create()
    expect(await create(last)).toMatchObject({
      status: 503,
      body: expect.stringContaining('the pets of all sandboxes would have names of more than'),
    })
    expect(() => last.pets.create({ name, categoryId: 1 })).toThrow(FullError)
    pool.find('first')?.reset()
    expect(await create(last)).toMatchObject({ status: 201 })
  })
})
