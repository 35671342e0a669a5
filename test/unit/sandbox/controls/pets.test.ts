import { describe, expect, it, onTestFinished, vi } from 'vitest'
import type { Pet } from '../../../../src/mock/api/pet.ts'
import { InputError, NotFoundError } from '../../../../src/mock/input/input-error.ts'
import { frozenSandbox } from '../../../kit/frozen-sandbox.ts'
import { send } from '../../../kit/send.ts'

const largest = 2n ** 63n - 1n

/** A store with pets of a test's own. */
function storeOf(...pets: Pet[]) {
  return frozenSandbox({ seed: { pets } })
}

describe('pets.create()', () => {
  it('adds a pet that the API serves at once', async () => {
    const sandbox = frozenSandbox()
    const pet = sandbox.pets.create({ name: 'Rex', categoryId: 1, status: 'sold' })
    expect(pet).toEqual({ id: 31, name: 'Rex', categoryId: 1, status: 'sold' })
    expect((await send(sandbox, { url: '/v1/pets/31' })).body).toBe(
      '{"id":31,"name":"Rex","categoryId":1,"status":"sold"}',
    )
  })

  it('adds many at once, with ids of their own and without, in their order', () => {
    const { pets } = storeOf({ id: 4, name: 'Bo', categoryId: 1 })
    const added = pets.create([
      { name: 'a', categoryId: 1 },
      { id: 2n ** 53n + 1n, name: 'b', categoryId: 2n ** 60n },
      { id: -3, name: 'c', categoryId: 1, status: 'pending' },
      { name: 'd', categoryId: 1 },
    ])
    expect(added.map(({ name, id }) => [name, id])).toEqual([
      ['a', 2n ** 53n + 2n],
      ['b', 2n ** 53n + 1n],
      ['c', -3],
      ['d', 2n ** 53n + 3n],
    ])
    expect(pets.size).toBe(5)
  })

  it.each([
    { last: { id: 31, name: 'x', categoryId: 1 }, message: /pet 31/ },
    { last: { id: 30, name: 'x', categoryId: 1 }, message: /pet 30: id already in use/ },
    { last: { name: 'x' } as never, message: /^Cannot set pets\[2\]\.categoryId: required/ },
    {
      last: { id: 2n ** 63n, name: 'x', categoryId: 1 },
      message: /^Cannot set pets\[2\]\.id: found 9223372036854775808/,
    },
  ])('adds none when one of them is rejected: $message', ({ last, message }) => {
    const sandbox = frozenSandbox()
    const before = sandbox.snapshot()
    const first = { name: 'Rex', categoryId: 1 }
    expect(() => sandbox.pets.create([first, { id: 31, ...first }, last])).toThrow(message)
    expect(sandbox.snapshot()).toEqual(before)
  })

  it('numbers pets as the gap idSequence says', () => {
    const sandbox = frozenSandbox({ gaps: { idSequence: 'large' } })
    expect(sandbox.pets.create({ name: 'Rex', categoryId: 1 }).id).toBe(2n ** 53n + 1n)
  })
})

describe('pets.update()', () => {
  it('sells a pet, as the real store would, and the filters of the API see it', async () => {
    const sandbox = storeOf({ id: 1, name: 'Bo', categoryId: 1, status: 'available' })
    expect(sandbox.pets.update(1, { status: 'sold' })).toEqual({
      id: 1,
      name: 'Bo',
      categoryId: 1,
      status: 'sold',
    })
    expect((await send(sandbox, { url: '/v1/pets?status=available' })).body).toBe('[]')
    expect((await send(sandbox, { url: '/v1/pets?status=sold' })).body).toBe(
      '[{"id":1,"name":"Bo","categoryId":1,"status":"sold"}]',
    )
  })

  it('takes the status away with null', async () => {
    const sandbox = storeOf({ id: 1, name: 'Bo', categoryId: 1, status: 'sold' })
    expect(sandbox.pets.update(1, { status: null })).not.toHaveProperty('status')
    expect((await send(sandbox, { url: '/v1/pets?status=sold' })).body).toBe('[]')
  })

  it('rejects another id, and any unknown property', () => {
    const { pets } = frozenSandbox()
    expect(() => pets.update(1, { id: 2 } as never)).toThrow('Cannot set pet.id: ')
    expect(pets.size).toBe(30)
  })

  it('keeps the pet when a change is rejected', () => {
    const { pets } = frozenSandbox()
    const before = pets.get(1)
    expect(() => pets.update(1, { name: 'Rex', status: 'dead' as never })).toThrow(InputError)
    expect(pets.get(1)).toEqual(before)
  })
})

describe('pets.delete()', () => {
  it('takes a pet from the API at once, and its id is not given again', async () => {
    const sandbox = frozenSandbox()
    sandbox.pets.delete(30)
    expect((await send(sandbox, { url: '/v1/pets/30' })).status).toBe(404)
    const created = await send(sandbox, { json: '{"name":"Rex","categoryId":1}' })
    expect(JSON.parse(created.body).id).toBe(31)
    expect(() => sandbox.pets.delete(30)).toThrow(NotFoundError)
  })
})

describe('pets.clear()', () => {
  it('empties the store for the API, queries and lists', async () => {
    const sandbox = frozenSandbox()
    sandbox.pets.clear()
    expect((await send(sandbox)).body).toBe('[]')
    expect(sandbox.pets.size).toBe(0)
    expect(await sandbox.pets.query((query) => query.where({}))).toEqual([])
    sandbox.pets.create({ id: 1, name: 'Bo', categoryId: 1 })
    expect(await sandbox.pets.query((query) => query.where({}))).toHaveLength(1)
  })
})

