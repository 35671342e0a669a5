import fc from 'fast-check'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { compareInt64, type Int64 } from '../../../src/contract/int64.ts'
import { isReserved, petJsonWith } from '../../../src/contract/pet.ts'
import { type PetEntry, type PetFilter, PetIndex } from '../../../src/state/pets/pet-index.ts'

const maxInt64 = 2n ** 63n - 1n

const statuses = [undefined, 'available', 'pending', 'sold'] as const

function entryOf(id: Int64, status: PetEntry['status']): PetEntry {
  return { id, name: `Pet ${id}`, categoryId: 1, status }
}

/** Something that is done to an index. */
type Step =
  | { readonly does: 'add'; readonly entry: PetEntry }
  | { readonly does: 'delete'; readonly id: number }
  | { readonly does: 'page'; readonly filter: PetFilter }

// So few ids that most are used again and again.
const id = fc.integer({ min: -8, max: 8 })
const status = fc.constantFrom(...statuses)

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    does: fc.constant('add' as const),
    entry: fc.tuple(id, status).map((parts) => entryOf(...parts)),
  }),
  fc.record({ does: fc.constant('delete' as const), id }),
  fc.record({
    does: fc.constant('page' as const),
    filter: fc.record({
      limit: fc.oneof(fc.integer({ min: 1, max: 4 }), fc.integer({ min: 1, max: 20 })),
      status,
      order: fc.constantFrom<PetFilter['order']>('id-ascending', 'id-descending', 'shuffled'),
      statuses: fc.constantFrom('listed', 'one-more'),
    }),
  }),
)

/** What an index would be as a plain map, each page worked out anew. */
class Model {
  readonly #entries = new Map<number, PetEntry>()
  readonly #ranks: ReadonlyMap<unknown, number>

  /** @param shuffled The ids of all pets that there may be, in the shuffled order. */
  constructor(shuffled: readonly unknown[]) {
    this.#ranks = new Map(shuffled.map((one, rank) => [one, rank]))
  }

  get(one: number): PetEntry | undefined {
    return this.#entries.get(one)
  }

  add(entry: PetEntry): void {
    this.#entries.set(Number(entry.id), entry)
  }

  delete(one: number): boolean {
    return this.#entries.delete(one)
  }

