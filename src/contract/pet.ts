import { object, optional } from '../input/object.ts'
import { isRecord, namesOf } from '../input/record.ts'
import { type Given, named, type Schema } from '../input/schema.ts'
import { show } from '../input/show.ts'
import { nullable, oneOf, string } from '../input/values.ts'
import { invalidRequest } from './error.ts'
import type { GapChoices } from './gaps.ts'
import { type Int64, int64, toInt64 } from './int64.ts'

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

/** The gaps about the data of a new pet. */
type PetGaps = Pick<GapChoices, 'emptyName' | 'nullStatus' | 'unknownProperties'>

/**
 * Reads a NewPet, by the choices at its gaps; by hand, since every POST waits for it (spec 2).
 *
 * @throws {@link ApiError} naming the field, what was found and what to send.
 */
export function parseNewPet(value: unknown, gaps: PetGaps): NewPet {
  if (!isRecord(value)) {
    throw invalidRequest(
      `Cannot read the pet: found ${show(value)}; send a JSON object with name and categoryId`,
    )
  }
  const field = (name: string): unknown => (Object.hasOwn(value, name) ? value[name] : undefined)
  if (gaps.unknownProperties === 'reject') refuseUnknown(value)
  const name = parseName(field('name'), gaps)
  const categoryId = parseCategoryId(field('categoryId'))
  const status = parseStatus(field('status'), gaps)
  return status === undefined ? { name, categoryId } : { name, categoryId, status }
}

function refuseUnknown(value: object): void {
  const unknown = Object.keys(value).find((name) => !newPetNames.includes(name))
  if (unknown === undefined) return
  throw invalidRequest(
    `Cannot use property ${show(unknown)}: it is unknown; use ${newPetNames.join(', ')}`,
    'unknownProperties',
  )
}

function parseName(name: unknown, gaps: PetGaps): string {
  if (name === undefined) throw invalidRequest('Cannot use name: it is missing; send a string')
  if (typeof name !== 'string') {
    throw invalidRequest(`Cannot use name: found ${show(name)}; send a string`)
  }
  if (name === '' && gaps.emptyName === 'reject') {
    throw invalidRequest('Cannot use name: it is empty; send at least one character', 'emptyName')
  }
  return name
}

function parseCategoryId(categoryId: unknown): Int64 {
  if (categoryId === undefined) {
    throw invalidRequest('Cannot use categoryId: it is missing; send an integer (int64)')
  }
  const id = toInt64(categoryId)
  if (id !== undefined) return id
  throw invalidRequest(`Cannot use categoryId: found ${showNumber(categoryId)}; send ${int64.use}`)
}

/** Shows a number in words if it can't be shown exactly: a fraction too close to an integer, or a number too large. */
function showNumber(value: unknown): string {
  if (Number.isNaN(value)) return 'a fraction'
  return typeof value === 'number' && !Number.isFinite(value) ? 'a number too large' : show(value)
}

function parseStatus(status: unknown, gaps: PetGaps): PetStatus | undefined {
  if (status === undefined || (status === null && gaps.nullStatus === 'omit')) return undefined
  const found = petStatuses.find((one) => one === status)
  if (found !== undefined) return found
  throw invalidRequest(
    `Cannot use status: found ${show(status)}; send one of ${petStatuses.join(', ')}`,
    status === null ? 'nullStatus' : undefined,
  )
}

/** The status of a pet. */
export const petStatus: Schema<PetStatus> = named('PetStatus', oneOf(petStatuses))

const petFields = { name: string, categoryId: int64, status: optional(petStatus) } as const

const newPetNames: readonly string[] = namesOf(petFields)

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
