import { Collection } from '@msw/data'
import { type Pet, petSchema } from '../contract/pet.ts'

/** The schema that `@msw/data` asks for. */
const recordSchema: RecordSchema = {
  '~standard': {
    version: 1,
    vendor: 'petstore-sandbox',
    validate: (value) => ({ value: petSchema.read(value) }),
  },
}

/** A Standard Schema of a pet. */
interface RecordSchema {
  readonly '~standard': {
    readonly version: 1
    readonly vendor: string
    readonly validate: (value: unknown) => { readonly value: Pet }
    readonly types?: { readonly input: Pet; readonly output: Pet }
  }
}

/** The pets as `@msw/data` keeps them. */
export type PetCollection = Collection<RecordSchema>

/** Makes a collection of pets. */
export async function collectionOf(pets: readonly Pet[]): Promise<PetCollection> {
  const collection = new Collection({ schema: recordSchema })
  for (const pet of pets) await collection.create(pet)
  return collection
}
