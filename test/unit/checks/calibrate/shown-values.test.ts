import { describe, expect, it } from 'vitest'
import { calibrate } from '../../../../src/checks/calibrate/calibrate.ts'
import { shownValues } from '../../../../src/checks/calibrate/evidence.ts'
import type { GapName } from '../../../../src/mock/api/gaps.ts'

describe('shownValues()', () => {
  const { gaps } = calibrate([])

  it.each<{ name: GapName; values: readonly string[]; text: string }>([
    { name: 'banDuration', values: gaps.banDuration.values, text: 'any duration' },
    { name: 'banAfter', values: gaps.banAfter.values, text: 'any number, never' },
    { name: 'deprecatedSince', values: gaps.deprecatedSince.values, text: 'any instant' },
    { name: 'newPetListed', values: gaps.newPetListed.values, text: 'at-once, any duration' },
    { name: 'banAfter', values: ['7..1000000000'], text: 'at least 7' },
    { name: 'maxNameLength', values: ['0..9'], text: 'at most 9' },
    { name: 'banDuration', values: ['4m57s..5m3s'], text: '4m57s to 5m3s' },
    { name: 'banAfter', values: ['3'], text: '3' },
    { name: 'banStatus', values: ['429', '403'], text: '429, 403' },
  ])('writes $values of $name as "$text" (K18)', ({ name, values, text }) => {
    expect(shownValues(name, values)).toBe(text)
  })
})
