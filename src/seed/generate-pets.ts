import type { Faker } from '@faker-js/faker'
import { faker as english } from '@faker-js/faker/locale/en'
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
  const faker = newFaker()
  faker.seed(parseWhole(seed, 0, 2 ** 32 - 1, 'the random seed'))
  return Array.from({ length: many }, (_, index) => ({
    id: index + 1,
    name: faker.animal.petName(),
    categoryId: faker.number.int({ min: 1, max: categories }),
    status: faker.helpers.arrayElement(petStatuses),
  }))
}

/**
 * Makes a faker that shares nothing with the user's. Its class is that of the English one, since the package's main
 * module brings all languages, which takes seven times as long to load (decisions/011-faker-in-english.md).
 */
function newFaker(): Faker {
  const { constructor: FakerClass, rawDefinitions: locale } = english
  return new (FakerClass as typeof Faker)({ locale })
}
