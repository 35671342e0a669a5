import { describe, expect, it } from 'vitest'
import { parsePerWindow, plans, windowsMs } from '../../src/contract/plans.ts'

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

describe('windowsMs', () => {
  it('is a minute and a day', () => {
    expect(windowsMs).toEqual({ minute: 60_000, day: 86_400_000 })
  })
})

describe('parsePerWindow()', () => {
  it.each([{}, { minute: 1 }, { day: 5 }, { minute: 1, day: 1_000_000_000 }])(
    'reads %j',
    (value) => {
      expect(parsePerWindow(value, 1, 'the limits')).toEqual(value)
    },
  )

  it.each([
    { value: 60, message: 'Cannot set the limits: found 60; use an object such as' },
    { value: { hour: 1 }, message: 'Cannot set the limits: found "hour"; use one of minute, day' },
    {
      value: { minute: 0 },
      message: 'Cannot set the limits.minute: found 0; use a whole number from 1',
    },
    {
      value: { day: '5' },
      message: 'Cannot set the limits.day: found "5"; use a whole number from 1',
    },
    { value: { minute: 1_000_000_001 }, message: 'use a whole number from 1 to 1000000000' },
  ])('refuses $value: $message', ({ value, message }) => {
    expect(() => parsePerWindow(value, 1, 'the limits')).toThrow(message)
  })
})
