import { describe, expect, it } from 'vitest'
import type { GapSettings } from '../../../src/mock/api/gaps.ts'
import { InputError } from '../../../src/mock/input/input-error.ts'
import type { SandboxOptions } from '../../../src/mock/state/beginning.ts'
import { createSandbox, type Sandbox } from '../../../src/sandbox/sandbox.ts'
import { frozenSandbox, startAt } from '../../kit/frozen-sandbox.ts'
import { send, sendMany } from '../../kit/send.ts'

const newPet = '{"name":"Rex","categoryId":1}'

/** Everything that a client and its tests can see of a sandbox. */
async function whatShows(sandbox: Sandbox): Promise<unknown> {
  // Who is which caller outlives a reset, as in the request log.
  const keys = sandbox.keys.list().map((key) => ({ ...key, client: undefined }))
  const { gaps, rateLimits } = sandbox
  const shown = {
    size: sandbox.pets.size,
    clock: sandbox.clock.read(),
    keys,
    gaps,
    rateLimits: rateLimits,
  }
  const requests = [
    { url: '/v1/pets?limit=100' },
    { json: newPet },
    { key: null },
    { key: 'banned-key' },
    { key: 'minute-exhausted-key' },
  ]
  const replies = []
  for (const request of requests) replies.push(await send(sandbox, request))
  return { ...shown, replies }
}

/** The records of keys that a sandbox gives out, and the records in them. */
function recordsOf(sandbox: Sandbox): object[] {
  return sandbox.keys.list().flatMap((key) => [key, key.limits])
}

/** Changes everything that can be changed. */
async function useUp(sandbox: Sandbox): Promise<void> {
  await send(sandbox, { json: newPet })
  await sendMany(sandbox, 75)
  await sendMany(sandbox, 5, { key: null })
  await send(sandbox, { key: 'banned-key' })
  sandbox.keys.setRemaining('minute-exhausted-key', { minute: 60 })
  sandbox.setGaps({ listOrder: 'shuffled', idSequence: 'random', defaultStatus: 'sold' })
  await send(sandbox, { json: newPet })
  sandbox.setRateLimits('report-only')
  sandbox.clock.set('2030-12-05')
  sandbox.clock.setSpeed(60)
}

describe('createSandbox()', () => {
  it('has thirty pets and nine keys, enforces limits and follows the system by default', () => {
    const sandbox = createSandbox()
    expect(sandbox.pets.size).toBe(30)
    expect(sandbox.keys.list()).toHaveLength(9)
    expect(sandbox.rateLimits).toBe('enforce')
    expect(sandbox.clock.read()).toMatchObject({ mode: 'system', speed: 1 })
  })

  it('takes pets and keys, each with the default of the other', async () => {
    const pets = frozenSandbox({ seed: { pets: [{ id: 5, name: 'Rex', categoryId: 1 }] } })
    const keys = frozenSandbox({ seed: { keys: [{ key: 'k', plan: 'pro' }] } })
    expect([pets.pets.size, pets.keys.list().length]).toEqual([1, 9])
    expect([keys.pets.size, keys.keys.list().length]).toEqual([30, 1])
    expect((await send(keys, { key: 'k' })).status).toBe(200)
  })

  it('gives pets of a seed without an id the next ones, as create() does, again at each reset', () => {
    const rex = { name: 'Rex', categoryId: 1 }
    const pets = [rex, { ...rex, id: 7 }, rex]
    const seeded = frozenSandbox({ seed: { pets } })
    const reseeded = frozenSandbox()
    reseeded.replaceSeed({ pets })
    const created = frozenSandbox({ seed: { pets: [] } })
    created.pets.create(pets)
    const idsOf = (sandbox: Sandbox) => sandbox.pets.list().map(({ id }) => id)
    for (const sandbox of [seeded, reseeded, created]) expect(idsOf(sandbox)).toEqual([7, 8, 9])
    seeded.reset()
    expect(idsOf(seeded)).toEqual([7, 8, 9])
    const random = { seed: { pets: [rex, rex] }, gaps: { idSequence: 'random' } } as const
    expect(idsOf(frozenSandbox(random))).toEqual(idsOf(frozenSandbox(random)))
    expect(idsOf(frozenSandbox(random))).not.toContain(1)
  })

  it.each([
    { options: null, message: 'Cannot set the options: found null; use an object with seed' },
    { options: { clok: 0 }, message: 'Cannot set clok: ' },
    {
      options: {
        seed: {
          pets: [
            { id: 1, name: 'a', categoryId: 1 },
            { id: '1', name: 'b', categoryId: 1 },
          ],
        },
      },
      message: 'Cannot set seed.pets[1].id: item 0 has the same; use another',
    },
    {
      options: {
        seed: {
          pets: [5, 9_007_199_254_740_993n, 2, 7, 9_007_199_254_740_993n].map((id) => ({
            ...{ id, name: 'a', categoryId: 1 },
          })),
        },
      },
      message: 'Cannot set seed.pets[4].id: item 1 has the same; use another',
    },
    {
      options: {
        seed: {
          keys: [
            { key: 'k', plan: 'free' },
            { key: 'k', plan: 'pro' },
          ],
        },
      },
      message: 'Cannot set seed.keys[1].key: item 0 has the same; use another',
    },
  ])('rejects $options: $message', ({ options, message }) => {
    expect(() => createSandbox(options as SandboxOptions)).toThrow(InputError)
    expect(() => createSandbox(options as SandboxOptions)).toThrow(message)
  })

  it('makes the same random choices for the same seed, which is 1 by default, and others for another', async () => {
    const gaps = { idSequence: 'random', listOrder: 'shuffled' } as const
    const bodies = []
    for (const seed of [{}, { randomSeed: 1 }, { randomSeed: 2 }]) {
      const sandbox = frozenSandbox({ ...seed, gaps })
      const created = await send(sandbox, { json: newPet })
      bodies.push([created.body, (await send(sandbox)).body])
    }
    const [first, same, other] = bodies
    expect(same).toEqual(first)
    expect(other?.[0]).not.toBe(first?.[0])
    expect(other?.[1]).not.toBe(first?.[1])
  })
})

