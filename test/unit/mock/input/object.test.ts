import { describe, expect, it } from 'vitest'
import {
  dictionary,
  fromTexts,
  list,
  object,
  oneOrMany,
  optional,
  withDefault,
} from '../../../../src/mock/input/object.ts'
import { readInput } from '../../../../src/mock/input/schema.ts'
import {
  duration,
  flag,
  integer,
  nullable,
  oneOf,
  string,
  text,
} from '../../../../src/mock/input/values.ts'

const settings = object(
  {
    name: string,
    wait: optional(duration),
    times: optional(integer(1, 10), 1),
    mode: withDefault(oneOf(['fast', 'slow']), 'fast'),
    constructor: optional(string),
  },
  { title: 'settings', example: '{ "name": "a" }' },
)

describe('object()', () => {
  it('reads every property, those left out as their fallbacks', () => {
    expect(settings.parse({ name: 'a' })).toEqual({
      name: 'a',
      wait: undefined,
      times: 1,
      mode: 'fast',
      constructor: undefined,
    })
    expect(settings.parse({ name: 'a', wait: '1s', times: 2, mode: 'slow' })).toMatchObject({
      wait: 1_000,
      times: 2,
      mode: 'slow',
    })
  })

  it('takes undefined for left out', () => {
    expect(settings.parse({ name: 'a', wait: undefined, times: undefined }).times).toBe(1)
  })

  it('reads own properties only', () => {
    expect(() => readInput(settings, Object.create({ name: 'a' }))).toThrow(
      'Cannot set settings.name: required; use a string',
    )
  })

  it.each([null, [], 'a', 5, true, new Date(0), undefined])('rejects %j', (value) => {
    expect(() => readInput(settings, value)).toThrow(
      /^Cannot set settings: .+; use an object such as \{ "name": "a" \}$/,
    )
  })

  it('lists its properties where it has no example', () => {
    expect(() => readInput(object({ a: string, b: string }), 5)).toThrow('use an object with a, b')
  })

  it.each(['oops', '__proto__', 'toString', 'a b'])(
    'rejects the unknown property %s, and names those that it knows',
    (name) => {
      const value = JSON.parse(`{"name":"a",${JSON.stringify(name)}:2}`)
      const place = name === 'a b' ? 'settings["a b"]' : `settings.${name}`
      expect(() => readInput(settings, value)).toThrow(
        `Cannot set ${place}: unknown property; use name, wait, times, mode, constructor`,
      )
    },
  )

  it('says so where it has no property at all', () => {
    expect(() => readInput(object({}), { a: 1 }, 'query')).toThrow(
      'Cannot set query.a: unknown property; use no properties',
    )
  })

  it('lets unknown properties pass where it is to ignore them', () => {
    const view = object({ name: string }, { unknown: 'ignore' })
    expect(view.parse({ name: 'a', more: 1 })).toEqual({ name: 'a' })
  })

  it('writes what it has read, without fallbacks of optional properties', () => {
    expect(settings.encode(settings.parse({ name: 'a' }))).toEqual({ name: 'a', mode: 'fast' })
    expect(settings.encode(settings.parse({ name: 'a', wait: 90_000, times: 2 }))).toEqual({
      name: 'a',
      wait: '1m30s',
      times: 2,
      mode: 'fast',
    })
  })
})

describe('fromTexts()', () => {
  const query = object({
    limit: optional(integer(1, 100)),
    only: optional(flag),
    status: optional(nullable(oneOf([429, 403]))),
    name: text(),
    '1': optional(string),
  })

  it.each<{ texts: Record<string, string>; values: object }>([
    { texts: { limit: '5' }, values: { limit: 5 } },
    { texts: { limit: '5.5' }, values: { limit: 5.5 } },
    { texts: { limit: 'five' }, values: { limit: 'five' } },
    { texts: { limit: '' }, values: { limit: '' } },
    { texts: { limit: '0x5' }, values: { limit: '0x5' } },
    { texts: { only: 'true' }, values: { only: true } },
    { texts: { only: '0' }, values: { only: false } },
    { texts: { only: 'yes' }, values: { only: 'yes' } },
    { texts: { only: 'toString' }, values: { only: 'toString' } },
    { texts: { status: '403' }, values: { status: 403 } },
    { texts: { name: '5', '1': '5' }, values: { name: '5', '1': '5' } },
    { texts: { oops: '5', toString: '5' }, values: { oops: '5', toString: '5' } },
  ])('turns $texts into what the properties take', ({ texts, values }) => {
    expect(fromTexts(query, texts)).toEqual(values)
  })
})

describe('list()', () => {
  const waits = list(duration)

  it('rejects a hole', () => {
    const holed: unknown[] = ['1s']
    holed[2] = '1s'
    expect(() => readInput(waits, holed, 'waits')).toThrow(/^Cannot set waits\[1\]: required;/)
  })
})

describe('oneOrMany()', () => {
  const names = oneOrMany(string)

  it('reads and writes one, or an array of them', () => {
    expect([names.parse('a'), names.parse(['a', 'b'])]).toEqual(['a', ['a', 'b']])
    expect([names.encode('a'), names.encode(['a'])]).toEqual(['a', ['a']])
  })

  it('rejects with the place of the item', () => {
    expect(() => readInput(names, 5, 'names')).toThrow('Cannot set names: found 5; use a string')
    expect(() => readInput(names, ['a', 5], 'names')).toThrow(
      'Cannot set names[1]: found 5; use a string',
    )
    expect(names.expected).toBe('a string, or an array of them')
  })
})

describe('dictionary()', () => {
  const waits = dictionary(duration)

  it('reads and writes properties of any name', () => {
    const value = JSON.parse('{"a":"1s","__proto__":5}')
    expect(Object.entries(waits.parse(value))).toEqual([
      ['a', 1_000],
      ['__proto__', 5],
    ])
    expect(waits.encode({ a: 1_000 })).toEqual({ a: '1s' })
  })
})
