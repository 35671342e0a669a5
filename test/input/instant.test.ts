import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { InputError } from '../../src/input/input-error.ts'
import { formatInstant, instant, instantText } from '../../src/input/instant.ts'
import { readInput } from '../../src/input/schema.ts'

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
    expect(instant.read(value)).toBe(at)
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
  ])('refuses %j, saying what would do', (value) => {
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
    const read = (): number => instant.read(instant.fromText?.(text))
    if (at === undefined) expect(read).toThrow()
    else expect(read()).toBe(at)
  })

  it('reads back every instant that formatInstant() writes', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: lastInstantAt }), (at) => {
        expect(instant.read(formatInstant(at))).toBe(at)
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

  it.each([lastInstantAt + 1, 8.64e15, Number.POSITIVE_INFINITY])(
    'writes %d, which is after 9999, as the last instant of 9999',
    (at) => {
      expect(formatInstant(at)).toBe('9999-12-31T23:59:59.999Z')
    },
  )
})

describe('instantText', () => {
  it('reads what formatInstant() writes, as it is', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: lastInstantAt }), (at) => {
        expect(instantText.read(formatInstant(at))).toBe(formatInstant(at))
      }),
    )
  })

  it.each(['2026-01-01', '2026-01-01T00:00:00+00:00', '2026-02-30T00:00:00Z', '12345', 5, null])(
    'refuses %j',
    (value) => {
      expect(() => readInput(instantText, value, 'at')).toThrow(
        /^Cannot set at: found .+; use ISO 8601 in UTC, such as 2030-12-05T00:00:00Z$/,
      )
    },
  )
})
