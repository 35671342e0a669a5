import { describe, expect, it } from 'vitest'
import { limitSettings, plans } from '../../../../src/mock/api/plans.ts'

describe('plans', () => {
  it('has the limits that the spec shows', () => {
    expect(plans).toEqual({
      free: { minute: 60, day: 1_000 },
      pro: { minute: 300, day: 10_000 },
      business: { minute: 1_000, day: 100_000 },
      enterprise: 'custom',
    })
  })
})

describe('limitSettings', () => {
  it.each([{}, { minute: 1 }, { day: 5 }, { minute: 1, day: 1_000_000_000 }])(
    'reads %j',
    (value) => {
      expect(limitSettings.parse(value)).toEqual(value)
    },
  )
})
