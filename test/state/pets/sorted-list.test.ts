import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { SortedList } from '../../../src/state/pets/sorted-list.ts'

interface Step {
  readonly does: 'add' | 'delete'
  readonly value: number
}

const byValue = (left: number, right: number) => left - right

/** What a list holds after the steps, worked out with a plain array. */
function sortedAfter(steps: readonly Step[]): number[] {
  const values: number[] = []
  for (const { does, value } of steps) {
    const place = values.indexOf(value)
    if (does === 'add') values.push(value)
    else if (place >= 0) values.splice(place, 1)
  }
  return values.sort(byValue)
}

function listAfter(steps: readonly Step[]): SortedList<number> {
  const list = new SortedList(byValue)
  for (const { does, value } of steps) list[does](value)
  return list
}

function stepsOf(does: fc.Arbitrary<Step['does']>, highest: number): fc.Arbitrary<Step[]> {
  return fc.array(fc.record({ does, value: fc.nat(highest) }), { maxLength: 3_000, size: 'max' })
}

describe('SortedList', () => {
  it.each([
    { what: 'few values, often equal', highest: 20 },
    { what: 'many values', highest: 100_000 },
  ])('holds what a sorted array holds, with $what', ({ highest }) => {
    const mostlyAdd = fc.constantFrom<Step['does']>('add', 'add', 'add', 'delete')
    fc.assert(
      fc.property(stepsOf(mostlyAdd, highest), fc.nat(3_000), (steps, count) => {
        const list = listAfter(steps)
        const expected = sortedAfter(steps)
        expect(list.first(expected.length + 1)).toEqual(expected)
        expect(list.first(count)).toEqual(expected.slice(0, count))
        expect(list.last(count)).toEqual(expected.toReversed().slice(0, count))
        expect(list.all()).toEqual(expected)
        expect(list.size).toBe(expected.length)
      }),
      { numRuns: 50 },
    )
  })

  it('finds the values that it holds, and no others', () => {
    const steps = stepsOf(fc.constantFrom('add', 'delete'), 3_000)
    fc.assert(
      fc.property(steps, fc.array(fc.nat(3_001)), (taken, asked) => {
        const list = listAfter(taken)
        const held = new Set(sortedAfter(taken))
        for (const value of [...asked, ...held]) {
          expect(list.find(value)).toBe(held.has(value) ? value : undefined)
        }
      }),
      { numRuns: 50 },
    )
  })

  it('tells what it takes out', () => {
    const list = listAfter([{ does: 'add', value: 1 }])
    expect([list.delete(2), list.delete(1), list.delete(1)]).toEqual([undefined, 1, undefined])
  })

  it('is empty again when all is deleted, and can be filled anew', () => {
    const values = Array.from({ length: 2_000 }, (_, index) => (index * 7) % 2_000)
    const list = new SortedList(byValue)
    for (const value of values) list.add(value)
    for (const value of values) list.delete(value)
    expect(list.first(1)).toEqual([])
    list.add(1)
    expect(list.first(2)).toEqual([1])
  })

  it('gives copies of its values, not its own array', () => {
    const list = listAfter([{ does: 'add', value: 1 }])
    const values = list.first(1) as number[]
    values.push(2)
    expect(list.first(5)).toEqual([1])
  })

  it('gives nothing for a count of 0', () => {
    expect(listAfter([{ does: 'add', value: 1 }]).first(0)).toEqual([])
    expect(new SortedList(byValue).first(0)).toEqual([])
  })

  it('is forked, and each of both changes apart', () => {
    const mostlyAdd = fc.constantFrom<Step['does']>('add', 'add', 'delete')
    const steps = stepsOf(mostlyAdd, 2_000)
    fc.assert(
      fc.property(steps, steps, steps, (before, own, others) => {
        const list = listAfter(before)
        const other = list.fork()
        for (const { does, value } of own) list[does](value)
        const third = list.fork()
        for (const { does, value } of others) other[does](value)
        expect(list.all()).toEqual(sortedAfter([...before, ...own]))
        expect(other.all()).toEqual(sortedAfter([...before, ...others]))
        expect(third.all()).toEqual(list.all())
      }),
      { numRuns: 30 },
    )
  })

  it('gives what follows a value, whether it is there or not', () => {
    fc.assert(
      fc.property(stepsOf(fc.constant('add'), 3_000), fc.nat(3_000), (steps, from) => {
        const list = new SortedList(byValue)
        for (const value of new Set(steps.map(({ value }) => value))) list.add(value)
        const walked: number[] = []
        let values = list.following(from)
        while (values.length > 0) {
          walked.push(...values)
          values = list.following(values.at(-1))
        }
        expect(walked).toEqual(list.all().filter((value) => value > from))
        expect(list.following(undefined)).toEqual(
          list.all().slice(0, list.following(undefined).length),
        )
      }),
      { numRuns: 50 },
    )
  })
})
