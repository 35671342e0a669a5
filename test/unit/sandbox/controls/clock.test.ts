import fc from 'fast-check'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import type { GapSettings } from '../../../../src/mock/api/gaps.ts'
import { createSandbox, type Sandbox } from '../../../../src/sandbox/sandbox.ts'
import { draws } from '../../../kit/draws.ts'
import { frozenSandbox, startAt } from '../../../kit/frozen-sandbox.ts'
import { requestOf, send, sendMany } from '../../../kit/send.ts'
import { metIn, Sometimes } from '../../../kit/sometimes.ts'
import { begin } from '../../../kit/under-way.ts'

/** Lets the test say what the system's time is. */
function fakeDate(now = startAt): void {
  vi.useFakeTimers({ toFake: ['Date'], now })
  onTestFinished(() => {
    vi.useRealTimers()
  })
}

async function statusOf(sandbox: Sandbox, request = {}): Promise<number> {
  return (await send(sandbox, request)).status
}

describe('moving the clock', () => {
  it.each([
    { window: 'minute', key: 'minute-exhausted-key', length: '1m' },
    { window: 'day', key: 'day-exhausted-key', length: '1d' },
  ] as const)('begins a new $window window at once', async ({ key, length, window }) => {
    const sandbox = frozenSandbox()
    expect(await statusOf(sandbox, { key })).toBe(429)
    expect(sandbox.keys.get(key)).toMatchObject({ state: 'exhausted', [window]: { remaining: 0 } })
    sandbox.clock.advance(length)
    expect(sandbox.keys.get(key).state).toBe('active')
    expect(await statusOf(sandbox, { key })).toBe(200)
  })

  it('begins it in the millisecond that X-RateLimit-Reset says, and not before', async () => {
    const sandbox = frozenSandbox()
    sandbox.clock.advance(12_345)
    sandbox.keys.setRemaining('free-key', { minute: 0 })
    const resetAt = Number((await send(sandbox)).headers['x-ratelimit-reset']) * 1000
    sandbox.clock.set(resetAt - 1)
    expect(await statusOf(sandbox)).toBe(429)
    sandbox.clock.set(resetAt)
    expect(await statusOf(sandbox)).toBe(200)
  })

  it('ends a ban at its instant', async () => {
    const sandbox = frozenSandbox()
    sandbox.keys.update('free-key', { ban: '10m' })
    expect(sandbox.keys.get('free-key').bannedUntil).toBe('2026-01-01T00:10:00Z')
    sandbox.clock.advance('9m59.999s')
    expect(await statusOf(sandbox)).toBe(429)
    sandbox.clock.advance(1)
    expect(await statusOf(sandbox)).toBe(200)
    expect(sandbox.keys.get('free-key')).not.toHaveProperty('bannedUntil')
  })

  it('lets keys expire, and live again when it goes back', async () => {
    const sandbox = frozenSandbox()
    sandbox.keys.update('free-key', { expiresAt: '2026-02-01' })
    sandbox.clock.set('2026-01-31T23:59:59.999Z')
    expect(await statusOf(sandbox)).toBe(200)
    sandbox.clock.advance(1)
    expect(await statusOf(sandbox)).toBe(401)
    expect(sandbox.keys.get('free-key').state).toBe('expired')
    sandbox.clock.set('2026-01-01')
    expect(await statusOf(sandbox)).toBe(200)
  })

  it('removes getPet on 5 December 2030, and brings it back when it goes back', async () => {
    const sandbox = frozenSandbox()
    sandbox.clock.set('2030-12-04T23:59:59.999Z')
    expect(await statusOf(sandbox, { url: '/v1/pets/1' })).toBe(200)
    sandbox.clock.advance(1)
    expect(await statusOf(sandbox, { url: '/v1/pets/1' })).toBe(404)
    sandbox.clock.set('2030-12-04')
    expect(await statusOf(sandbox, { url: '/v1/pets/1' })).toBe(200)
  })
})

