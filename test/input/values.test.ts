import { describe, expect, it } from 'vitest'
import {
  anyThat,
  either,
  flag,
  nullable,
  number,
  oneOf,
  string,
  text,
  whole,
} from '../../src/input/values.ts'

// What values are taken, how they are described and refused: every-schema.test.ts.

const share = number('a number above 0, at most 1', { exclusiveMinimum: 0, maximum: 1 })

describe('fromText', () => {
  it.each([
    { schema: whole(1, 9), text: '5', value: 5 },
    { schema: whole(1, 9), text: '-5', value: -5 },
    { schema: whole(1, 9), text: '1e3', value: 1_000 },
    { schema: share, text: '0.5', value: 0.5 },
    { schema: share, text: ' 0.5', value: ' 0.5' },
    { schema: flag, text: '1', value: true },
    { schema: flag, text: '0', value: false },
    { schema: flag, text: 'true', value: true },
    { schema: flag, text: 'false', value: false },
    { schema: flag, text: 'no', value: 'no' },
    { schema: oneOf([429, 403]), text: '403', value: 403 },
    { schema: oneOf([429, 403]), text: '404', value: '404' },
    { schema: nullable(whole(1, 9)), text: '5', value: 5 },
    { schema: either(whole(1, 9), oneOf(['never'])), text: '5', value: 5 },
    { schema: either(whole(1, 9), oneOf(['never'])), text: 'never', value: 'never' },
  ])('turns "$text" into $value', ({ schema, text, value }) => {
    expect(schema.fromText?.(text)).toBe(value)
  })

  it('is absent where a text stands for itself', () => {
    expect([string.fromText, text().fromText, oneOf(['a']).fromText]).toEqual([
      undefined,
      undefined,
      undefined,
    ])
  })
})

describe('oneOf()', () => {
  it('tells its choices', () => {
    expect(oneOf(['a', 'b']).choices).toEqual(['a', 'b'])
  })
})

describe('either()', () => {
  it('takes no bug of a schema for a refusal', () => {
    const broken = anyThat('nothing', (_found: unknown): _found is string => {
      throw new RangeError('broken')
    })
    expect(() => either(broken, string).read('a')).toThrow('broken')
  })
})
