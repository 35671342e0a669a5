import { describe, expect, it } from 'vitest'
import { gapSettings, parseGaps } from '../../src/contract/gap-settings.ts'
import { defaultGaps, gapNames, gaps } from '../../src/contract/gaps.ts'
import { InputError } from '../../src/input/input-error.ts'
import { fromTexts } from '../../src/input/object.ts'

const wrongChoices = [
  { what: 'a text', choice: 'nonsense' },
  { what: 'an empty text', choice: '' },
  { what: 'null', choice: null },
  { what: 'a boolean', choice: true },
  { what: 'a negative number', choice: -1 },
  { what: 'no number', choice: Number.NaN },
  { what: 'an array', choice: [] },
  { what: 'an object', choice: {} },
  { what: 'an object without a text', choice: Object.create(null) as unknown },
]

const everyWrongChoice = gapNames.flatMap((name) => wrongChoices.map((row) => ({ name, ...row })))

describe('parseGaps()', () => {
  it.each(everyWrongChoice)(
    'refuses $what for $name, listing what would do',
    ({ name, choice }) => {
      const gap = gaps[name]
      const listed = 'choices' in gap ? gap.choices.map(String) : []
      expect(() => parseGaps({ [name]: choice })).toThrow(InputError)
      expect(() => parseGaps({ [name]: choice })).toThrow(
        new RegExp(`^Cannot set gaps.${name}: found .+; use .*${listed.join(', ')}`),
      )
    },
  )

  it.each(gapNames)('refuses an array that holds the default of %s', (name) => {
    expect(() => parseGaps({ [name]: [defaultGaps[name]] })).toThrow(InputError)
  })

  it.each([
    { gap: 'deprecatedSince', choice: '2026-01-01', message: undefined },
    { gap: 'deprecatedSince', choice: '2026-01-01T00:00:00', message: /use ISO 8601 with a zone/ },
    { gap: 'banDuration', choice: '1h', message: undefined },
    { gap: 'banDuration', choice: '0s', message: /use milliseconds.*, above zero$/ },
    { gap: 'banDuration', choice: 'never', message: /use milliseconds, or a duration such as/ },
    { gap: 'banAfter', choice: 'never', message: undefined },
    { gap: 'banAfter', choice: 0, message: undefined },
    { gap: 'banAfter', choice: 3, message: undefined },
    {
      gap: 'banAfter',
      choice: 1.5,
      message: /use a whole number from 0 to 1000000000, or "never"$/,
    },
    { gap: 'banStatus', choice: 403, message: undefined },
    { gap: 'banStatus', choice: 404, message: /use one of 429, 403/ },
  ])('takes $choice for $gap, or says why not', ({ gap, choice, message }) => {
    if (message === undefined) expect(() => parseGaps({ [gap]: choice })).not.toThrow()
    else expect(() => parseGaps({ [gap]: choice })).toThrow(message)
  })

  it('takes a number that a command line or a variable writes as text', () => {
    const texts = { banStatus: '403', banAfter: '3', banDuration: '1h', listOrder: 'shuffled' }
    expect(parseGaps(fromTexts(gapSettings, texts))).toMatchObject({
      banStatus: 403,
      banAfter: 3,
      banDuration: 3_600_000,
      listOrder: 'shuffled',
    })
  })

  it.each(['listorder', '__proto__', 'toString', ''])(
    'refuses the unknown gap %j, listing all',
    (name) => {
      const settings = JSON.parse(`{${JSON.stringify(name)}:"x"}`)
      expect(() => parseGaps(settings)).toThrow(InputError)
      expect(() => parseGaps(settings)).toThrow(`unknown property; use ${gapNames.join(', ')}`)
    },
  )

  it.each([null, [], 'emptyName=reject', 1, undefined])(
    'refuses %j, showing an object that would do',
    (value) => {
      expect(() => parseGaps(value)).toThrow(
        /^Cannot set gaps: .+; use an object such as \{ "retryAfterFormat": "http-date" \}$/,
      )
    },
  )

  it('lays choices over the ones in force', () => {
    const inForce = parseGaps({ emptyName: 'reject' })
    expect(parseGaps({ listOrder: 'shuffled' }, inForce)).toEqual({
      ...defaultGaps,
      emptyName: 'reject',
      listOrder: 'shuffled',
    })
    expect(inForce.listOrder).toBe('id-ascending')
  })

  it('leaves a gap that is set to undefined as it is', () => {
    expect(parseGaps({ emptyName: undefined })).toEqual(defaultGaps)
  })

  it('gives choices that cannot be changed from outside', () => {
    expect(Object.isFrozen(parseGaps({}))).toBe(true)
  })
})
