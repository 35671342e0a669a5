import { describe, expect, it } from 'vitest'
import { scenarioNames } from '../../../../src/sandbox/controls/scenarios.ts'
import type { Sandbox } from '../../../../src/sandbox/sandbox.ts'
import { frozenSandbox, startAt } from '../../../kit/frozen-sandbox.ts'
import { requestOf, send } from '../../../kit/send.ts'
import { stateOf } from '../../../kit/state-of.ts'
import { begin } from '../../../kit/under-way.ts'

describe('Sandbox.scenario()', () => {
  it('flaky fails one request in five, and loses the connection of one in twenty', async () => {
    const sandbox = frozenSandbox({ rateLimits: 'report-only' })
    sandbox.scenario('flaky')
    const kinds: (string | number)[] = []
    for (let sent = 0; sent < 2_000; sent++) {
      const outcome = await sandbox.handle(requestOf({}))
      kinds.push(outcome.kind === 'response' ? outcome.status : outcome.kind)
    }
    const shareOf = (kind: string | number) => kinds.filter((one) => one === kind).length / 2_000
    expect(new Set(kinds)).toEqual(new Set([200, 503, 'disconnect']))
    expect(shareOf(503)).toBeCloseTo(0.2, 1)
    expect(shareOf('disconnect')).toBeGreaterThan(0.02)
    expect(shareOf('disconnect')).toBeLessThan(0.08)
  })

  it('slow lets each response take one to three seconds', async () => {
    const sandbox = frozenSandbox()
    sandbox.scenario('slow')
    for (let sent = 0; sent < 20; sent++) {
      const request = begin(sandbox)
      sandbox.clock.advance(999)
      expect(await request.isComplete()).toBe(false)
      sandbox.clock.advance(2_001)
      expect(await request.isComplete()).toBe(true)
    }
  })

  it('key-expired lets every key expire now', async () => {
    const sandbox = frozenSandbox()
    sandbox.scenario('key-expired')
    for (const { key } of sandbox.keys.list()) {
      expect((await send(sandbox, { key })).status).toBe(401)
    }
    sandbox.clock.set(startAt - 1)
    expect((await send(sandbox)).status).toBe(200)
  })

  it.each([
    { name: 'minute-exhausted', retryAfter: '60', code: 'rate_limit_exceeded' },
    { name: 'day-exhausted', retryAfter: '86400', code: 'rate_limit_exceeded' },
    { name: 'banned', retryAfter: '300', code: 'key_banned' },
  ] as const)('$name is of every key, or of one', async ({ name, retryAfter, code }) => {
    const rejected = { status: 429, 'retry-after': retryAfter, code }
    const [ofOne, ofAll] = [frozenSandbox(), frozenSandbox()]
    ofOne.scenario(name, { key: 'pro-key' })
    ofAll.scenario(name)
    const responded = async (sandbox: Sandbox, key: string) => {
      const { status, headers, body } = await send(sandbox, { key })
      const shown = { status, 'retry-after': headers['retry-after'] }
      return status === 200 ? shown : { ...shown, code: JSON.parse(body).code }
    }
    expect(await responded(ofOne, 'pro-key')).toEqual(rejected)
    expect(await responded(ofOne, 'free-key')).toEqual({ status: 200, 'retry-after': undefined })
    for (const key of ['pro-key', 'free-key']) expect(await responded(ofAll, key)).toEqual(rejected)
  })

  it('banned lasts as long as the gap banDuration says', () => {
    const sandbox = frozenSandbox({ gaps: { banDuration: '2h' } })
    sandbox.scenario('banned', { key: 'free-key' })
    expect(sandbox.keys.get('free-key').bannedUntil).toBe('2026-01-01T02:00:00Z')
    const banned = sandbox.scenarios().find(({ name }) => name === 'banned')
    expect(banned?.summary).toBe('429 until the ban is over, after 2h')
  })

  it.each(['minute-exhausted', 'day-exhausted', 'banned', 'key-expired'] as const)(
    '%s changes all keys at once, and leaves one mark',
    (name) => {
      const sandbox = frozenSandbox()
      for (let made = 0; made < 500; made++) sandbox.keys.issue({ plan: 'free' })
      const before = sandbox.requests.changes().length
      sandbox.scenario(name)
      expect(sandbox.requests.changes().length).toBe(before + 1)
      expect(sandbox.keys.list().filter(({ state }) => state === 'active')).toEqual([])
    },
  )

  it.each(['flaky', 'slow'] as const)('%s strikes one key only, if it is to', (name) => {
    const sandbox = frozenSandbox()
    sandbox.scenario(name, { key: 'pro-key' })
    expect(sandbox.faults.list().every((fault) => fault.key === 'pro-key')).toBe(true)
  })

  it.each([
    { name: 'sunset-passed', key: 'free-key', why: 'it applies to everyone; leave the key out' },
    { name: 'banned', key: 'nobodys-key', why: 'found "nobodys-key"; use a key of this sandbox' },
    { name: 'slow', key: '', why: 'found ""; use a non-empty string' },
  ] as const)('rejects $name for the key "$key", and does nothing', ({ name, key, why }) => {
    const sandbox = frozenSandbox()
    const before = stateOf(sandbox)
    expect(() => sandbox.scenario(name, { key })).toThrow(`Cannot set scenario.key: ${why}`)
    expect(stateOf(sandbox)).toEqual(before)
  })

  it.each(scenarioNames)('%s is undone by a reset', (name) => {
    const sandbox = frozenSandbox()
    const before = stateOf(sandbox)
    sandbox.scenario(name)
    expect(stateOf(sandbox)).not.toEqual(before)
    sandbox.reset()
    expect(stateOf(sandbox)).toEqual(before)
  })

  it('rejects an unknown name, and lists the known ones', () => {
    const sandbox = frozenSandbox()
    expect(() => sandbox.scenario('toString' as never)).toThrow(
      `Cannot set scenario: found "toString"; use one of ${scenarioNames.join(', ')}`,
    )
  })
})

