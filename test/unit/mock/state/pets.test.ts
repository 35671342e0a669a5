import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { toInt64 } from '../../../../src/mock/api/int64.ts'
import { parseJson } from '../../../../src/mock/api/json.ts'
import { type Pet, type PetStatus, petJson } from '../../../../src/mock/api/pet.ts'
import { InputError } from '../../../../src/mock/input/input-error.ts'
import { type PetFilter, Pets, savedPets } from '../../../../src/mock/state/pets.ts'
import { draws } from '../../../kit/draws.ts'
import { Sometimes } from '../../../kit/sometimes.ts'

const maxInt64 = 2n ** 63n - 1n

function petOf(id: Pet['id'], status?: PetStatus): Pet {
  return { id, name: 'Rex', categoryId: 1, ...(status === undefined ? {} : { status }) }
}

const all: PetFilter = {
  limit: 10_000,
  status: undefined,
  order: 'id-ascending',
  statuses: 'absent',
}

/** By which no pet is due. */
const clock = { now: () => 0 }

function idsIn(pets: Pets, filter: Partial<PetFilter> = {}): unknown[] {
  return (parseJson(pets.list({ ...all, ...filter }, clock).json) as Pet[]).map(({ id }) => id)
}

function createdId(pets: Pets, sequence: 'sequential' | 'large' | 'random'): Pet['id'] {
  return pets.addOne({ name: 'Rex', categoryId: 1 }, sequence).id
}

describe('Pets.list()', () => {
  const ids = [5, -3n, maxInt64, 2n ** 53n, 0, -maxInt64].map((id) => toInt64(id) ?? 0)

  it.each([
    { order: 'id-ascending', expected: [-maxInt64, -3, 0, 5, 2n ** 53n, maxInt64] },
    { order: 'id-descending', expected: [maxInt64, 2n ** 53n, 5, 0, -3, -maxInt64] },
  ] as const)('gives ids of any size $order', ({ order, expected }) => {
    const pets = new Pets(
      ids.map((id) => petOf(id)),
      1,
    )
    expect(idsIn(pets, { order })).toEqual(expected)
  })

  it('gives the pets of one status, and none that has no status', () => {
    const pets = new Pets([petOf(1, 'sold'), petOf(2), petOf(3, 'pending'), petOf(4, 'sold')], 1)
    expect(idsIn(pets, { status: 'sold' })).toEqual([1, 4])
    expect(idsIn(pets, { status: 'available' })).toEqual([])
    expect(idsIn(pets)).toEqual([1, 2, 3, 4])
  })

  it('shuffles the same pets the same for the same seed, whatever the order they came in', () => {
    const given = Array.from({ length: 50 }, (_, index) => petOf(index + 1))
    const shuffled = idsIn(new Pets(given, 7), { order: 'shuffled' })
    expect(idsIn(new Pets([...given].reverse(), 7), { order: 'shuffled' })).toEqual(shuffled)
    expect(idsIn(new Pets(given, 8), { order: 'shuffled' })).not.toEqual(shuffled)
    expect(shuffled).not.toEqual(given.map(({ id }) => id))
    expect(new Set(shuffled).size).toBe(50)
  })

  it('shuffles by all 32 bits of a seed', () => {
    const given = Array.from({ length: 20 }, (_, index) => petOf(index + 1))
    const orderOf = (seed: number) => idsIn(new Pets(given, seed), { order: 'shuffled' }).join(' ')
    const seeds = [0, 1, 2, 3, 2 ** 31, 2 ** 31 + 1, 2 ** 32 - 1, 2 ** 30]
    expect(new Set(seeds.map(orderOf)).size).toBe(seeds.length)
    expect(orderOf(-1)).toBe(orderOf(2 ** 32 - 1))
    // A seed means the same order in any release.
    expect(orderOf(1)).toBe('10 13 2 12 4 11 18 3 16 20 14 19 6 1 5 7 15 9 17 8')
  })

  it('leaves shuffled pets where they are when one is added', () => {
    const given = Array.from({ length: 50 }, (_, index) => petOf(index + 1))
    const pets = new Pets(given, 7)
    const before = idsIn(pets, { order: 'shuffled' })
    const added = createdId(pets, 'sequential')
    const after = idsIn(pets, { order: 'shuffled' })
    expect(after).toContain(added)
    expect(after.filter((id) => id !== added)).toEqual(before)
  })

  it('gives what sorting and filtering all pets would give, however they were added', () => {
    const statuses = [undefined, 'available', 'pending', 'sold'] as const
    const pet = fc.tuple(
      fc.bigInt({ min: -(2n ** 63n), max: maxInt64 }),
      fc.constantFrom(...statuses),
    )
    const added = fc.uniqueArray(pet, { selector: ([id]) => id, maxLength: 60 })
    const filter = fc.record({
      limit: fc.integer({ min: 1, max: 70 }),
      status: fc.constantFrom(...statuses),
      order: fc.constantFrom<PetFilter['order']>('id-ascending', 'id-descending'),
    })
    const sometimes = new Sometimes('a cut list', 'a filter', 'pets without a status')
    fc.assert(
      fc.property(added, fc.array(filter, { maxLength: 4 }), (rows, filters) => {
        const given = rows.map(([id, status]) => petOf(toInt64(id) ?? 0, status))
        const pets = new Pets(given, 1)
        for (const { limit, status, order } of filters) {
          const sign = order === 'id-ascending' ? 1 : -1
          const expected = given
            .filter((one) => status === undefined || one.status === status)
            .sort((left, right) => (left.id < right.id ? -sign : sign))
          expect(pets.list({ ...all, limit, status, order }, clock)).toEqual({
            json: `[${expected.slice(0, limit).map((one) => petJson(one))}]`,
            count: Math.min(limit, expected.length),
            total: expected.length,
          })
          sometimes.meet({
            'a cut list': limit < expected.length,
            'a filter': status !== undefined && expected.length > 0,
            'pets without a status': rows.some(([, one]) => one === undefined),
          })
        }
      }),
    )
    sometimes.expectAllMet()
  })
})