describe('pets.query()', () => {
  it('finds by values and predicates of @msw/data', async () => {
    const { pets } = storeOf(
      { id: 1, name: 'Bella', categoryId: 1, status: 'available' },
      { id: 2, name: 'Max', categoryId: 2, status: 'sold' },
      { id: 3, name: 'Bo', categoryId: 2n ** 60n, status: 'sold' },
    )
    const namesOf = async (...[build]: Parameters<typeof pets.query>) =>
      (await pets.query(build)).map(({ name }) => name)
    expect(await namesOf((query) => query.where({ status: 'sold' }))).toEqual(['Max', 'Bo'])
    expect(await namesOf((query) => query.where({ name: (name) => name.startsWith('B') }))).toEqual(
      ['Bella', 'Bo'],
    )
    expect(await namesOf((query) => query.where({ categoryId: 2n ** 60n }))).toEqual(['Bo'])
    expect(await namesOf((query) => query.where({ id: 1 }).or({ categoryId: 2 }))).toEqual([
      'Bella',
      'Max',
    ])
    expect(await namesOf((query) => query.where((pet) => Number(pet.id) > 2))).toEqual(['Bo'])
  })

  it('sees every change that was made before it, without waiting for one', async () => {
    const sandbox = frozenSandbox()
    const { pets } = sandbox
    await send(sandbox, { json: '{"name":"Posted","categoryId":9}' })
    pets.create({ id: largest, name: 'Added', categoryId: 9 })
    pets.update(1, { name: 'Changed', categoryId: 9 })
    pets.delete(2)
    pets.create({ id: 2, name: 'Again', categoryId: 9 })
    pets.update(2, { status: 'pending' })
    const found = await pets.query((query) => query.where({ categoryId: 9 }))
    expect(found.map(({ id, name }) => [id, name])).toEqual(
      expect.arrayContaining([
        [31, 'Posted'],
        [largest, 'Added'],
        [1, 'Changed'],
        [2, 'Again'],
      ]),
    )
    expect(found.filter(({ id }) => id === 2)).toEqual([pets.get(2)])
  })

  it('finds no pet that was deleted or sold after an earlier query', async () => {
    const sandbox = frozenSandbox()
    const find = () => sandbox.pets.query((query) => query.where({ status: 'available' }))
    const [first, second, ...others] = await find()
    sandbox.pets.delete(first?.id ?? 0)
    sandbox.pets.update(second?.id ?? 0, { status: 'sold' })
    expect((await find()).map(({ id }) => id)).toEqual(others.map(({ id }) => id))
    sandbox.pets.clear()
    expect(await find()).toEqual([])
  })

  it('harms no later pet when it fails, and the next one works', async () => {
    const sandbox = frozenSandbox()
    const { getRandomValues } = crypto
    // As in a page on plain http: @msw/data can't do without randomUUID.
    vi.stubGlobal('crypto', { getRandomValues })
    onTestFinished(() => {
      vi.unstubAllGlobals()
    })
    await expect(sandbox.pets.query((query) => query.where({}))).rejects.toThrow(/randomUUID/)
    sandbox.pets.create({ name: 'Rex', categoryId: 1 })
    expect((await send(sandbox, { json: '{"name":"Bo","categoryId":1}' })).status).toBe(201)
    vi.unstubAllGlobals()
    expect(await sandbox.pets.query((query) => query.where({}))).toHaveLength(32)
  })

  it('sees the seed again after a reset, and what was restored', async () => {
    const sandbox = frozenSandbox()
    sandbox.pets.create({ id: 2n ** 62n, name: 'Kept', categoryId: 9 })
    const snapshot = sandbox.snapshot()
    sandbox.reset()
    expect(await sandbox.pets.query((query) => query.where({ categoryId: 9 }))).toEqual([])
    sandbox.restore(snapshot)
    expect(await sandbox.pets.query((query) => query.where({ categoryId: 9 }))).toEqual([
      { id: 2n ** 62n, name: 'Kept', categoryId: 9 },
    ])
  })
})

describe('pets.list()', () => {
  it('gives all pets by ascending id, negative and past 2^53 too', () => {
    const ids = [5, largest, -(2n ** 63n), 0, 2n ** 53n]
    const { pets } = storeOf(...ids.map((id) => ({ id, name: 'Rex', categoryId: 1 })))
    expect(pets.list().map(({ id }) => id)).toEqual([-(2n ** 63n), 0, 5, 2n ** 53n, largest])
  })

  it.each([
    { choice: { status: 'sold' }, ids: [2, 3] },
    { choice: { name: 'Max' }, ids: [2, 4] },
    { choice: { status: 'sold', name: 'Max' }, ids: [2] },
    { choice: { name: 'max' }, ids: [] },
  ] as const)('has $ids for $choice', ({ choice, ids }) => {
    const { pets } = storeOf(
      { id: 1, name: 'Bella', categoryId: 1 },
      { id: 2, name: 'Max', categoryId: 1, status: 'sold' },
      { id: 3, name: 'Bo', categoryId: 1, status: 'sold' },
      { id: 4, name: 'Max', categoryId: 1, status: 'available' },
    )
    expect(pets.list(choice).map(({ id }) => id)).toEqual(ids)
  })
})
