import { describe, expect, it } from 'vitest'
import { duration } from '../../src/input/duration.ts'
import { fromTexts, object, optional, variant, withDefault } from '../../src/input/object.ts'
import { readInput } from '../../src/input/schema.ts'
import { flag, nullable, oneOf, string, text, whole } from '../../src/input/values.ts'

const settings = object(
  {
    name: string,
    wait: optional(duration),
    times: optional(whole(1, 10), 1),
    mode: withDefault(oneOf(['fast', 'slow']), 'fast'),
    constructor: optional(string),
  },
  { title: 'settings', example: '{ "name": "a" }' },
)

describe('object()', () => {
  it('reads every property, those left out as their fallbacks', () => {
    expect(settings.read({ name: 'a' })).toEqual({
      name: 'a',
      wait: undefined,
      times: 1,
      mode: 'fast',
      constructor: undefined,
    })
    expect(settings.read({ name: 'a', wait: '1s', times: 2, mode: 'slow' })).toMatchObject({
      wait: 1_000,
      times: 2,
      mode: 'slow',
    })
  })

  it('takes undefined for left out', () => {
    expect(settings.read({ name: 'a', wait: undefined, times: undefined }).times).toBe(1)
  })

  it('reads own properties only', () => {
    expect(() => readInput(settings, Object.create({ name: 'a' }))).toThrow(
      'Cannot set settings.name: it is missing; use a string',
    )
  })

  it.each([null, [], 'a', 5, true, new Date(0), undefined])('refuses %j', (value) => {
    expect(() => readInput(settings, value)).toThrow(
      /^Cannot set settings: .+; use an object such as \{ "name": "a" \}$/,
    )
  })

  it('lists its properties where it has no example', () => {
    expect(() => readInput(object({ a: string, b: string }), 5)).toThrow('use an object with a, b')
  })

  it('names the place of what it refuses', () => {
    const outer = object({ inner: settings })
    expect(() => readInput(outer, { inner: { name: 'a', wait: 'soon' } }, 'outer')).toThrow(
      /^Cannot set outer\.inner\.wait: found "soon"; use milliseconds/,
    )
  })

  it.each(['oops', '__proto__', 'toString', 'a b'])(
    'refuses the unknown property %s, and names those that it knows',
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
    expect(view.read({ name: 'a', more: 1 })).toEqual({ name: 'a' })
  })

  it('writes what it has read, without fallbacks of optional properties', () => {
    expect(settings.write(settings.read({ name: 'a' }))).toEqual({ name: 'a', mode: 'fast' })
    expect(settings.write(settings.read({ name: 'a', wait: 90_000, times: 2 }))).toEqual({
      name: 'a',
      wait: '1m30s',
      times: 2,
      mode: 'fast',
    })
  })

  it('is described with what it needs, defaults, and nothing beside them', () => {
    expect(
      object({
        a: string,
        b: optional(whole(0, 1)),
        c: withDefault(oneOf(['x', 'y']), 'x'),
        d: optional(flag, false),
        e: optional(nullable(string), null),
        f: optional(duration, 0),
      }).describe(),
    ).toEqual({
      type: 'object',
      properties: {
        a: { type: 'string' },
        b: { type: 'integer', minimum: 0, maximum: 1 },
        c: { type: 'string', enum: ['x', 'y'], default: 'x' },
        d: { type: 'boolean', default: false },
        e: { anyOf: [{ type: 'string' }, { type: 'null' }], default: null },
        f: { ...duration.describe(), default: '0ms' },
      },
      required: ['a'],
      additionalProperties: false,
    })
    expect(object({ a: optional(string) }, { unknown: 'ignore' }).describe()).toEqual({
      type: 'object',
      properties: { a: { type: 'string' } },
    })
  })
})

describe('variant()', () => {
  const shape = variant(
    'kind',
    {
      circle: object({ kind: oneOf(['circle']), radius: whole(1, 9) }),
      pause: object({ kind: oneOf(['pause']), ms: duration }),
    },
    '{ "kind": "circle", "radius": 2 }',
  )

  it('reads and writes each kind by its own schema', () => {
    expect(shape.read({ kind: 'circle', radius: 2 })).toEqual({ kind: 'circle', radius: 2 })
    expect(shape.read({ kind: 'pause', ms: '1s' })).toEqual({ kind: 'pause', ms: 1_000 })
    expect(shape.write({ kind: 'pause', ms: 1_000 })).toEqual({ kind: 'pause', ms: '1s' })
  })

  it.each([
    {
      value: 5,
      message: 'Cannot set shape: found 5; use an object such as { "kind": "circle", "radius": 2 }',
    },
    { value: {}, message: 'Cannot set shape.kind: it is missing; use one of circle, pause' },
    {
      value: { kind: 'toString' },
      message: 'Cannot set shape.kind: found "toString"; use one of circle, pause',
    },
    {
      value: { kind: 'circle', radius: 0 },
      message: 'Cannot set shape.radius: found 0; use a whole number from 1 to 9',
    },
    {
      value: { kind: 'pause', ms: 1, radius: 1 },
      message: 'Cannot set shape.radius: unknown property; use kind, ms',
    },
  ])('refuses $value: $message', ({ value, message }) => {
    expect(() => readInput(shape, value, 'shape')).toThrow(message)
  })

  it('is described as one of its kinds', () => {
    expect(shape.describe()).toMatchObject({
      oneOf: [
        { properties: { kind: { enum: ['circle'] } } },
        { properties: { kind: { enum: ['pause'] } } },
      ],
    })
  })
})

describe('fromTexts()', () => {
  const query = object({
    limit: optional(whole(1, 100)),
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
