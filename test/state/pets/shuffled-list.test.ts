import { describe, expect, it } from 'vitest'
import { compareInt64 } from '../../../src/contract/int64.ts'
import { type Rank, ShuffledList } from '../../../src/state/pets/shuffled-list.ts'
import { SortedList } from '../../../src/state/pets/sorted-list.ts'

/** A list of many values by id. */
function listOf(count: number): SortedList<Rank> {
  const list = new SortedList<Rank>((left, right) => compareInt64(left.id, right.id))
  for (let id = 1; id <= count; id++) list.add({ id })
  return list
}

const count = 20_000

describe('ShuffledList', () => {
  it('finds the first of many as if all were in order', () => {
    const list = listOf(count)
    const all = new ShuffledList(list, 7).first(count)
    expect(new Set(all).size).toBe(count)
    expect(all.slice(0, 100)).not.toEqual(list.first(100))
    const shuffled = new ShuffledList(list, 7)
    for (const few of [1, 100, 5_000, 30]) expect(shuffled.first(few)).toEqual(all.slice(0, few))
  })

  it('goes on with the next ones when the first ones go, and takes them in when they come back', () => {
    const list = listOf(count)
    const all = new ShuffledList(list, 7).first(count)
    const shuffled = new ShuffledList(list, 7)
    for (let start = 0; start < 2_000; start++) {
      if (start % 90 === 0) expect(shuffled.first(100)).toEqual(all.slice(start, start + 100))
      const gone = all[start]
      if (gone === undefined) break
      list.delete(gone)
      shuffled.delete(gone)
    }
    for (const value of all.slice(1_000, 2_000).toReversed()) {
      list.add(value)
      shuffled.add(value)
    }
    expect(shuffled.first(1_500)).toEqual(all.slice(1_000, 2_500))
  })

  it('has no more than there are', () => {
    const list = listOf(3)
    const shuffled = new ShuffledList(list, 1)
    expect(shuffled.first(100)).toHaveLength(3)
    expect(new ShuffledList(listOf(0), 1).first(10)).toEqual([])
  })
})
