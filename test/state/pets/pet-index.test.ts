import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compareInt64, type Int64 } from '../../../src/contract/int64.ts'
import { isReserved, petJsonWith } from '../../../src/contract/pet.ts'
import { type PetEntry, type PetFilter, PetIndex } from '../../../src/state/pets.ts'

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

  it('gives a page anew when a pet comes or goes', () => {
    const index = new PetIndex(7)
    const filter = { limit: 3, status: 'sold', order: 'id-ascending' } as const
    for (let one = 0; one < 3; one++) index.add(entryOf(one, 'sold'))
    expect(index.page(filter)).toBe(index.page({ ...filter }))
    index.add(entryOf(-1, 'sold'))
    expect(JSON.parse(index.page(filter))).toMatchObject([{ id: -1 }, { id: 0 }, { id: 1 }])
    index.delete(0)
    expect(JSON.parse(index.page(filter))).toMatchObject([{ id: -1 }, { id: 1 }, { id: 2 }])
  })
})
