import { describe, expect, it } from 'vitest'
import { coverageItems } from '../../../../src/checks/coverage/cells.ts'
import { categories } from '../../../../src/checks/coverage/coverage-report.ts'
import { namesOf } from '../../../../src/mock/input/record.ts'

describe('cells', () => {
  it('has no cell twice, in two tiers neither', () => {
    const names = namesOf(categories).flatMap((tier) => coverageItems[tier].map(({ name }) => name))
    expect(new Set(names).size).toBe(names.length)
  })

  it('has the outcomes that the interface shows (spec 4, 7)', () => {
    expect(coverageItems.outcomes.map(({ name }) => name).sort()).toEqual([
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
})
