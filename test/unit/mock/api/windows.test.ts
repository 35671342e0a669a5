import { describe, expect, it } from 'vitest'
import { windowsMs } from '../../../../src/mock/api/plans.ts'

describe('windowsMs', () => {
  it('is a minute and a day', () => {
    expect(windowsMs).toEqual({ minute: 60_000, day: 86_400_000 })
  })
})
