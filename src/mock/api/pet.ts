import { type GivenOf, type NamedSchema, object, optional } from '../input/object.ts'
import { namesOf } from '../input/record.ts'
import { type Input, named, type Schema } from '../input/schema.ts'
import { nullable, oneOf, string } from '../input/values.ts'
import type { GapValues } from './gaps.ts'
import { type Int64, int64 } from './int64.ts'
import { toJson } from './json.ts'

/** The statuses of a pet (spec 2, 3). */
export const petStatuses = ['available', 'pending', 'sold'] as const

/** A status of a pet (spec 2, 3). */
export type PetStatus = (typeof petStatuses)[number]

/** The data that a client sends to create a pet (spec 2). */
export interface NewPet {
  /** The animal's name. */
  readonly name: string
  /** The number of its category; a bigint beyond 2^53. */
  readonly categoryId: Int64
  /** Its status; absent if it has none. */
  readonly status?: PetStatus | undefined
}

/** A pet as the service returns it (spec 2). */
export interface Pet extends NewPet {
  /** Its id, which no other pet has; a bigint beyond 2^53. */
  readonly id: Int64
}

/** The status of a pet. */
export const petStatus: Schema<PetStatus> = named('PetStatus', oneOf(petStatuses))

const petFields = {
  /** The animal's name (spec 2). */
  name: string,
  /** The number of its category: an int64, also as a bigint or in decimal digits (spec 2). */
  categoryId: int64,
  /** Its status; by default absent (spec 2). */
  status: optional(petStatus),
} as const

/** The names of the properties that a client sends. */
export const newPetNames: readonly string[] = namesOf(petFields)

/** A pet of a seed or a snapshot. */
export const petSchema = object(
  { id: int64, ...petFields },
  { title: 'pet', example: '{ "id": 1, "name": "Rex", "categoryId": 1 }' },
)

const settingsFields = {
  /** Its id, which no other pet may have; by default the next one of the sequence. */
  id: optional(int64),
  ...petFields,
} as const

/** A pet to add directly, bypassing the API; by default with the next id of the sequence. */
export interface PetSettings extends GivenOf<typeof settingsFields> {}

/** A pet to add directly, bypassing the API. */
export const petSettings: NamedSchema<typeof settingsFields, PetSettings> = object(settingsFields, {
  title: 'pet',
  example: '{ "name": "Rex", "categoryId": 1 }',
})

/** Changes of a pet; omitted properties stay, and a status of null is removed. */
export const petChange = object(
  {
    /** The new name. */
    name: optional(string),
    /** The new category. */
    categoryId: optional(int64),
    /** The new status; `null` removes it. */
    status: optional(nullable(petStatus)),
  },
  { title: 'pet', example: '{ "status": "sold" }' },
)

/** Changes of a pet; omitted properties stay, and a status of null is removed. */
export interface PetChange extends Input<typeof petChange> {}

/** Returns whether the gap undocumentedStatus replaces a pet's `pending`: it does for odd ids (spec 9). */
export function isReserved({ id, status }: Pet): boolean {
  return status === 'pending' && BigInt(id) % 2n !== 0n
}

/** Serializes a pet as JSON, with properties in the order of the spec and integers digit for digit (spec 2). */
export function petJson(pet: Pet, statuses: GapValues['undocumentedStatus'] = 'absent'): string {
  const { id, name, categoryId } = pet
  const status = statuses !== 'absent' && isReserved(pet) ? 'reserved' : pet.status
  const isPlain = typeof id === 'number' && typeof categoryId === 'number'
  return (isPlain ? JSON.stringify : toJson)({ id, name, categoryId, status })
}
