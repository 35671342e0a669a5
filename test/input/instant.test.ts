import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { InputError } from '../../src/input/input-error.ts'
import {
  formatDuration,
  formatInstant,
  parseDuration,
  parseInstant,
} from '../../src/input/instant.ts'

const lastInstantAt = Date.UTC(9999, 11, 31, 23, 59, 59, 999)

describe('parseInstant()', () => {
  it.each([
    { value: '2026-01-01T00:00:00Z', at: 1767225600000 },
    { value: '2026-01-01', at: 1767225600000 },
    { value: '2026-01-01T00:00Z', at: 1767225600000 },
    { value: '2026-01-01T02:00:00+02:00', at: 1767225600000 },
    { value: '2025-12-31T19:30:00-04:30', at: 1767225600000 },
    { value: '2026-01-01T00:00:00.250Z', at: 1767225600250 },
    { value: '2028-02-29', at: 1835395200000 },
    { value: '1970-01-01T00:00:00Z', at: 0 },
    { value: '9999-12-31T23:59:59.999Z', at: lastInstantAt },
    { value: 1767225600000, at: 1767225600000 },
    { value: '1767225600000', at: 1767225600000 },
    { value: new Date(1767225600000), at: 1767225600000 },
    { value: 0, at: 0 },
  ])('reads $value', ({ value, at }) => {
    expect(parseInstant(value)).toBe(at)
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
    '2026-01-01T00:60:00Z',
    '2026-01-01 00:00:00Z',
    '2026-01-01Z',
    '1969-12-31T23:59:59Z',
    '10000-01-01T00:00:00Z',
    '2026',
    'tomorrow',
    'Thu, 01 Jan 2026 00:00:00 GMT',
    '',
    ' 2026-01-01',
    -1,
    1.5,
    lastInstantAt + 1,
    Number.NaN,
    Number.POSITIVE_INFINITY,
    new Date(Number.NaN),
    null,
    undefined,
    true,
    {},
  ])('refuses %j, saying what would do', (value) => {
    expect(() => parseInstant(value, 'the clock')).toThrow(InputError)
    expect(() => parseInstant(value, 'the clock')).toThrow(
      /^Cannot set the clock: found .+; use ISO 8601 with a zone, such as 2030-12-05T00:00:00Z/,
    )
  })

  it('reads back every instant that formatInstant() writes', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: lastInstantAt }), (at) => {
        expect(parseInstant(formatInstant(at))).toBe(at)
      }),
    )
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
})

describe('parseDuration()', () => {
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
    expect(parseDuration(value)).toBe(ms)
  })

  it.each([
    '',
    ' ',
    '-1s',
    '1 s',
    '1s1m',
    '1S',
    's',
    '1e3',
    '.5s',
    '5 minutes',
    'PT5M',
    -1,
    Number.NaN,
    Number.POSITIVE_INFINITY,
    '9999999999d',
    null,
    undefined,
    {},
    ['61s'],
  ])('refuses %j, saying what would do', (value) => {
    expect(() => parseDuration(value, 'the advance')).toThrow(InputError)
    expect(() => parseDuration(value, 'the advance')).toThrow(
      /^Cannot set the advance: found .+; use milliseconds or a text such as 250ms, 61s, 5m, 1h30m, 2d$/,
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

  it('writes what parseDuration() reads back', () => {
    fc.assert(
      fc.property(fc.nat(10_000_000_000), (ms) => {
        expect(parseDuration(formatDuration(ms))).toBe(ms)
      }),
    )
  })
})
