import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { describe, expect, it } from 'vitest'
import { InputError, NotFoundError } from '../../../src/mock/input/input-error.ts'
import type { Sandbox } from '../../../src/sandbox/sandbox.ts'
import { SandboxPool } from '../../../src/sandbox/sandbox-pool.ts'
import { startAt } from '../../kit/frozen-sandbox.ts'
import { requestOf, send } from '../../kit/send.ts'
import { begin } from '../../kit/under-way.ts'
import { until } from '../server/until.ts'

const frozen = { mode: 'frozen', now: startAt } as const

/** The collector of garbage, which only a flag makes known. */
function collector(): () => void {
  setFlagsFromString('--expose-gc')
  return runInNewContext('gc')
}

describe('SandboxPool', () => {
  it('makes sandboxes with names, and gives each its own', () => {
    const pool = new SandboxPool()
    const { name, sandbox } = pool.create({ name: 'mine' })
    expect(name).toBe('mine')
    expect(pool.getOrCreate('mine')).toBe(sandbox)
    expect(pool.create({ name: 'Another-1_2' }).sandbox).not.toBe(sandbox)
    expect(pool.names()).toEqual(['mine', 'Another-1_2'])
  })

  it('may be one in which nobody makes any', () => {
    const pool = new SandboxPool({ maxSandboxes: 0 })
    expect(() => pool.create()).toThrow('there are 0 already, the most allowed')
  })

  it('reports each that is made, until it is told to end', () => {
    const pool = new SandboxPool()
    const told: unknown[] = []
    const end = pool.onCreate((sandbox) => told.push(sandbox))
    const { sandbox } = pool.create({ name: 'mine' })
    end()
    pool.create()
    expect(told.map((one) => one === sandbox)).toEqual([true])
  })

  it('finds names for those that have none, that can be used', () => {
    const pool = new SandboxPool()
    const names = Array.from({ length: 50 }, () => pool.create().name)
    expect(new Set(names).size).toBe(50)
    for (const name of names) {
      expect(name).toMatch(/^[0-9a-f]{8}$/)
      expect(pool.getOrCreate(name)).toBeDefined()
    }
  })

  it('takes what a sandbox starts with, and defaults for what is left out', () => {
    const pool = new SandboxPool({ defaults: { clock: frozen, rateLimits: 'report-only' } })
    const plain = pool.create({ name: 'plain' }).sandbox
    expect([plain.clock.now(), plain.rateLimits]).toEqual([startAt, 'report-only'])
    const { sandbox } = pool.create({
      name: 'own',
      clock: '2030-12-05',
      seed: { pets: [] },
      gaps: { emptyName: 'reject' },
    })
    expect([sandbox.clock.read().mode, sandbox.pets.size, sandbox.gaps.emptyName]).toEqual([
      'running',
      0,
      'reject',
    ])
    expect(sandbox.rateLimits).toBe('report-only')
  })

  it('takes undefined for left out, and gives what was not', () => {
    const defaults = { clock: frozen, seed: { pets: [] }, randomSeed: 5 } as const
    const pool = new SandboxPool({ defaults })
    const settings = { name: 'mine', seed: undefined, clock: undefined, maxRequests: 5 }
    const { sandbox } = pool.create(settings)
    expect([sandbox.pets.size, sandbox.clock.now()]).toEqual([0, startAt])
    expect(pool.optionsOf('mine')).toEqual({ maxRequests: 5 })
    expect(pool.optionsOf('other')).toEqual({})
  })

  it('reports what its sandboxes were made with in a form that makes them again', () => {
    const pool = new SandboxPool()
    const { sandbox } = pool.create({
      name: 'mine',
      clock: { now: new Date(startAt), mode: 'frozen' },
      seed: { pets: [{ id: 2n ** 60n, name: 'Rex', categoryId: 1 }] },
      gaps: { banDuration: 90_000 },
    })
    const settings = JSON.parse(JSON.stringify(pool.optionsOf('mine')))
    expect(settings).toEqual({
      clock: { now: '2026-01-01T00:00:00Z', mode: 'frozen' },
      seed: { pets: [{ id: '1152921504606846976', name: 'Rex', categoryId: 1 }] },
      gaps: { banDuration: '1m30s' },
    })
    const again = pool.create({ name: 'again', ...settings }).sandbox
    expect(again.pets.list()).toEqual(sandbox.pets.list())
    expect([again.gaps, again.clock.read()]).toEqual([sandbox.gaps, sandbox.clock.read()])
  })

  it('tells who listens of each sandbox that is deleted, until that is ended', () => {
    const pool = new SandboxPool()
    const heard: Sandbox[] = []
    const end = pool.onDelete((sandbox) => heard.push(sandbox))
    const [one, other] = ['one', 'other'].map((name) => pool.create({ name }).sandbox)
    pool.delete('one')
    end()
    pool.delete('other')
    expect(heard).toEqual([one])
    expect(heard).not.toContain(other)
  })

  it.each([
    { name: '' },
    { name: '..' },
    { name: '-a' },
    { name: 'a b' },
    { name: 'a/b' },
    { name: 'zoë' },
    { name: '__proto__' },
    { name: 'a\n' },
    { name: 'x'.repeat(64) },
    { name: 5 },
  ])('rejects the name $name', ({ name }) => {
    const pool = new SandboxPool({ autoCreate: true })
    expect(() => pool.create({ name: name as string })).toThrow(
      /^Cannot set sandbox\.name: found .*; use 1 to 63 letters, digits, - /,
    )
    expect(pool.names()).toEqual([])
  })

  it.each([{ name: 'a' }, { name: '0' }, { name: 'x'.repeat(63) }, { name: 'constructor' }])(
    'takes the name $name',
    ({ name }) => {
      const pool = new SandboxPool()
      expect(() => pool.getOrCreate(name)).toThrow(NotFoundError)
      pool.create({ name })
      expect(pool.names()).toEqual([name])
    },
  )

  it.each([
    {
      settings: { name: 'one' },
      message: 'sandbox "one": it exists already; delete it first, or use another name',
    },
    { settings: { nam: 'x' }, message: 'Cannot set sandbox.nam: ' },
    { settings: { name: 'x', clock: 'noon' }, message: 'Cannot set sandbox.clock: found "noon"' },
    { settings: null, message: 'Cannot set sandbox: found null; use an object with name, seed' },
  ])('rejects $settings: $message', ({ settings, message }) => {
    const pool = new SandboxPool()
    pool.create({ name: 'one' })
    expect(() => pool.create(settings as never)).toThrow(InputError)
    expect(() => pool.create(settings as never)).toThrow(message)
    expect(pool.names()).toEqual(['one'])
  })

  it('says that it is the name that is taken', () => {
    const pool = new SandboxPool()
    pool.create({ name: 'one' })
    expect(() => pool.create({ name: 'one' })).toThrow(
      expect.objectContaining({ name: 'InputError', path: ['name'] }),
    )
  })

  it('hides a secret in what all its sandboxes tell, those to come too', async () => {
    const pool = new SandboxPool()
    const { sandbox: earlier } = pool.create()
    pool.keepSecret('t0ken-4711')
    const { sandbox: later } = pool.create()
    for (const sandbox of [earlier, later]) {
      await sandbox.handle(requestOf({ url: '/v1/pets/t0ken-4711' }))
      expect(sandbox.requests.last()?.request.url).toBe('/v1/pets/t0ke…')
    }
  })

  it('makes no more than it may, until one is deleted', () => {
    const pool = new SandboxPool({ maxSandboxes: 2, autoCreate: true })
    pool.create({ name: 'a' })
    pool.getOrCreate('b')
    const message = 'Cannot make sandbox "c": there are 2 already, the most allowed; delete one'
    expect(() => pool.create({ name: 'c' })).toThrow(message)
    expect(() => pool.getOrCreate('c')).toThrow(message)
    pool.delete('a')
    expect(pool.getOrCreate('c')).toBeDefined()
  })

  it('makes a sandbox on first use only where that is allowed', () => {
    expect(() => new SandboxPool().getOrCreate('new')).toThrow(
      'Cannot find sandbox "new": no such sandbox; create it with POST /_sandbox/sandboxes, or start the server with --auto-create',
    )
    const pool = new SandboxPool({ autoCreate: true, defaults: { clock: frozen } })
    const sandbox = pool.getOrCreate('new')
    expect(sandbox.clock.now()).toBe(startAt)
    expect(pool.getOrCreate('new')).toBe(sandbox)
  })

  it('deletes a sandbox, whose name is then free', () => {
    const pool = new SandboxPool()
    const { sandbox } = pool.create({ name: 'mine' })
    pool.delete('mine')
    expect(() => pool.getOrCreate('mine')).toThrow(NotFoundError)
    expect(() => pool.delete('mine')).toThrow('Cannot find sandbox "mine": no such sandbox')
    expect(pool.create({ name: 'mine' }).sandbox).not.toBe(sandbox)
  })

  it('lets requests under way end when their sandbox is deleted', async () => {
    const pool = new SandboxPool({ defaults: { clock: frozen } })
    const { sandbox } = pool.create({ name: 'mine' })
    sandbox.faults.add({ fault: 'latency', ms: '1h' })
    const request = begin(sandbox)
    pool.delete('mine')
    expect(await request.isComplete()).toBe(true)
    expect(await request.outcome).toMatchObject({ status: 200 })
  })

  it('counts what those that are deleted were asked no more', async () => {
    const pool = new SandboxPool()
    const { name, sandbox } = pool.create()
    await send(sandbox, { json: ' '.repeat(600_000) })
    expect(pool.memory.used.requests).toBeGreaterThan(500_000)
    pool.delete(name)
    expect(pool.memory.used).toEqual({ requests: 0, tokens: 0, names: 0 })
  })

  it('frees the memory of those that are deleted, whatever was done to them', async () => {
    const collect = collector()
    const pool = new SandboxPool({ defaults: { clock: frozen } })
    const freed: string[] = []
    const registry = new FinalizationRegistry((name: string) => freed.push(name))
    const ends: (() => void)[] = []
    const use = async (name: string) => {
      const { sandbox } = pool.create({ name })
      registry.register(sandbox, name)
      ends.push(sandbox.requests.onRequest(() => {}))
      sandbox.faults.add({ fault: 'latency', ms: '1h', skip: 2 })
      await send(sandbox)
      await send(sandbox, { json: '{"name":"Rex","categoryId":1}' })
      await sandbox.pets.query((query) => query.where({ status: 'sold' }))
      void sandbox.handle(requestOf({}))
    }
    const names = Array.from({ length: 20 }, (_, index) => `s${index}`)
    for (const name of names) await use(name)
    for (const name of names.slice(1)) pool.delete(name)
    await until(() => {
      collect()
      return freed.length >= 19
    })
    expect(freed.sort()).toEqual(names.slice(1).sort())
    expect(pool.names()).toEqual(['s0'])
    expect(ends).toHaveLength(20)
  })

  it('keeps 1,000 apart: clock, quota, pets, keys, faults and request log', async () => {
    const pool = new SandboxPool()
    const sandboxes: Sandbox[] = []
    for (let index = 0; index < 1_000; index++) {
      const clock = { mode: 'frozen', now: startAt + index * 86_400_000 } as const
      sandboxes.push(pool.create({ name: `s${index}`, clock }).sandbox)
    }
    // So many there may be by default.
    expect(() => pool.create()).toThrow('there are 1000 already, the most allowed')
    for (const [index, sandbox] of sandboxes.entries()) {
      sandbox.pets.create({ id: 1_000 + index, name: `Pet ${index}`, categoryId: index })
      sandbox.keys.issue({ key: `key-${index}`, plan: 'free' })
      sandbox.keys.setRemaining('free-key', { minute: index % 60 })
      if (index % 2 === 1) sandbox.faults.add({ fault: 'status', status: 418, key: 'pro-key' })
    }
    const outcomes = await Promise.all(sandboxes.map((sandbox) => sandbox.handle(requestOf({}))))
    for (const [index, sandbox] of sandboxes.entries()) {
      expect(pool.getOrCreate(`s${index}`)).toBe(sandbox)
      const left = index % 60
      expect(outcomes[index]).toMatchObject({
        status: left === 0 ? 429 : 200,
        headers: {
          date: new Date(startAt + index * 86_400_000).toUTCString(),
          'x-ratelimit-remaining': String(Math.max(0, left - 1)),
        },
      })
      expect(sandbox.pets.list().at(-1)).toMatchObject({ id: 1_000 + index, name: `Pet ${index}` })
      expect(sandbox.keys.list().at(-1)?.key).toBe(`key-${index}`)
      expect(sandbox.requests.list()).toHaveLength(1)
      const other = await sandbox.handle(requestOf({ key: 'pro-key' }))
      expect(other).toMatchObject({ status: index % 2 === 1 ? 418 : 200 })
    }
  })
})

describe('the options of a SandboxPool', () => {
  it.each([
    { options: { max: 5 }, message: 'Cannot set max: ' },
    { options: { maxSandboxes: -1 }, message: 'Cannot set maxSandboxes: found -1' },
  ])('are rejected when they are $options', ({ options, message }) => {
    expect(() => new SandboxPool(options as never)).toThrow(InputError)
    expect(() => new SandboxPool(options as never)).toThrow(message)
  })

  it('allow a million sandboxes', () => {
    expect(() => new SandboxPool({ maxSandboxes: 1_000_000 })).not.toThrow()
  })
})
