import type { Pet } from '../../contract/pet.ts'

/** A condition on pets: values of fields, or predicates. */
type PetCondition =
  | { readonly [Field in keyof Pet]?: Pet[Field] | ((value: NonNullable<Pet[Field]>) => unknown) }
  | ((pet: Pet) => unknown)

/** A query of `@msw/data`, such as `(query) => query.where({ status: 'sold' })`. */
export interface PetQuery {
  where(condition: PetCondition): PetQuery
  and(...conditions: readonly (PetQuery | PetCondition)[]): PetQuery
  or(...conditions: readonly (PetQuery | PetCondition)[]): PetQuery
}
