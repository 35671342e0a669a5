import { describe, expect, it } from 'vitest'
import { createSandbox } from '../../../src/sandbox.ts'
import { SandboxPool } from '../../../src/sandbox-pool.ts'
import { send } from '../../kit/send.ts'

const statuses = ['sold', 'available', undefined] as const

const pets = Array.from({ length: 2_000 }, (_, index) => ({
  id: index + 1,
  name: `pet ${index}`,
  categoryId: 1,
  status: statuses[index % 3],
}))

const bytesIn = (pool: SandboxPool): number => pool.memory.held.used

describe('SeedPets', () => {
  it('is shared by sandboxes, each of which changes only its own', async () => {
    const pool = new SandboxPool({ defaults: { seed: { pets }, clock: { mode: 'frozen' } } })
    const [one, other] = [pool.create().sandbox, pool.create().sandbox]
    for (const id of [1, 600, 1_300, 2_000]) one.pets.delete(id)
    one.pets.change(700, { name: 'changed', status: 'pending' })
    const [added] = one.pets.create([{ name: 'added', categoryId: 2 }])
    expect(added?.id).toBe(2_001)
    expect(one.pets.size).toBe(1_997)
    expect(other.pets.list()).toEqual(createSandbox({ seed: { pets } }).pets.list())
    expect(pool.create().sandbox.pets.list()).toEqual(other.pets.list())
    const page = '/v1/pets?limit=3&status=sold'
    expect((await send(other, { url: page })).body).toContain('"id":1,')
    expect((await send(one, { url: page })).body).not.toContain('"id":1,')
    one.reset()
    expect(one.pets.list()).toEqual(other.pets.list())
  })

  it('takes no room if it comes from who starts the sandboxes, and its changes do', () => {
    const pool = new SandboxPool({ defaults: { seed: { pets } } })
    const { sandbox } = pool.create()
    const before = bytesIn(pool)
    expect(before).toBeLessThan(20_000)
    sandbox.pets.delete(1)
    expect(bytesIn(pool)).toBe(before)
    sandbox.pets.change(2, { name: 'changed' })
    expect(bytesIn(pool)).toBe(before + 114)
    sandbox.pets.change(2, { name: 'chang' })
    expect(bytesIn(pool)).toBe(before + 110)
    sandbox.pets.delete(2)
    expect(bytesIn(pool)).toBe(before)
    sandbox.pets.clear()
    sandbox.reset()
    expect(bytesIn(pool)).toBe(before)
  })

  it.each([
    { by: 'pool.create()', seed: (pool: SandboxPool) => pool.create({ seed: { pets } }) },
    { by: 'reseed()', seed: (pool: SandboxPool) => pool.create().sandbox.reseed({ pets }) },
  ])('takes room if it comes by $by', ({ seed }) => {
    const pool = new SandboxPool()
    seed(pool)
    expect(bytesIn(pool)).toBeGreaterThan(200_000)
    const full = new SandboxPool({ limits: { stateBytes: 100_000 } })
    expect(() => seed(full)).toThrow('100000 are allowed')
  })

  it('goes on in ids after the highest, and knows its categories', async () => {
    const seed = { pets: [{ id: 2n ** 60n, name: 'a', categoryId: 7 }] }
    const sandbox = createSandbox({ seed, gaps: { unknownCategory: 'reject' } })
    const created = await send(sandbox, { json: '{"name":"b","categoryId":7}' })
    expect(created.body).toContain(`"id":${2n ** 60n + 1n}`)
    expect((await send(sandbox, { json: '{"name":"b","categoryId":1}' })).status).toBe(400)
  })
})
