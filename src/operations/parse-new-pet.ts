import { invalidRequest } from '../contract/error.ts'
import type { GapChoices } from '../contract/gaps.ts'
import { type Int64, int64, toInt64 } from '../contract/int64.ts'
import { type NewPet, newPetNames, type PetStatus, petStatuses } from '../contract/pet.ts'
import { isRecord } from '../input/record.ts'
import { show } from '../input/show.ts'

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
