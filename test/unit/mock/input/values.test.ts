import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { InputError } from '../../../../src/mock/input/input-error.ts'
import { readInput } from '../../../../src/mock/input/schema.ts'
import {
  custom,
  duration,
  durationFrom,
  either,
  flag,
  formatDuration,
  formatInstant,
  instant,
  instantText,
  integer,
  nullable,
  number,
  oneOf,
  spanText,
  string,
  text,
} from '../../../../src/mock/input/values.ts'
import { Sometimes } from '../../../kit/sometimes.ts'

// What values are taken, how they are described and rejected: every-schema.test.ts.

const share = number('a number above 0, at most 1', { exclusiveMinimum: 0, maximum: 1 })

describe('fromText', () => {
  it.each([
    { schema: integer(1, 9), text: '5', value: 5 },
    { schema: integer(1, 9), text: '-5', value: -5 },
    { schema: integer(1, 9), text: '1e3', value: 1_000 },
    { schema: share, text: '0.5', value: 0.5 },
    { schema: share, text: ' 0.5', value: ' 0.5' },
    { schema: flag, text: '1', value: true },
    { schema: flag, text: '0', value: false },
    { schema: flag, text: 'true', value: true },
    { schema: flag, text: 'false', value: false },
    { schema: flag, text: 'no', value: 'no' },
    { schema: oneOf([429, 403]), text: '403', value: 403 },
    { schema: oneOf([429, 403]), text: '404', value: '404' },
    { schema: nullable(integer(1, 9)), text: '5', value: 5 },
    { schema: either(integer(1, 9), oneOf(['never'])), text: '5', value: 5 },
    { schema: either(integer(1, 9), oneOf(['never'])), text: 'never', value: 'never' },
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
  it('takes no bug of a schema for a rejection', () => {
    const broken = custom('nothing', (_found: unknown): _found is string => {
      throw new RangeError('broken')
    })
    expect(() => either(broken, string).parse('a')).toThrow('broken')
  })
})

const lastInstantAt = Date.UTC(9999, 11, 31, 23, 59, 59, 999)

describe('instant', () => {
  it.each([
    { value: '2026-01-01T00:00:00Z', at: 1767225600000 },
    { value: '2026-01-01', at: 1767225600000 },
    { value: '2026-01-01T00:00Z', at: 1767225600000 },
    { value: '2026-01-01T02:00:00+02:00', at: 1767225600000 },
    { value: '2025-12-31T19:30:00-04:30', at: 1767225600000 },
    { value: '2025-12-31T24:00:00Z', at: 1767225600000 },
    { value: '2026-01-01T00:00:00.250Z', at: 1767225600250 },
    { value: '2028-02-29', at: 1835395200000 },
    { value: '1970-01-01T00:00:00Z', at: 0 },
    { value: '9999-12-31T23:59:59.999Z', at: lastInstantAt },
    { value: 1767225600000, at: 1767225600000 },
    { value: '1767225600000', at: 1767225600000 },
    { value: new Date(1767225600000), at: 1767225600000 },
    { value: 0, at: 0 },
  ])('reads $value', ({ value, at }) => {
    expect(instant.parse(value)).toBe(at)
  })

  it.each([
    '2026-01-01T00:00:00',
    '2026-02-30',
    '2026-02-29',
    '2026-04-31',
    '2026-13-01',
    '2026-00-10',
    '2026-01-00',
    '2026-01-01T25:00:00Z',
    '2026-01-01T24:00:01Z',
    '2026-01-01T00:60:00Z',
    '2026-01-01T00:00:00+24:00',
    '2026-01-01 00:00:00Z',
    '2026-01-01Z',
    '1969-12-31T23:59:59Z',
    '1970-01-01T00:00:00+00:01',
    '10000-01-01T00:00:00Z',
    '2026',
    'tomorrow',
    'Thu, 01 Jan 2026 00:00:00 GMT',
    '',
    ' 2026-01-01',
    -1,
    1.5,
    lastInstantAt + 1,
    String(lastInstantAt + 1),
    Number.NaN,
    Number.POSITIVE_INFINITY,
    new Date(Number.NaN),
    null,
    undefined,
    true,
    {},
  ])('rejects %j, saying what would do', (value) => {
    expect(() => readInput(instant, value, 'clock')).toThrow(InputError)
    expect(() => readInput(instant, value, 'clock')).toThrow(
      /^Cannot set clock: .+; use ISO 8601 with a zone, such as 2030-12-05T00:00:00Z, or Unix/,
    )
  })

  it.each([
    { text: '0', at: 0 },
    { text: '1969', at: 1969 },
    { text: '9999', at: undefined },
    { text: '1970', at: undefined },
    { text: '10000', at: 10_000 },
    { text: '1970-01-01', at: 0 },
    { text: '-1', at: undefined },
  ])('takes the text $text for milliseconds, unless it may be a year: $at', ({ text, at }) => {
    const read = (): number => instant.parse(instant.fromText?.(text))
    if (at === undefined) expect(read).toThrow()
    else expect(read()).toBe(at)
  })

  it('reads back every instant that formatInstant() writes', () => {
    const sometimes = new Sometimes('milliseconds', 'a year of the past')
    fc.assert(
      fc.property(fc.integer({ min: 0, max: lastInstantAt }), (at) => {
        const text = formatInstant(at)
        expect(instant.parse(text)).toBe(at)
        expect(instantText.parse(text)).toBe(text)
        sometimes.meet({ milliseconds: at % 1_000 > 0, 'a year of the past': text < '2026' })
      }),
    )
    sometimes.expectAllMet()
  })
})

describe('formatInstant()', () => {
  it.each([
    { at: 1767225600000, text: '2026-01-01T00:00:00Z' },
    { at: 1767225600001, text: '2026-01-01T00:00:00.001Z' },
    { at: lastInstantAt, text: '9999-12-31T23:59:59.999Z' },
  ])('writes $text', ({ at, text }) => {
    expect(formatInstant(at)).toBe(text)
  })

  it.each([lastInstantAt + 1, 8.64e15, Number.POSITIVE_INFINITY])(
    'writes %d, which is after 9999, as the last instant of 9999',
    (at) => {
      expect(formatInstant(at)).toBe('9999-12-31T23:59:59.999Z')
    },
  )
})

describe('instantText', () => {
  it.each(['2026-01-01', '2026-01-01T00:00:00+00:00', '2026-02-30T00:00:00Z', '12345', 5, null])(
    'rejects %j',
    (value) => {
      expect(() => readInput(instantText, value, 'at')).toThrow(
        /^Cannot set at: found .+; use ISO 8601 in UTC, such as 2030-12-05T00:00:00Z$/,
      )
    },
  )
})

describe('duration', () => {
  it.each([
    { value: '61s', ms: 61_000 },
    { value: '250ms', ms: 250 },
    { value: '5m', ms: 300_000 },
    { value: '1h30m', ms: 5_400_000 },
    { value: '2d', ms: 172_800_000 },
    { value: '1d1h1m1s1ms', ms: 90_061_001 },
    { value: '1.5s', ms: 1_500 },
    { value: '1500', ms: 1_500 },
    { value: 1_500, ms: 1_500 },
    { value: 0.4, ms: 0 },
    { value: 0, ms: 0 },
    { value: '0s', ms: 0 },
  ])('reads $value as $ms ms', ({ value, ms }) => {
    expect(duration.parse(value)).toBe(ms)
  })

  it.each([
    '',
    ' ',
    '-1s',
    '1 s',
    '1s1m',
    '1s1s',
    '1S',
    's',
    '1e3',
    '.5s',
    '1.5',
    '5 minutes',
    'PT5M',
    -1,
    -0.1,
    Number.NaN,
    Number.POSITIVE_INFINITY,
    '9999999999d',
    null,
    undefined,
    {},
    ['61s'],
  ])('rejects %j, saying what would do', (value) => {
    expect(() => readInput(duration, value, 'advance')).toThrow(InputError)
    expect(() => readInput(duration, value, 'advance')).toThrow(
      /^Cannot set advance: .+; use milliseconds, or a duration such as 250ms, 61s, 5m, 1h30m, 2d$/,
    )
  })
})

describe('durationFrom()', () => {
  it.each([
    { least: 1, most: 9e15, value: 0, use: 'above zero' },
    { least: 1, most: 9e15, value: '0.9ms', use: 'above zero' },
    { least: 0, most: 86_400_000, value: '1d1ms', use: 'at most 1d' },
    { least: 0, most: 86_400_000, value: 86_400_000.4, use: 'at most 1d' },
  ])('rejects $value, which is outside its bounds: $use', ({ least, most, value, use }) => {
    expect(() => readInput(durationFrom(least, most), value, 'ms')).toThrow(
      `use milliseconds, or a duration such as 250ms, 61s, 5m, 1h30m, 2d, ${use}`,
    )
  })
})

describe('formatDuration()', () => {
  it.each([
    { ms: 300_000, text: '5m' },
    { ms: 90_061_001, text: '1d1h1m1s1ms' },
    { ms: 0, text: '0ms' },
  ])('writes $text', ({ ms, text }) => {
    expect(formatDuration(ms)).toBe(text)
  })

  it('writes what duration reads back', () => {
    const sometimes = new Sometimes('days', 'milliseconds')
    fc.assert(
      fc.property(fc.nat(10_000_000_000), (ms) => {
        const text = formatDuration(ms)
        expect(duration.parse(text)).toBe(ms)
        sometimes.meet({ days: text.includes('d'), milliseconds: text.endsWith('ms') })
      }),
    )
    sometimes.expectAllMet()
  })
})

describe('spanText()', () => {
  it.each([
    { ms: -5, text: '0 s' },
    { ms: 456, text: '0.46 s' },
    { ms: 1_040, text: '1 s' },
    { ms: 9_940, text: '9.9 s' },
    { ms: 10_400, text: '10 s' },
    { ms: 119_400, text: '119 s' },
    { ms: 120_000, text: '2 min' },
    { ms: 7_199_000, text: '120 min' },
    { ms: 7_200_000, text: '2 h' },
    { ms: 172_799_000, text: '48 h' },
    { ms: 172_800_000, text: '2 days' },
    { ms: 86_400_000 * 1_474, text: '1,474 days' },
  ])('writes $ms ms as $text', ({ ms, text }) => {
    expect(spanText(ms)).toBe(text)
  })
})