describe('Sandbox.scenarios()', () => {
  const inForce = (sandbox: Sandbox, key?: string) =>
    sandbox.scenarios({ key }).flatMap((one) => (one.inForce ? one.name : []))

  it.each(scenarioNames)('says of %s that it is in force, until it is stopped', (name) => {
    const sandbox = frozenSandbox({ clock: { mode: 'system' } })
    expect(inForce(sandbox)).toEqual([])
    sandbox.scenario(name)
    expect(inForce(sandbox)).toEqual([name])
    expect(sandbox.stopScenario(name)).toBe(true)
    expect(inForce(sandbox)).toEqual([])
    expect(sandbox.stopScenario(name)).toBe(false)
  })

  it('tells one key from all', () => {
    const sandbox = frozenSandbox()
    sandbox.scenario('minute-exhausted', { key: 'pro-key' })
    expect(inForce(sandbox, 'pro-key')).toEqual(['minute-exhausted'])
    expect(inForce(sandbox)).toEqual([])
    sandbox.scenario('slow', { key: 'pro-key' })
    expect([inForce(sandbox, 'free-key'), inForce(sandbox)]).toEqual([[], []])
    sandbox.stopScenario('minute-exhausted', { key: 'pro-key' })
    expect(inForce(sandbox, 'pro-key')).toEqual(['slow'])
  })

  it.each([
    { name: 'minute-exhausted', end: (sandbox: Sandbox) => sandbox.clock.advance('61s') },
    { name: 'banned', end: (sandbox: Sandbox) => sandbox.clock.advance('1h') },
    { name: 'down', end: (sandbox: Sandbox) => sandbox.faults.clear() },
    {
      name: 'headers-hidden',
      end: (sandbox: Sandbox) => sandbox.setGaps({ exposedHeaders: 'all' }),
    },
  ] as const)('says that $name is over once nothing of it holds', ({ name, end }) => {
    const sandbox = frozenSandbox()
    sandbox.scenario(name, { ...(name === 'down' ? { key: 'free-key' } : {}) })
    end(sandbox)
    expect(inForce(sandbox, name === 'down' ? 'free-key' : undefined)).toEqual([])
  })
})

describe('Sandbox.stopScenario()', () => {
  /** All that a sandbox has, but its requests, its clock, and what counts up. */
  const restOf = (sandbox: Sandbox) => {
    const { pets, keys, faults, gaps } = sandbox
    const { requests: _, clock: __, ...limits } = sandbox.status()
    return [pets.list(), keys.list(), faults.list(), gaps, limits.rateLimits]
  }

  it.each(scenarioNames)('leaves all but requests and time as it was before %s', async (name) => {
    const sandbox = frozenSandbox({ gaps: { reportedWindow: 'day' } })
    sandbox.faults.add({ fault: 'latency', ms: 5, key: 'pro-key' })
    for (const key of ['free-key', 'pro-key'])
      sandbox.keys.setRemaining(key, { minute: 7, day: 70 })
    sandbox.keys.update('pro-key', { expiresAt: '2031-01-01' })
    const before = restOf(sandbox)
    const now = sandbox.clock.now()
    sandbox.scenario(name)
    sandbox.scenario(name)
    expect(restOf(sandbox)).not.toEqual(name.startsWith('sunset-') ? undefined : before)
    sandbox.stopScenario(name)
    expect(restOf(sandbox)).toEqual(before)
    expect(sandbox.clock.now()).toBe(now)
  })

  it('keeps the pets that a client has added meanwhile', async () => {
    const sandbox = frozenSandbox()
    const before = sandbox.pets.list()
    sandbox.scenario('crowded')
    expect(sandbox.pets.size).toBe(100)
    const added = await send(sandbox, { json: '{"name":"Rex","categoryId":1}' })
    sandbox.stopScenario('crowded')
    expect(sandbox.pets.list()).toEqual([...before, JSON.parse(added.body)])
  })

  it('goes on from a snapshot', () => {
    const sandbox = frozenSandbox()
    const before = sandbox.pets.list()
    sandbox.scenario('empty')
    const other = frozenSandbox()
    other.restore(JSON.parse(JSON.stringify(sandbox.snapshot())))
    expect(other.pets.size).toBe(0)
    expect(other.stopScenario('empty')).toBe(true)
    expect(other.pets.list()).toEqual(before)
  })
})
