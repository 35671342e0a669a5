import { describe, expect, it } from 'vitest'
import { compareSnapshots } from '../../src/console/state/compare-snapshots.ts'
import { frozenSandbox } from '../kit/frozen-sandbox.ts'
import { send } from '../kit/send.ts'

describe('compareSnapshots()', () => {
  it('finds nothing between a sandbox and itself', async () => {
    const sandbox = frozenSandbox()
    await send(sandbox)
    expect(compareSnapshots(sandbox.snapshot(), sandbox.snapshot())).toEqual([])
  })

  it('tells part by part what has been done, by name', async () => {
    const sandbox = frozenSandbox()
    const before = sandbox.snapshot()
    sandbox.setGaps({ banAfter: 3 })
    sandbox.keys.change('free-key', { plan: 'pro' })
    sandbox.pets.change(3, { status: 'sold' })
    sandbox.pets.delete(5)
    const pet = { id: 2n ** 63n - 1n, name: '<b>Rex</b>', categoryId: 1 }
    sandbox.pets.create(pet)
    await send(sandbox, { key: 'free-key' })
    const parts = new Map(
      compareSnapshots(before, sandbox.snapshot()).map(({ part, differences }) => [
        part,
        differences.map((one) => `${one.place}: ${one.before} → ${one.after}`),
      ]),
    )
    expect(parts.get('Gaps')).toEqual(['banAfter: 10 → 3'])
    expect(parts.get('Keys')).toContain('free-key, plan: free → pro')
    expect(parts.get('Pets')).toContain('3, status: pending → sold')
    expect(parts.get('Pets')).toContainEqual(expect.stringMatching(/^5: name .* → undefined$/))
    expect(parts.get('Pets')).toContain(
      '9223372036854775807: undefined → name <b>Rex</b>, category 1',
    )
    expect(parts.get('Requests')).toContainEqual(
      expect.stringMatching(/^1: undefined → GET \/v1\/pets → 200: listPets/),
    )
    expect([...(parts.get('Requests used') ?? [])].join()).toMatch(/^free-key: undefined/)
  })

  it.each([
    { what: 'no objects', before: null, after: [1, 2] },
    { what: 'parts of other kinds', before: { pets: 7 }, after: { pets: { list: null } } },
    { what: 'names of Object', before: JSON.parse('{"__proto__":{"a":1}}'), after: {} },
    { what: 'endless names', before: { a: 'x'.repeat(1e6) }, after: { ['y'.repeat(1e6)]: 1 } },
  ])('takes $what', ({ before, after }) => {
    const told = compareSnapshots(before, after).flatMap(({ differences }) => differences)
    for (const { place } of told) expect(place.length).toBeLessThan(1_000)
  })
})
