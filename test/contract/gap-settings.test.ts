import { describe, expect, it } from 'vitest'
import { gapSettings, parseGaps } from '../../src/contract/gap-settings.ts'
import { defaultGaps } from '../../src/contract/gaps.ts'
import { fromTexts } from '../../src/input/object.ts'

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
