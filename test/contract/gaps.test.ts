import { describe, expect, it } from 'vitest'
import {
  choicesText,
  defaultGaps,
  formatChoice,
  gapNames,
  gaps,
  parseGaps,
} from '../../src/contract/gaps.ts'
import { InputError } from '../../src/input/input-error.ts'

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

describe('gaps', () => {
  it.each(gapNames)('says of %s its clause and, in a sentence, what it is about', (name) => {
    expect(gaps[name].spec).toMatch(/^[1-9](\.\d)?$/)
    expect(gaps[name].about).toMatch(/^[A-Z].+\.$/)
  })
})

describe('defaultGaps', () => {
  it.each(gapNames)('has a choice of %s that can be chosen', (name) => {
    const written = formatChoice(name, defaultGaps[name])
    expect(parseGaps({ [name]: written })[name]).toBe(defaultGaps[name])
  })

  it('cannot be changed by one sandbox for all', () => {
    expect(Object.isFrozen(defaultGaps)).toBe(true)
  })
})

describe('parseGaps()', () => {
  it.each(everyWrongChoice)(
    'refuses $what for $name, listing what would do',
    ({ name, choice }) => {
      const gap = gaps[name]
      const listed = 'choices' in gap ? gap.choices.map(String) : []
      expect(() => parseGaps({ [name]: choice })).toThrow(InputError)
      expect(() => parseGaps({ [name]: choice })).toThrow(
        new RegExp(`^Cannot set gap ${name}: found .+; use .*${listed.join(', ')}`),
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
    { gap: 'banDuration', choice: '0s', message: /use a duration above zero/ },
    { gap: 'banDuration', choice: 'never', message: /use milliseconds or a text such as/ },
    { gap: 'banAfter', choice: 'never', message: undefined },
    { gap: 'banAfter', choice: 0, message: undefined },
    { gap: 'banAfter', choice: '3', message: undefined },
    { gap: 'banAfter', choice: 1.5, message: /use a whole number from 0 to 1000000000, or never/ },
    { gap: 'banStatus', choice: '403', message: undefined },
    { gap: 'banStatus', choice: 404, message: /use one of 429, 403/ },
  ])('takes $choice for $gap, or says why not', ({ gap, choice, message }) => {
    if (message === undefined) expect(() => parseGaps({ [gap]: choice })).not.toThrow()
    else expect(() => parseGaps({ [gap]: choice })).toThrow(message)
  })

  it('gives a number for a number that was written as text', () => {
    expect(parseGaps({ banStatus: '403', banAfter: '3' })).toMatchObject({
      banStatus: 403,
      banAfter: 3,
    })
  })

  it.each(['listorder', '__proto__', 'toString', ''])(
    'refuses the unknown gap %j, listing all',
    (name) => {
      const settings = JSON.parse(`{${JSON.stringify(name)}:"x"}`)
      expect(() => parseGaps(settings)).toThrow(InputError)
      expect(() => parseGaps(settings)).toThrow(`there is none; use one of ${gapNames.join(', ')}`)
    },
  )

  it.each([null, [], 'emptyName=reject', 1, undefined])(
    'refuses %j, showing an object that would do',
    (value) => {
      expect(() => parseGaps(value)).toThrow(/^Cannot set gaps: found .+; use an object such as/)
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

describe('formatChoice()', () => {
  it.each([
    { name: 'deprecatedSince', choice: Date.UTC(2025, 11, 5), written: '2025-12-05T00:00:00Z' },
    { name: 'banDuration', choice: 300_000, written: '5m' },
    { name: 'banAfter', choice: 10, written: 10 },
    { name: 'listOrder', choice: 'shuffled', written: 'shuffled' },
  ] as const)('writes $written for $name', ({ name, choice, written }) => {
    expect(formatChoice(name, choice)).toBe(written)
  })
})

describe('choicesText()', () => {
  it.each([
    { name: 'listOrder', text: 'id-ascending, id-descending, shuffled' },
    { name: 'banStatus', text: '429, 403' },
    { name: 'deprecatedSince', text: '2025-12-05T00:00:00Z, any instant' },
    { name: 'banDuration', text: '5m, any duration' },
    { name: 'banAfter', text: '10, any number, never' },
  ] as const)('says of $name: $text', ({ name, text }) => {
    expect(choicesText(gaps[name])).toBe(text)
  })
})
