import { object, optional } from '../input/object.ts'
import { namesOf } from '../input/record.ts'
import { type Given, named, type Schema } from '../input/schema.ts'
import { nullable, oneOf, string } from '../input/values.ts'
import type { GapChoices } from './gaps.ts'
import { type Int64, int64 } from './int64.ts'

/** The states of a pet (spec 2, 3). */
export const petStatuses = ['available', 'pending', 'sold'] as const

export type PetStatus = (typeof petStatuses)[number]

/** What a client sends to create a pet (spec 2). */
export interface NewPet {
  readonly name: string
  readonly categoryId: Int64
  readonly status?: PetStatus | undefined
}

/** A pet as the service returns it (spec 2). */
export interface Pet extends NewPet {
  readonly id: Int64
}

/** The status of a pet. */
export const petStatus: Schema<PetStatus> = named('PetStatus', oneOf(petStatuses))

const petFields = { name: string, categoryId: int64, status: optional(petStatus) } as const

/** The names of what a client sends. */
export const newPetNames: readonly string[] = namesOf(petFields)

/** A pet of a seed or a snapshot. */
export const petSchema = object(
  { id: int64, ...petFields },
  { title: 'pet', example: '{ "id": 1, "name": "Rex", "categoryId": 1 }' },
)

/** A pet to add behind the API's back; its id is the next one of the sequence unless given. */
export const petSettings = object(
  { id: optional(int64), ...petFields },
  { title: 'pet', example: '{ "name": "Rex", "categoryId": 1 }' },
)

export type PetSettings = Given<typeof petSettings>

/** Changes of a pet; what is left out stays, and a status of null is removed. */
export const petChange = object(
  { name: optional(string), categoryId: optional(int64), status: optional(nullable(petStatus)) },
  { title: 'pet', example: '{ "status": "sold" }' },
)

export type PetChange = Given<typeof petChange>

/** A pet whose status may be `undefined`. */
type WrittenPet = Omit<Pet, 'status'> & { readonly status?: PetStatus | undefined }

/** The status that the gap petStatuses adds, in place of `pending` for every pet with an odd id (spec 9). */
const oneMoreStatus = 'reserved'

/** Whether a pet has the status that isn't listed, where the gap adds it. */
export function isReserved({ id, status }: WrittenPet): boolean {
  return status === 'pending' && Number(BigInt.asUintN(1, BigInt(id))) === 1
}

/** Writes a pet as {@link petJson} does, with a status that isn't listed where the gap adds it (spec 9). */
export function petJsonWith(pet: WrittenPet, statuses: GapChoices['petStatuses']): string {
  if (statuses === 'listed' || !isReserved(pet)) return petJson(pet)
  const json = petJson({ ...pet, status: undefined })
  return `${json.slice(0, -1)},"status":"${oneMoreStatus}"}`
}

/** Writes a pet as JSON: fields in the interface's order, integers digit for digit (spec 2). */
export function petJson({ id, name, categoryId, status }: WrittenPet): string {
  const isPlain = typeof id === 'number' && typeof categoryId === 'number'
  if (isPlain) return JSON.stringify({ id, name, categoryId, status })
  const ending = status === undefined ? '' : `,"status":"${status}"`
  return `{"id":${id},"name":${JSON.stringify(name)},"categoryId":${categoryId}${ending}}`
}