describe('a clock that runs', () => {
  it('takes windows, bans, expiry and Date along when it is scaled', async () => {
    fakeDate()
    const sandbox = frozenSandbox()
    sandbox.clock.setSpeed(3_600)
    await send(sandbox, { key: 'minute-exhausted-key' })
    sandbox.keys.update('free-key', { ban: '1h' })
    sandbox.keys.update('pro-key', { expiresAt: startAt + 3_600_000 })
    vi.setSystemTime(startAt + 999)
    expect(await statusOf(sandbox, { key: 'minute-exhausted-key' })).toBe(200)
    expect(await statusOf(sandbox)).toBe(429)
    expect(await statusOf(sandbox, { key: 'pro-key' })).toBe(200)
    vi.setSystemTime(startAt + 1_000)
    expect(await statusOf(sandbox)).toBe(200)
    expect(await statusOf(sandbox, { key: 'pro-key' })).toBe(401)
    expect((await send(sandbox)).headers.date).toBe('Thu, 01 Jan 2026 01:00:00 GMT')
  })

  it('stops with freeze, runs on from there with resume, and is the system again in the end', async () => {
    fakeDate()
    const { clock } = frozenSandbox()
    vi.setSystemTime(startAt + 60_000)
    expect(clock.now()).toBe(startAt)
    clock.resume()
    vi.setSystemTime(startAt + 61_000)
    expect(clock.now()).toBe(startAt + 1_000)
    clock.freeze()
    vi.setSystemTime(startAt + 70_000)
    expect(clock.now()).toBe(startAt + 1_000)
    clock.useSystemTime()
    expect(clock.read()).toEqual({ now: '2026-01-01T00:01:10Z', mode: 'system', speed: 1 })
  })

  it('is set to the very instant that is asked for, even if it runs fast until then', () => {
    let now = startAt
    const clock = vi.spyOn(Date, 'now').mockImplementation(() => now++)
    onTestFinished(() => clock.mockRestore())
    const sandbox = createSandbox({ clock: { now: startAt, speed: 1_000_000 } })
    const reading = sandbox.clock.update({ set: '2030-12-05T00:00:00Z', mode: 'frozen' })
    expect(reading).toEqual({ now: '2030-12-05T00:00:00Z', mode: 'frozen', speed: 1 })
  })
})

describe('a request that waits', () => {
  const slow = { fault: 'latency', ms: '10s' } as const

  it('is handled as soon as the clock is advanced past its end, and not before', async () => {
    const sandbox = frozenSandbox()
    sandbox.faults.add(slow)
    const request = begin(sandbox)
    sandbox.clock.advance(9_999)
    expect(await request.isComplete()).toBe(false)
    sandbox.clock.advance(1)
    expect(await request.isComplete()).toBe(true)
  })

  it.each([
    { by: 'set', move: ({ clock }: Sandbox) => clock.set('2030-01-01') },
    { by: 'change', move: ({ clock }: Sandbox) => void clock.update({ advance: '1h' }) },
    { by: 'reset', move: (sandbox: Sandbox) => sandbox.reset() },
    { by: 'reset of the clock', move: (sandbox: Sandbox) => sandbox.reset({ only: ['clock'] }) },
    { by: 'restore', move: (sandbox: Sandbox) => sandbox.restore(sandbox.snapshot()) },
    { by: 'a scenario', move: (sandbox: Sandbox) => sandbox.scenario('sunset-tomorrow') },
  ])('is answered at once by $by', async ({ move }) => {
    const sandbox = frozenSandbox()
    sandbox.faults.add(slow)
    const request = begin(sandbox)
    move(sandbox)
    expect(await request.isComplete()).toBe(true)
  })

  it('waits for what was left when the clock goes back, and takes no negative time', async () => {
    const sandbox = frozenSandbox()
    sandbox.faults.add(slow)
    const request = begin(sandbox)
    sandbox.clock.advance('4s')
    sandbox.clock.set(startAt - 3_600_000)
    sandbox.clock.advance('5999ms')
    expect(await request.isComplete()).toBe(false)
    sandbox.clock.advance(1)
    expect(await request.isComplete()).toBe(true)
    expect(sandbox.requests.last()?.durationMs).toBe(0)
  })

  it('ends at once when its client leaves, and the request log says so', async () => {
    const sandbox = frozenSandbox()
    sandbox.faults.add(slow)
    const client = new AbortController()
    const leaving = sandbox.handle(requestOf({}), client.signal)
    const staying = begin(sandbox)
    client.abort()
    expect(await leaving).toMatchObject({ status: 200 })
    expect(await staying.isComplete()).toBe(false)
    expect(sandbox.requests.list()).toMatchObject([
      {
        durationMs: 0,
        why: '200: listPets; spec 4.1; fault 1 (latency); the client left before the response',
      },
    ])
  })

  it('sums up the latencies that strike it, each on one clock that may be reset meanwhile', async () => {
    const sandbox = frozenSandbox()
    sandbox.faults.add([slow, slow])
    const request = begin(sandbox)
    sandbox.clock.advance('19999ms')
    expect(await request.isComplete()).toBe(false)
    const released = begin(sandbox)
    sandbox.reset()
    expect(await Promise.all([request.isComplete(), released.isComplete()])).toEqual([true, true])
  })
})