describe('Pets.addOne()', () => {
  it.each([
    { sequence: 'sequential', highest: 30, expected: [31, 32] },
    { sequence: 'sequential', highest: -5, expected: [1, 2] },
    { sequence: 'sequential', highest: 2 ** 53 - 2, expected: [2 ** 53 - 1, 2n ** 53n] },
    { sequence: 'sequential', highest: 2n ** 60n, expected: [2n ** 60n + 1n, 2n ** 60n + 2n] },
    { sequence: 'large', highest: 30, expected: [2n ** 53n + 1n, 2n ** 53n + 3n] },
    { sequence: 'large', highest: 2n ** 60n, expected: [2n ** 60n + 1n, 2n ** 60n + 3n] },
  ] as const)(
    'gives $expected after $highest with $sequence ids',
    ({ sequence, highest, expected }) => {
      const pets = new Pets([petOf(highest)], 1)
      expect(expected.map(() => createdId(pets, sequence))).toEqual(expected)
    },
  )

  it('gives random ids that are positive, in int64, all different and repeatable', () => {
    const idsOf = (seed: number) => {
      const pets = new Pets([], seed)
      return Array.from({ length: 2_000 }, () => BigInt(createdId(pets, 'random')))
    }
    const ids = idsOf(1)
    expect(new Set(ids).size).toBe(2_000)
    expect(ids.filter((id) => id < 1n || id > maxInt64)).toEqual([])
    expect(ids.filter((id) => id > 2n ** 62n).length).toBeGreaterThan(500)
    expect(idsOf(1)).toEqual(ids)
    expect(idsOf(2)).not.toEqual(ids)
  })

  it('passes over random ids that are taken', () => {
    const free = new Pets([], 1)
    const taken = [createdId(free, 'random'), createdId(free, 'random')]
    const pets = new Pets(
      taken.map((id) => petOf(id)),
      1,
    )
    expect(createdId(pets, 'random')).toBe(createdId(free, 'random'))
  })

  it.each(['sequential', 'large'] as const)(
    'still finds free %s ids when the highest is taken',
    (sequence) => {
      const pets = new Pets([petOf(maxInt64 - 1n)], 1)
      const ids = Array.from({ length: 50 }, () => BigInt(createdId(pets, sequence)))
      expect(ids[0]).toBe(maxInt64)
      expect(new Set([...ids, maxInt64 - 1n]).size).toBe(51)
      expect(ids.filter((id) => id < 1n || id > maxInt64)).toEqual([])
    },
  )
})

describe('Pets', () => {
  it('rejects two pets with one id', () => {
    expect(() => new Pets([petOf(1), petOf(1)], 1)).toThrow('Cannot add pet 1: id already in use')
  })

  it('knows the categories of the seed only', () => {
    const pets = new Pets([{ id: 1, name: 'Rex', categoryId: 2n ** 60n }], 1)
    pets.addOne({ name: 'Rex', categoryId: 5 }, 'sequential')
    expect([pets.hasCategory(2n ** 60n), pets.hasCategory(5)]).toEqual([true, false])
  })
})

