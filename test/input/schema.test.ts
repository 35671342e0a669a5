import { describe, expect, it } from 'vitest'
import { duration } from '../../src/input/duration.ts'
import { InputError } from '../../src/input/input-error.ts'
import { object, optional } from '../../src/input/object.ts'
import {
  asGiven,
  component,
  described,
  named,
  Refusal,
  readInput,
  readPart,
  refined,
} from '../../src/input/schema.ts'
import { string, whole } from '../../src/input/values.ts'

function errorOf(run: () => unknown): unknown {
  try {
    return run()
  } catch (thrown) {
    return thrown
  }
}

describe('readInput()', () => {
  const count = whole(1, 10)

  it('gives what was read', () => {
    expect(readInput(count, 5, 'count')).toBe(5)
  })

  it.each([
    { value: 'soon', found: 'found "soon"' },
    { value: 11, found: 'found 11' },
    { value: null, found: 'found null' },
    { value: undefined, found: 'it is missing' },
  ])('refuses $value: what it is, what was found, what would do', ({ value, found }) => {
    expect(errorOf(() => readInput(count, value, 'count'))).toEqual(
      new InputError(
        `Cannot set count: ${found}; use a whole number from 1 to 10`,
        [],
        found === 'it is missing' ? 'missing' : 'wrong-value',
      ),
    )
  })

  it('calls a value by its title, or else the options', () => {
    expect(() => readInput({ ...count, title: 'count' }, 0)).toThrow(/^Cannot set count: found 0;/)
    expect(() => readInput(count, 0)).toThrow(/^Cannot set the options: found 0;/)
  })

  it.each([
    { path: [], place: 'faults' },
    { path: ['ms'], place: 'faults.ms' },
    { path: [2], place: 'faults[2]' },
    { path: [2, 'ms', 0], place: 'faults[2].ms[0]' },
    { path: ['x-api-key'], place: 'faults.x-api-key' },
    { path: ['a b'], place: 'faults["a b"]' },
    { path: ['a.b', 'c'], place: 'faults["a.b"].c' },
    { path: [''], place: 'faults[""]' },
    { path: ['x'.repeat(61)], place: `faults["${'x'.repeat(56)}...]` },
    { path: ['a\nb'], place: 'faults["a\\nb"]' },
  ])('writes the place $path as code would: $place', ({ path, place }) => {
    const refusing = {
      read: () => {
        throw new Refusal('found 5; use 6', path)
      },
    }
    const error = errorOf(() => readInput(refusing, {}, 'faults'))
    expect(error).toMatchObject({ message: `Cannot set ${place}: found 5; use 6`, path })
  })

  it('calls a property of what has no name by its own', () => {
    expect(() => readInput(object({ port: count }), { port: 0 })).toThrow(/^Cannot set port: /)
  })

  it('lets any other error through as it is', () => {
    const bug = new RangeError('Cannot do it')
    const broken = {
      read: () => {
        throw bug
      },
    }
    expect(errorOf(() => readInput(broken, {}))).toBe(bug)
    expect(errorOf(() => readPart('a', broken.read))).toBe(bug)
  })
})

describe('refined()', () => {
  const even = refined(
    whole(0, 100),
    (read) => {
      if (read % 2 === 1) throw new Refusal(`found ${read}; use an even number`)
      return { half: read / 2 }
    },
    ({ half }) => half * 2,
  )

  it('goes on from what was read, and back', () => {
    expect(even.read(6)).toEqual({ half: 3 })
    expect(even.write({ half: 3 })).toBe(6)
  })

  it('refuses what the first step refuses, and what the second does', () => {
    expect(() => readInput(even, -1, 'count')).toThrow(
      'Cannot set count: found -1; use a whole number from 0 to 100',
    )
    expect(() => readInput(even, 5, 'count')).toThrow(
      'Cannot set count: found 5; use an even number',
    )
  })
})

describe('asGiven()', () => {
  it('checks a value, and gives it in the form in which it is written', () => {
    const schema = asGiven(object({ ms: duration, note: optional(string) }))
    expect(schema.read({ ms: 1_500 })).toEqual({ ms: '1s500ms' })
    expect(schema.write({ ms: 1_500 })).toEqual({ ms: 1_500 })
    expect(() => schema.read({ ms: 'soon' })).toThrow(Refusal)
  })
})

describe('described() and named()', () => {
  it('add to the JSON Schema, and change nothing else', () => {
    const schema = named('Count', described('How many.', whole(0, 5), { examples: [2] }))
    const description = {
      type: 'integer',
      minimum: 0,
      maximum: 5,
      description: 'How many.',
      examples: [2],
    }
    expect(schema.describe()).toEqual({ [component]: { name: 'Count', schema: description } })
    expect(schema.read(5)).toBe(5)
  })
})