describe('going back in time', () => {
  it('keeps what was used in a window that the new time is in', async () => {
    const sandbox = frozenSandbox()
    sandbox.clock.advance('50s')
    await sendMany(sandbox, 20)
    sandbox.clock.set(startAt + 10_000)
    expect((await send(sandbox)).headers['x-ratelimit-remaining']).toBe('39')
  })

  it('begins a window anew that lies ahead of the new time', async () => {
    const sandbox = frozenSandbox()
    await sendMany(sandbox, 60)
    sandbox.clock.set('2025-06-01')
    expect((await send(sandbox)).headers).toMatchObject({
      'x-ratelimit-remaining': '59',
      'x-ratelimit-reset': String(Date.UTC(2025, 5, 1, 0, 1) / 1000),
    })
  })

  it.each(['calendar', 'first-request', 'sliding'] as const)(
    'or forth any way never breaks a %s window: headers stay true',
    async (quotaWindow) => {
      const anyMove = fc.oneof(
        fc.record({ by: fc.integer({ min: -90_000, max: 90_000 }) }),
        fc.record({ by: fc.integer({ min: -90_000_000, max: 90_000_000 }) }),
        fc.record({ requests: fc.integer({ min: 1, max: 6 }) }),
        fc.constant({ isRetry: true }),
      )
      const sometimes = new Sometimes('a rate limit', 'a ban', 'a success')
      await fc.assert(
        fc.asyncProperty(fc.array(anyMove, { maxLength: 40 }), async (moves) => {
          const gaps: GapSettings = { quotaWindow, banAfter: 3, banDuration: '90s' }
          const keys = [{ key: 'free-key', plan: 'free', limits: { minute: 4, day: 9 } } as const]
          const sandbox = frozenSandbox({ gaps, seed: { keys } })
          for (const move of moves) {
            if ('by' in move) sandbox.clock.set(Math.max(0, sandbox.clock.now() + move.by))
            else await expectTrueHeaders(sandbox, 'requests' in move ? move.requests : 0)
          }
          sometimes.meet(metIn(sandbox))
        }),
        { numRuns: draws(60) },
      )
      sometimes.expectAllMet()
    },
  )
})

/** Sends requests and checks what each says of the window; then waits as long as a rejection says, if there was one. */
async function expectTrueHeaders(sandbox: Sandbox, requests: number): Promise<void> {
  for (let sent = 0; sent < requests; sent++) {
    const { headers } = await send(sandbox)
    const now = sandbox.clock.now()
    const remaining = Number(headers['x-ratelimit-remaining'])
    expect(remaining).toBeGreaterThanOrEqual(0)
    expect(remaining).toBeLessThan(Number(headers['x-ratelimit-limit']))
    const resetAt = Number(headers['x-ratelimit-reset']) * 1000
    expect(resetAt).toBeGreaterThan(now)
  }
  const last = await send(sandbox)
  if (last.status !== 429) return
  sandbox.clock.advance(Number(last.headers['retry-after']) * 1000)
  expect((await send(sandbox)).status).toBe(200)
}
