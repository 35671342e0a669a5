import { describe, expectTypeOf, it } from 'vitest'
import { createSandbox } from '../../../src/index.ts'
import type { GapName, GapSettings, GapValues } from '../../../src/mock/api/gaps.ts'

describe('GapSettings', () => {
  it('offers the choices of each gap, and none of them need be set', () => {
    expectTypeOf<GapSettings['listOrder']>().toEqualTypeOf<
      'id-ascending' | 'id-descending' | 'shuffled' | undefined
    >()
    expectTypeOf<GapSettings['banStatus']>().toEqualTypeOf<429 | 403 | 418 | undefined>()
    expectTypeOf<GapSettings['banAfter']>().toEqualTypeOf<number | 'never' | undefined>()
    expectTypeOf<GapSettings['banDuration']>().toEqualTypeOf<string | number | undefined>()
    expectTypeOf<GapSettings['deprecatedSince']>().toEqualTypeOf<
      string | number | Date | undefined
    >()
    expectTypeOf<keyof GapSettings>().toEqualTypeOf<GapName>()
  })

  it('makes a wrong choice a compile error', () => {
    // @ts-expect-error -- not a choice of this gap
    createSandbox({ gaps: { listOrder: 'random' } })
    // @ts-expect-error -- a status that a ban cannot have
    createSandbox({ gaps: { banStatus: 404 } })
    // @ts-expect-error -- only never, or a number
    createSandbox({ gaps: { banAfter: 'always' } })
    // @ts-expect-error -- no duration
    createSandbox({ gaps: { banDuration: true } })
    // @ts-expect-error -- no instant
    createSandbox({ gaps: { deprecatedSince: null } })
  })

  it('makes an unknown gap a compile error', () => {
    // @ts-expect-error -- the gap is listOrder
    createSandbox({ gaps: { listorder: 'shuffled' } })
    // @ts-expect-error -- the gap is listOrder
    createSandbox().setGaps({ listorder: 'shuffled' })
  })
})

describe('GapChoices', () => {
  it('holds a choice for every gap, instants and durations as milliseconds', () => {
    expectTypeOf<GapValues['defaultStatus']>().toEqualTypeOf<
      'available' | 'none' | 'pending' | 'sold'
    >()
    expectTypeOf<GapValues['deprecatedSince']>().toEqualTypeOf<number>()
    expectTypeOf<GapValues['banDuration']>().toEqualTypeOf<number>()
    expectTypeOf<GapValues['banAfter']>().toEqualTypeOf<number | 'never'>()
  })

  it('cannot be written to', () => {
    const { gaps } = createSandbox()
    // @ts-expect-error -- setGaps() changes choices
    gaps.listOrder = 'shuffled'
  })
})
