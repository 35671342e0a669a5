import { en, Faker } from '@faker-js/faker'
import { type Pet, petStatuses } from '../contract/pet.ts'
import { parseWhole } from '../input/input-error.ts'

/** How many pets to make, and from which random sequence. */
export interface GenerateOptions {
  /** From 0 to 1,000,000. */
  readonly count: number
  /** A whole number; the same one gives the same pets. 1 by default. */
  readonly seed?: number
}

const categories = 12

/**
 * Makes pets with faker: names as people give them, twelve categories, every status; ids from 1 on.
 *
 * @throws {@link InputError} for a count or seed out of range.
 */
export function generatePets({ count, seed = 1 }: GenerateOptions): Pet[] {
  const many = parseWhole(count, 0, 1_000_000, 'the number of pets')
  const faker = new Faker({ locale: en })
  faker.seed(parseWhole(seed, 0, 2 ** 32 - 1, 'the random seed'))
  return Array.from({ length: many }, (_, index) => ({
    id: index + 1,
    name: faker.animal.petName(),
    categoryId: faker.number.int({ min: 1, max: categories }),
    status: faker.helpers.arrayElement(petStatuses),
  }))
}
