import { InputError, isRecord, show } from '../input/input-error.ts'
import type { GapChoices } from './gaps.ts'
import { type Int64, parseInt64, toInt64 } from './int64.ts'

/** The states of a pet (spec 2, 3). */
export const petStatuses = ['available', 'pending', 'sold'] as const

export type PetStatus = (typeof petStatuses)[number]

/** What a client sends to create a pet (spec 2). */
export interface NewPet {
  readonly name: string
  readonly categoryId: Int64
  readonly status?: PetStatus
}

/** A pet as the service returns it (spec 2). */
export interface Pet extends NewPet {
  readonly id: Int64
}

/** An int64 as JSON Schema (spec 2). */
export const int64Schema = { type: 'integer', format: 'int64' } as const

/** The fields of NewPet as JSON Schema (spec 2). */
export const newPetProperties = {
  name: { type: 'string', description: "The animal's name." },
  categoryId: { ...int64Schema, description: 'Identifier of the category the animal belongs to.' },
  status: { $ref: '#/components/schemas/PetStatus' },
} as const

/** The field that Pet has beyond NewPet, as JSON Schema (spec 2). */
export const petIdSchema = {
  ...int64Schema,
  description: 'Unique identifier assigned by the service on creation.',
} as const

/** Where data of a pet may differ from what the API takes. */
type PetGaps = Partial<Pick<GapChoices, 'emptyName' | 'nullStatus' | 'unknownProperties'>>

/**
 * Reads a NewPet (spec 2), as the gaps say.
 *
 * @throws {@link InputError} naming the field, what was found and what would do.
 */
export function parseNewPet(value: unknown, gaps: PetGaps): NewPet {
  if (!isRecord(value)) {
    throw new InputError(
      `Cannot read the pet: found ${show(value)}; send a JSON object with name and categoryId`,
    )
  }
  const field = (name: string): unknown => (Object.hasOwn(value, name) ? value[name] : undefined)
  if (gaps.unknownProperties === 'reject') refuseUnknownFields(value, Object.keys(newPetProperties))
  const name = parseName(field('name'), gaps)
  const categoryId = parseCategoryId(field('categoryId'))
  const status = parseStatus(field('status'), gaps)
  return status === undefined ? { name, categoryId } : { name, categoryId, status }
}

function refuseUnknownFields(
  value: Readonly<Record<string, unknown>>,
  known: readonly string[],
): void {
  const unknown = Object.keys(value).find((name) => !known.includes(name))
  if (unknown === undefined) return
  throw new InputError(
    `Cannot use property ${show(unknown)}: a pet has only ${known.join(', ')}`,
    [],
    'unknownProperties',
  )
}

function parseName(name: unknown, gaps: PetGaps): string {
  if (name === undefined) throw new InputError('Cannot use name: it is missing; send a string')
  if (typeof name !== 'string') {
    throw new InputError(`Cannot use name: found ${show(name)}; send a string`)
  }
  if (name === '' && gaps.emptyName === 'reject') {
    throw new InputError(
      'Cannot use name: it is empty; send at least one character',
      [],
      'emptyName',
    )
  }
  return name
}

function parseCategoryId(categoryId: unknown): Int64 {
  if (categoryId === undefined) {
    throw new InputError('Cannot use categoryId: it is missing; send an integer (int64)')
  }
  const id = toInt64(categoryId)
  if (id !== undefined) return id
  throw new InputError(
    `Cannot use categoryId: found ${showNumber(categoryId)}; send an integer from -9223372036854775808 to 9223372036854775807`,
  )
}

/** Shows what a number can't hold in words: a fraction next to an integer, or more than there is a number for. */
function showNumber(value: unknown): string {
  if (Number.isNaN(value)) return 'a fraction'
  return typeof value === 'number' && !Number.isFinite(value) ? 'a number too large' : show(value)
}

function parseStatus(status: unknown, gaps: PetGaps): PetStatus | undefined {
  if (status === undefined || (status === null && gaps.nullStatus === 'omit')) return undefined
  const found = petStatuses.find((one) => one === status)
  if (found !== undefined) return found
  throw new InputError(
    `Cannot use status: found ${show(status)}; send one of ${petStatuses.join(', ')}`,
  )
}

/**
 * Reads a Pet from a seed or a control: a NewPet with an id; ids may be decimal strings there,
 * since JSON that went through other tools can't hold them as numbers.
 *
 * @throws {@link InputError} naming the field, what was found and what would do.
 */
export function parsePet(value: unknown): Pet {
  if (!isRecord(value)) {
    throw new InputError(
      `Cannot read the pet: found ${show(value)}; use an object with id, name and categoryId`,
    )
  }
  refuseUnknownFields(value, ['id', ...Object.keys(newPetProperties)])
  const id = typeof value.id === 'string' ? parseInt64(value.id) : toInt64(value.id)
  if (id === undefined) {
    const found = value.id === undefined ? 'it is missing' : `found ${show(value.id)}`
    throw new InputError(`Cannot use id: ${found}; use an integer (int64)`)
  }
  const { id: _, ...rest } = value
  const categoryId = typeof rest.categoryId === 'string' ? parseInt64(rest.categoryId) : undefined
  return { id, ...parseNewPet(categoryId === undefined ? rest : { ...rest, categoryId }, {}) }
}

/** A pet whose status may be there and say nothing. */
type WrittenPet = Omit<Pet, 'status'> & { readonly status?: PetStatus | undefined }

/** Writes a pet as JSON, its fields in the spec's order, integers digit for digit (spec 2). */
export function petJson({ id, name, categoryId, status }: WrittenPet): string {
  const isPlain = typeof id === 'number' && typeof categoryId === 'number'
  if (isPlain) return JSON.stringify({ id, name, categoryId, status })
  const ending = status === undefined ? '' : `,"status":"${status}"`
  return `{"id":${id},"name":${JSON.stringify(name)},"categoryId":${categoryId}${ending}}`
}
