import { describe, expect, it } from 'vitest'
import {
  defaultChoice,
  gapSettingsOf,
  listedChoices,
  otherChoice,
} from '../../src/console/model/situations/gap-texts.ts'
import { gapNames } from '../../src/contract/gaps.ts'

describe('otherChoice()', () => {
  it.each(gapNames)('gives a choice at %s that can be made and is not the default', (name) => {
    const choice = otherChoice(name, defaultChoice(name))
    expect(choice).not.toBe(defaultChoice(name))
    expect(gapSettingsOf({ [name]: choice })).toHaveProperty(name)
  })
})

describe('gapSettingsOf()', () => {
  it('reads numbers where a gap has them', () => {
    expect(gapSettingsOf({ banStatus: '403' })).toEqual({ banStatus: 403 })
    expect(gapSettingsOf({ banAfter: '3' })).toEqual({ banAfter: 3 })
    expect(gapSettingsOf({ banAfter: 'never' })).toEqual({ banAfter: 'never' })
    expect(listedChoices('banStatus')).toEqual(['429', '403'])
  })

  it('says what would do', () => {
    expect(() => gapSettingsOf({ banDuration: 'long' })).toThrow(
      /^Cannot set gaps\.banDuration: found "long"; use /,
    )
  })
})
