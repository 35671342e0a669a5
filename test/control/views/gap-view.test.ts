import { describe, expect, it } from 'vitest'
import { parseGaps, viewGaps } from '../../../src/contract/gap-settings.ts'
import { defaultGaps, formatChoice, gapNames } from '../../../src/contract/gaps.ts'
import { gapView } from '../../../src/control/gaps.ts'
import { readInput } from '../../../src/input/schema.ts'

describe('gapView', () => {
  it('shows every choice as callers write it, and reads it back', () => {
    const view = viewGaps(parseGaps({ banDuration: 5_400_000, banAfter: 'never' }))
    expect(view).toEqual({
      ...Object.fromEntries(gapNames.map((name) => [name, formatChoice(name, defaultGaps[name])])),
      banDuration: '1h30m',
      banAfter: 'never',
    })
    expect(gapView.read(view)).toEqual(view)
  })

  it('has every gap', () => {
    const { listOrder: _, ...others } = viewGaps(defaultGaps)
    expect(() => readInput(gapView, others, 'gaps')).toThrow(
      'Cannot set gaps.listOrder: it is missing; use one of id-ascending, id-descending, shuffled',
    )
  })
})