describe('Pets.restore()', () => {
  /** Takes pets to JSON and back. */
  function restored(pets: Pets): Pets {
    return Pets.restore(savedPets.parse(JSON.parse(JSON.stringify(savedPets.encode(pets.save())))))
  }

  const anyStep = fc.record({
    does: fc.constantFrom('create', 'create', 'add', 'addAll', 'delete', 'deleteLast', 'replace'),
    sequence: fc.constantFrom('sequential', 'large', 'random'),
    id: fc.oneof(fc.integer({ min: -3, max: 12 }), fc.bigInt({ min: 2n ** 53n, max: maxInt64 })),
    status: fc.constantFrom<PetStatus[]>('available', 'pending', 'sold'),
  })
  type Step = typeof anyStep extends fc.Arbitrary<infer Value> ? Value : never
  const anySteps = fc.array(anyStep, { maxLength: 15, size: 'max' })

  /** Adds a pet between two without an id, whose ids come after it. */
  function addAll(pets: Pets, pet: Pet, sequence: 'sequential' | 'large' | 'random'): void {
    const [before, isTaken] = [pets.all(), pets.get(pet.id) !== undefined]
    const list = [{ name: 'A', categoryId: 1 }, pet, { name: 'B', categoryId: 2 }]
    if (isTaken) expect(() => pets.add(list, sequence)).toThrow(InputError)
    expect(() => pets.add([pet, pet], sequence)).toThrow(InputError)
    expect(pets.all()).toEqual(before)
    if (isTaken) return
    const [first, second, third] = pets.add(list, sequence)
    expect([first, second, third]).toMatchObject(list)
    expect(pets.all()).toHaveLength(before.length + 3)
    expect([first, second, third].map((one) => pets.get(one?.id ?? 0))).toEqual([
      ...[first, second, third],
    ])
  }

  /** Does a step, and tells what all there is then. */
  function take(pets: Pets, { does, sequence, id, status }: Step) {
    const known = pets.get(id)
    if (does === 'create') pets.addOne({ name: 'New', categoryId: 2, status }, sequence)
    else if (does === 'add' && known === undefined) pets.addOne(petOf(id, status), sequence)
    else if (does === 'addAll') addAll(pets, petOf(id, status), sequence)
    else if (does === 'delete') expect(pets.delete(id)).toBe(known !== undefined)
    else if (does === 'deleteLast') pets.delete(pets.all().at(-1)?.id ?? 0)
    else if (does === 'replace' && known !== undefined) pets.replace(petOf(id, status))
    const pages = (['id-descending', 'shuffled'] as const).map((order) =>
      pets.list({ ...all, limit: 4, status, order }, clock),
    )
    return { all: pets.all(), pages, size: pets.size }
  }

  it('goes on as the saved ones would, whatever is done to both', () => {
    const sometimes = new Sometimes('an id beyond 2^53', 'a pet less', 'a pet more')
    fc.assert(
      fc.property(anySteps, anySteps, fc.integer(), (before, after, seed) => {
        const pets = new Pets([petOf(1, 'sold'), { id: 3, name: 'Max', categoryId: 9 }], seed)
        for (const step of before) take(pets, step)
        const other = restored(pets)
        expect([1, 2, 9].map((id) => other.hasCategory(id))).toEqual([true, false, true])
        for (const step of after) {
          const { size } = pets
          expect(take(other, step)).toEqual(take(pets, step))
          sometimes.meet({
            'an id beyond 2^53': pets.all().some(({ id }) => typeof id === 'bigint'),
            'a pet less': pets.size < size,
            'a pet more': pets.size > size,
          })
        }
        expect(other.all()).toEqual(pets.all())
        expect(savedPets.encode(other.save())).toEqual(savedPets.encode(pets.save()))
      }),
      { numRuns: draws(150) },
    )
    sometimes.expectAllMet()
  })
})

describe('Pets.query()', () => {
  it('finds what a filter of all pets would, whatever has changed since the last query', async () => {
    const pets = new Pets([petOf(1, 'sold'), petOf(2), petOf(3, 'pending')], 1)
    const expectFound = async () => {
      for (const status of ['sold', 'pending', 'available'] as const) {
        const found = await pets.query((query) => query.where({ status }))
        const byId = found.toSorted((one, other) => (one.id < other.id ? -1 : 1))
        expect(byId).toEqual(pets.all().filter((one) => one.status === status))
      }
    }
    await expectFound()
    pets.addOne({ name: 'Max', categoryId: 1, status: 'sold' }, 'large')
    pets.replace(petOf(2, 'sold'))
    await expectFound()
    pets.delete(1)
    pets.add([petOf(9, 'available')], 'sequential')
    await expectFound()
    pets.clear()
    await expectFound()
    pets.addOne(petOf(5, 'sold'), 'sequential')
    await expectFound()
    const [found] = await pets.query((query) => query.where({ status: 'sold' }))
    Object.assign(found ?? {}, { name: 'Changed' })
    await expectFound()
  })
})
