import { describe, expect, it } from 'vitest'
import { coverageItems } from '../../../../src/checks/coverage/cells.ts'
import { categories } from '../../../../src/checks/coverage/coverage-report.ts'
import { endpoints } from '../../../../src/mock/api/endpoints.ts'
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

  it('has the values that requests may choose (spec 2, 4)', () => {
    const names = coverageItems.values.map(({ name }) => name)
    expect(names).toEqual(
      expect.arrayContaining([
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
      ]),
    )
  })

  it.each(endpoints.listPets.query)('has the query parameter %s, absent and present', (name) => {
    const names = coverageItems.values.map((item) => item.name)
    expect(names).toContain(`listPets ${name} absent`)
    expect(names.some((one) => one.startsWith(`listPets ${name}=`))).toBe(true)
  })
})
