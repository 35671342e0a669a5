import { createHash } from 'node:crypto'
import { faker } from '@faker-js/faker/locale/en'
import { describe, expect, it } from 'vitest'
import { InputError } from '../../../../src/mock/input/input-error.ts'
import { generatePets } from '../../../../src/sandbox/seed/generate-pets.ts'

describe('generatePets()', () => {
  it('makes the pets of a seed, today as before', () => {
    expect(generatePets({ count: 3, seed: 7 })).toEqual([
      { id: 1, name: 'Bandit', categoryId: 10, status: 'pending' },
      { id: 2, name: 'Milo', categoryId: 12, status: 'pending' },
      { id: 3, name: 'Joey', categoryId: 1, status: 'available' },
    ])
  })

  it.each([
    { seed: undefined, digest: 'f54131fb813cde6d' },
    { seed: 1, digest: 'f54131fb813cde6d' },
    { seed: 42, digest: 'd44d4da77a701036' },
    { seed: 2 ** 32 - 1, digest: 'bc4e5baa78e8a49b' },
  ])('makes the same thousand pets of seed $seed, today as before', ({ seed, digest }) => {
    const pets = generatePets({ count: 1_000, ...(seed === undefined ? {} : { seed }) })
    const hash = createHash('sha256').update(JSON.stringify(pets)).digest('hex')
    expect(hash.slice(0, 16)).toBe(digest)
  })

  it("takes nothing from the user's own faker", () => {
    faker.seed(5)
    const name = faker.animal.petName()
    faker.seed(5)
    generatePets({ count: 10 })
    expect(faker.animal.petName()).toBe(name)
  })

  it.each([{ count: -1 }, { count: 1.5 }, { count: 1_000_001 }, { count: 1, seed: -1 }])(
    'rejects %j',
    (options) => {
      expect(() => generatePets(options)).toThrow(InputError)
    },
  )
})
