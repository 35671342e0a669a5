import type { Faker } from '@faker-js/faker'
import { faker as english } from '@faker-js/faker/locale/en'
import { type Pet, petStatuses } from '../../mock/api/pet.ts'
import { type GivenOf, type NamedSchema, object, withDefault } from '../../mock/input/object.ts'
import { readInput } from '../../mock/input/schema.ts'
import { integer } from '../../mock/input/values.ts'

const properties = {
  /** Number of pets, from 0 to 1,000,000. */
  count: integer(0, 1_000_000),
  /** A 32-bit integer; the same seed generates the same pets. 1 by default. */
  seed: withDefault(integer(0, 2 ** 32 - 1), 1),
}

const options: NamedSchema<typeof properties, GenerateOptions> = object(properties, {
  example: '{ count: 100 }',
})

/** Number of pets to generate, and the seed. */
export interface GenerateOptions extends GivenOf<typeof properties> {}

const categoryCount = 12

/**
 * Generates pets with faker: realistic names, twelve categories, every status, ids from 1.
 *
 * @throws {@link InputError} for a count or seed out of range.
 */
export function generatePets(given: GenerateOptions): Pet[] {
  const { count, seed } = readInput(options, given)
  const faker = newFaker()
  faker.seed(seed)
  return Array.from({ length: count }, (_, index) => ({
    id: index + 1,
    name: faker.animal.petName(),
    categoryId: faker.number.int({ min: 1, max: categoryCount }),
    status: faker.helpers.arrayElement(petStatuses),
  }))
}

/**
 * Creates a faker that shares nothing with the user's. It takes its class from the English faker, since the package's
 * main module loads all languages, which takes seven times as long (decisions/018-libraries.md).
 */
function newFaker(): Faker {
  const { constructor: FakerClass, rawDefinitions: locale } = english
  return new (FakerClass as typeof Faker)({ locale })
}
