import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { duration, durationFrom, formatDuration } from '../../src/input/duration.ts'
import { InputError } from '../../src/input/input-error.ts'
import { readInput } from '../../src/input/schema.ts'

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
    expect(duration.read(value)).toBe(ms)
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
  ])('refuses %j, saying what would do', (value) => {
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
  ])('refuses $value, which is outside its bounds: $use', ({ least, most, value, use }) => {
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
    fc.assert(
      fc.property(fc.nat(10_000_000_000), (ms) => {
        expect(duration.read(formatDuration(ms))).toBe(ms)
      }),
    )
  })
})
