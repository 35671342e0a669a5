import { describe, expect, it } from 'vitest'
import { type Gap, gaps } from '../../src/contract/gaps.ts'
import { cells } from '../../src/coverage/cells.ts'
import { tiers } from '../../src/coverage/coverage-report.ts'
import { faultKinds } from '../../src/faults/fault-rules.ts'
import { namesOf } from '../../src/input/record.ts'

describe('cells', () => {
  it.each(namesOf(tiers))('has no cell of %s twice', (tier) => {
    const names = cells[tier].map(({ cell }) => cell)
    expect(new Set(names).size).toBe(names.length)
  })

  it('has no cell in two tiers', () => {
    const names = namesOf(tiers).flatMap((tier) => cells[tier].map(({ cell }) => cell))
    expect(new Set(names).size).toBe(names.length)
  })

  it('has the outcomes that the interface shows (spec 4, 7)', () => {
    expect(cells.outcomes.map(({ cell }) => cell).sort()).toEqual([
      'createPet 201',
      'createPet 400',
      'createPet 401',
      'createPet 429',
      'getPet 200',
      'getPet 401',
      'getPet 404',
      'getPet 429',
      'listPets 200',
      'listPets 401',
      'listPets 429',
    ])
  })

  it('has the values that requests may choose (spec 2, 4)', () => {
    expect(cells.values.map(({ cell }) => cell)).toEqual([
      'listPets limit absent',
      'listPets limit=1',
      'listPets limit=100',
      'listPets limit in between',
      'listPets status absent',
      'listPets status=available',
      'listPets status=pending',
      'listPets status=sold',
      'createPet status absent',
      'createPet status=available',
      'createPet status=pending',
      'createPet status=sold',
      'listPets empty',
      'listPets cut',
      'id above 2^53',
    ])
  })

  it('has each kind of fault', () => {
    const names = cells.situations.map(({ cell }) => cell)
    for (const fault of namesOf(faultKinds)) expect(names).toContain(`fault ${fault}`)
  })

  it('has each choice of each gap, and another where any will do', () => {
    const counts = Object.values<Gap>(gaps).map((gap) => {
      if (gap.kind === 'choice') return gap.choices.length
      return gap.kind === 'count' ? 3 : 2
    })
    expect(cells.gaps).toHaveLength(counts.reduce((sum, count) => sum + count, 0))
  })
})