  all(): PetEntry[] {
    return [...this.#entries.values()].sort((left, right) => compareInt64(left.id, right.id))
  }

  page(filter: PetFilter): string {
    const rankOf = (entry: PetEntry): number => this.#ranks.get(entry.id) ?? 0
    const ordered = this.all()
    if (filter.order === 'id-descending') ordered.reverse()
    if (filter.order === 'shuffled') ordered.sort((left, right) => rankOf(left) - rankOf(right))
    const { status, limit, statuses = 'listed' } = filter
    const isShown = (entry: PetEntry): boolean => statuses === 'listed' || !isReserved(entry)
    const fitting = ordered.filter(
      (entry) => status === undefined || (entry.status === status && isShown(entry)),
    )
    return `[${fitting.slice(0, limit).map((entry) => petJsonWith(entry, statuses))}]`
  }
}

/** The order in which an index of this seed shuffles ids. */
function shuffledIds(seed: number): unknown[] {
  const index = new PetIndex(seed)
  for (let one = -8; one <= 8; one++) index.add(entryOf(one, undefined))
  const page = index.page({ limit: 100, status: undefined, order: 'shuffled' })
  return (JSON.parse(page) as PetEntry[]).map((pet) => pet.id)
}

describe('PetIndex', () => {
  it('is at every moment what a list of all its pets would be', () => {
    const seed = 7
    const shuffled = shuffledIds(seed)
    fc.assert(
      fc.property(fc.array(step, { maxLength: 80, size: 'max' }), (steps) => {
        const index = new PetIndex(seed)
        const model = new Model(shuffled)
        for (const one of steps) {
          if (one.does === 'page') expect(index.page(one.filter)).toBe(model.page(one.filter))
          else if (one.does === 'delete')
            expect(index.delete(one.id) !== undefined).toBe(model.delete(one.id))
          else if (model.get(Number(one.entry.id)) === undefined) {
            index.add(one.entry)
            model.add(one.entry)
          }
        }
        expect(index.all()).toEqual(model.all())
        expect(index.size).toBe(model.all().length)
        for (let one = -9; one <= 9; one++) expect(index.get(one)).toEqual(model.get(one))
      }),
      { numRuns: 300 },
    )
  })

  it('shuffles long ids, too, so that a seed means the same order in any release', () => {
    const index = new PetIndex(7)
    const ids = [
      1,
      2,
      3,
      -1,
      2 ** 32,
      2 ** 32 + 1,
      2 ** 33,
      2 ** 52,
      2n ** 53n,
      -(2n ** 63n),
      2n ** 62n + 2n ** 31n,
      maxInt64,
    ]
    for (const one of ids) index.add(entryOf(one, undefined))
    const page = index.page({ limit: 100, status: undefined, order: 'shuffled' })
    expect(page.match(/(?<="id":)-?\d+/g)).toEqual([
      '-9223372036854775808',
      '9007199254740992',
      '4294967297',
      '3',
      '4294967296',
      '2',
      '-1',
      '1',
      '4611686020574871552',
      '4503599627370496',
      '8589934592',
      '9223372036854775807',
    ])
  })

  it.each<{ change: string; act: (index: PetIndex) => unknown; isKept: boolean }>([
    { change: 'a new pet after it', act: (index) => index.add(entryOf(9, 'sold')), isKept: true },
    {
      change: 'a new pet of another status',
      act: (index) => index.add(entryOf(-9, 'pending')),
      isKept: true,
    },
    {
      change: 'a new pet before its last one',
      act: (index) => index.add(entryOf(-9, 'sold')),
      isKept: false,
    },
    { change: 'the loss of its last pet', act: (index) => index.delete(2), isKept: false },
    { change: 'the loss of the next pet', act: (index) => index.delete(3), isKept: true },
  ])('keeps a page over $change: $isKept', ({ act, isKept }) => {
    const index = new PetIndex(7)
    for (let one = 0; one < 5; one++) index.add(entryOf(one, 'sold'))
    const filter = { limit: 3, status: 'sold', order: 'id-ascending' } as const
    const before = index.page(filter)
    act(index)
    const stringify = vi.spyOn(JSON, 'stringify')
    onTestFinished(() => stringify.mockRestore())
    expect(index.page(filter) === before).toBe(isKept)
    expect(stringify).toHaveBeenCalledTimes(isKept ? 0 : 3)
  })

  /** Reads pages again, and says how many of them were kept. */
  function keptOf(index: PetIndex, limits: readonly number[]): number {
    const stringify = vi.spyOn(JSON, 'stringify')
    onTestFinished(() => stringify.mockRestore())
    return limits.filter((limit) => {
      stringify.mockClear()
      index.page({ limit, status: undefined, order: 'id-ascending' })
      return stringify.mock.calls.length === 0
    }).length
  }

  it.each([
    { count: 31, length: 1, kept: 31 },
    { count: 32, length: 1, kept: 32 },
    { count: 33, length: 1, kept: 0 },
    { count: 3, length: 20_000, kept: 3 },
    { count: 4, length: 20_000, kept: 0 },
    { count: 1, length: 70_000, kept: 0 },
  ])('keeps $kept of $count pages with names of $length characters', (row) => {
    const index = new PetIndex(7)
    index.add({ ...entryOf(1, 'sold'), name: 'x'.repeat(row.length) })
    const limits = Array.from({ length: row.count }, (_, number) => number + 1)
    for (const limit of limits) index.page({ limit, status: undefined, order: 'id-ascending' })
    expect(keptOf(index, limits)).toBe(row.kept)
  })

  it('keeps the other pages when one changes', () => {
    const index = new PetIndex(7)
    for (let one = 0; one < 5; one++) index.add(entryOf(one, 'sold'))
    for (const limit of [2, 3]) index.page({ limit, status: undefined, order: 'id-ascending' })
    index.delete(2)
    expect(keptOf(index, [2, 3])).toBe(1)
  })

  it('keeps as many pages as before once there were too many', () => {
    const index = new PetIndex(7)
    index.add({ ...entryOf(1, 'sold'), name: 'x'.repeat(20_000) })
    for (let limit = 1; limit <= 6; limit++) {
      index.page({ limit, status: undefined, order: 'id-ascending' })
    }
    expect(keptOf(index, [4, 5, 6])).toBe(3)
  })
})