describe('two sandboxes', () => {
  it('share nothing that one can use up or change', async () => {
    const [used, other] = [frozenSandbox(), frozenSandbox()]
    await useUp(used)
    expect(await whatShows(other)).toEqual(await whatShows(frozenSandbox()))
  })

  // Looked at, not tried: a change would show in every other test of this file.
  it('share no record that they give out, unless nobody can change it', () => {
    const sandbox = frozenSandbox()
    const given = [...recordsOf(sandbox), ...recordsOf(frozenSandbox())]
    const shared = recordsOf(sandbox).filter((one) => !Object.isFrozen(one) && given.includes(one))
    expect(shared.length).toBe(0)
  })

  it('share no choices that they give out, unless nobody can change them', () => {
    const { gaps } = frozenSandbox()
    expect(Object.isFrozen(gaps) || gaps !== frozenSandbox().gaps).toBe(true)
  })
})

describe('Sandbox.reset()', () => {
  it('brings back all that was used up or changed', async () => {
    const sandbox = frozenSandbox()
    await useUp(sandbox)
    sandbox.reset()
    expect(await whatShows(sandbox)).toEqual(await whatShows(frozenSandbox()))
  })

  it('goes back to the options that the sandbox was made with', async () => {
    const options: SandboxOptions = {
      seed: { pets: [{ id: 5, name: 'Rex', categoryId: 1 }] },
      gaps: { defaultStatus: 'pending' },
      clock: { now: '2027-01-01', mode: 'frozen' },
      rateLimits: 'report-only',
      randomSeed: 9,
    }
    const sandbox = frozenSandbox(options)
    await useUp(sandbox)
    sandbox.reset()
    expect(await whatShows(sandbox)).toEqual(await whatShows(frozenSandbox(options)))
  })

  it('goes back to them even if their object was changed since', () => {
    const gaps: { -readonly [Name in keyof GapSettings]: GapSettings[Name] } = {}
    const clock = { now: startAt, mode: 'frozen' as const }
    const pets = [{ id: 5, name: 'Rex', categoryId: 1 }]
    const sandbox = createSandbox({ gaps, clock, seed: { pets } })
    gaps.emptyName = 'reject'
    clock.now = 0
    pets.pop()
    sandbox.reset()
    expect(sandbox.gaps.emptyName).toBe('accept')
    expect(sandbox.clock.now()).toBe(startAt)
    expect(sandbox.pets.size).toBe(1)
  })

  it('leaves no request half in the old state and half in the new', async () => {
    const sandbox = frozenSandbox()
    const underWay = send(sandbox, { json: newPet })
    sandbox.reset()
    expect((await underWay).status).toBe(201)
    expect(sandbox.pets.size).toBe(30)
    expect((await send(sandbox)).headers['x-ratelimit-remaining']).toBe('59')
  })

  it('keeps the clock that a test holds on to in force', async () => {
    const sandbox = frozenSandbox()
    const { clock } = sandbox
    sandbox.reset()
    clock.set('2030-12-05')
    expect((await send(sandbox)).headers.date).toBe('Thu, 05 Dec 2030 00:00:00 GMT')
  })
})

describe('Sandbox.setGaps()', () => {
  it('changes the choices named and keeps the others', () => {
    const sandbox = frozenSandbox({ gaps: { emptyName: 'reject' } })
    sandbox.setGaps({ listOrder: 'shuffled' })
    expect(sandbox.gaps).toMatchObject({ emptyName: 'reject', listOrder: 'shuffled' })
  })

  it('changes nothing when one of the choices is wrong', () => {
    const sandbox = frozenSandbox()
    const settings = { emptyName: 'reject', listOrder: 'up' } as unknown as GapSettings
    expect(() => sandbox.setGaps(settings)).toThrow(InputError)
    expect(sandbox.gaps.emptyName).toBe('accept')
  })
})

describe('Sandbox.handleControl()', () => {
  it('handles a control', async () => {
    const request = { method: 'GET', url: '/_sandbox/health', headers: {}, body: '' }
    expect(await frozenSandbox().handleControl(request)).toMatchObject({ status: 200 })
  })

  it('takes http://localhost for where it is served, unless it is told', async () => {
    const request = { method: 'GET', url: '/_sandbox/openapi.json', headers: {}, body: '' }
    for (const origin of [undefined, 'https://pets.test']) {
      const reply = await frozenSandbox().handleControl(request, origin)
      const { servers } = JSON.parse('body' in reply ? reply.body : '')
      expect(servers).toMatchObject([{ url: `${origin ?? 'http://localhost'}/v1` }])
    }
  })

  it.each(['/v1/pets', '/', '', '*', '/_sandboxes', '/_sandbox-x', '/other/_sandbox'])(
    'answers 404 for %j, which is no control',
    async (url) => {
      const request = { method: 'GET', url, headers: {}, body: '' }
      const reply = await frozenSandbox().handleControl(request)
      if (reply.kind !== 'response') throw new Error('Cannot read the reply: it is a stream')
      expect([reply.status, JSON.parse(reply.body).code]).toEqual([404, 'not_found'])
    },
  )
})
