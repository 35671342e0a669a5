import { describe, expect, it } from 'vitest'
import { limitSettings, plans, remainingSettings } from '../../src/contract/plans.ts'
import { readInput } from '../../src/input/schema.ts'

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
      expect(limitSettings.read(value)).toEqual(value)
    },
  )

  it.each([
    { value: 60, message: 'Cannot set limits: found 60; use an object such as' },
    { value: { hour: 1 }, message: 'Cannot set limits.hour: unknown property; use minute, day' },
    {
      value: { minute: 0 },
      message: 'Cannot set limits.minute: found 0; use a whole number from 1 to 1000000000',
    },
    {
      value: { day: '5' },
      message: 'Cannot set limits.day: found "5"; use a whole number from 1 to 1000000000',
    },
    { value: { minute: 1_000_000_001 }, message: 'use a whole number from 1 to 1000000000' },
  ])('refuses $value: $message', ({ value, message }) => {
    expect(() => readInput(limitSettings, value, 'limits')).toThrow(message)
  })
})

describe('remainingSettings', () => {
  it('takes 0, as limits do not', () => {
    expect(remainingSettings.read({ minute: 0 })).toEqual({ minute: 0 })
    expect(() => readInput(remainingSettings, { day: -1 }, 'remaining')).toThrow(
      'Cannot set remaining.day: found -1; use a whole number from 0 to 1000000000',
    )
  })
})
