import { describe, expect, it } from 'vitest'
import { duration } from '../../src/input/duration.ts'
import { InputError } from '../../src/input/input-error.ts'
import { object } from '../../src/input/object.ts'
import { asGiven, Refusal, readInput, readPart } from '../../src/input/schema.ts'
import { whole } from '../../src/input/values.ts'

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

describe('asGiven()', () => {
  it('checks a value, and gives it in the form in which it is written', () => {
    const schema = asGiven(duration)
    expect(schema.read(1_500)).toBe('1s500ms')
    expect(schema.write(1_500)).toBe(1_500)
    expect(() => schema.read('soon')).toThrow(Refusal)
  })
})
