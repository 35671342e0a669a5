import { describe, expect, it } from 'vitest'
import {
  defaultGaps,
  formatValue,
  gapDescriptions,
  gapNames,
  gapSettings,
  gaps,
  parseGaps,
  valuesText,
} from '../../../../src/mock/api/gaps.ts'
import { fromTexts } from '../../../../src/mock/input/object.ts'

describe('gaps', () => {
  it.each(gapNames)('says of %s its clause and, in a sentence, what it is about', (name) => {
    expect(gaps[name].spec).toMatch(/^[1-9](\.\d)?$/)
    expect(gapDescriptions[name].summary).toMatch(/^[A-Z].+\.$/)
  })
})

describe('defaultGaps', () => {
  it.each(gapNames)('has a choice of %s that can be chosen', (name) => {
    const written = formatValue(name, defaultGaps[name])
    expect(gapSettings.parse({ [name]: written })[name]).toBe(defaultGaps[name])
  })

  it('cannot be changed by one sandbox for all', () => {
    expect(Object.isFrozen(defaultGaps)).toBe(true)
  })
})

describe('formatChoice()', () => {
  it.each([
    { name: 'deprecatedSince', choice: Date.UTC(2025, 11, 5), written: '2025-12-05T00:00:00Z' },
    { name: 'banDuration', choice: 300_000, written: '5m' },
    { name: 'banAfter', choice: 10, written: 10 },
    { name: 'listOrder', choice: 'shuffled', written: 'shuffled' },
    { name: 'dateHeaderSkew', choice: 90_000, written: '1m30s' },
    { name: 'dateHeaderSkew', choice: 'none', written: 'none' },
  ] as const)('writes $written for $name', ({ name, choice, written }) => {
    expect(formatValue(name, choice)).toBe(written)
  })
})

describe('choicesText()', () => {
  it.each([
    { name: 'listOrder', text: 'id-ascending, id-descending, shuffled' },
    { name: 'banStatus', text: '429, 403, 418' },
    { name: 'deprecatedSince', text: '2025-12-05T00:00:00Z, any instant' },
    { name: 'banDuration', text: '5m, any duration' },
    { name: 'dateHeaderSkew', text: 'none, any duration' },
    { name: 'banAfter', text: '10, any number, never' },
  ] as const)('says of $name: $text', ({ name, text }) => {
    expect(valuesText(gaps[name])).toBe(text)
  })
})

describe('parseGaps()', () => {
  it('takes a number that a command line or a variable writes as text', () => {
    const texts = { banStatus: '403', banAfter: '3', banDuration: '1h', listOrder: 'shuffled' }
    expect(parseGaps(fromTexts(gapSettings, texts))).toMatchObject({
      banStatus: 403,
      banAfter: 3,
      banDuration: 3_600_000,
      listOrder: 'shuffled',
    })
  })

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
