import { endpoints } from '../../api/endpoints.ts'
import { ApiError, invalidRequest, unusable } from '../../api/error.ts'
import type { GapValues } from '../../api/gaps.ts'
import { maxBodyBytes } from '../../api/http.ts'
import { type Int64, int64, toInt64 } from '../../api/int64.ts'
import { membersOf, parseJson } from '../../api/json.ts'
import { type ApiRequest, utf8Length } from '../../api/message.ts'
import { type NewPet, newPetNames, type PetStatus, petJson, petStatuses } from '../../api/pet.ts'
import { FullError, show } from '../../input/input-error.ts'
import { isRecord } from '../../input/record.ts'
import { type Context, type Operation, readQuery } from './operation.ts'

const endpoint = endpoints.createPet

/** Adds a pet; the service chooses its id (spec 4.2). */
export const createPet: Operation<'createPet'> = {
  ...endpoint,
  run(context) {
    const { pets, gaps, clock } = context.state
    const pet = readPet(context)
    try {
      const added = pets.addOne(withStatus(pet, gaps), gaps.idSequence)
      if (gaps.newPetListed !== 'at-once') pets.listLater(added.id, clock.now() + gaps.newPetListed)
      return { status: 201, body: petJson(added, gaps.undocumentedStatus), petId: added.id }
    } catch (thrown) {
      throw rejectionOf(thrown)
    }
  },
  check: readPet,
}

/** Description of a valid body, for error messages. */
const expected = 'a JSON object with name and categoryId'

function readPet({ request, query, state: { pets, gaps } }: Context): NewPet {
  readQuery(query, endpoint, gaps)
  const body = readJsonBody(request, gaps)
  const pet = parseNewPet(body, gaps)
  if (gaps.nonCanonicalIntegers === 'reject') rejectOtherForms(request.body)
  if (!pets.hasCategory(pet.categoryId) && gaps.unknownCategory === 'reject') {
    throw unusable(
      'categoryId',
      pet.categoryId,
      'the category of a pet in the seed',
      'unknownCategory',
    )
  }
  return pet
}

/** @throws {@link ApiError} for an integer categoryId that isn't written as one, such as `1.0` or `1e3`. */
function rejectOtherForms(body: string): void {
  const written = membersOf(body).findLast(({ name }) => name === 'categoryId')?.literal ?? ''
  if (/^-?\d+$/.test(written)) return
  throw unusable(
    'categoryId',
    written,
    'an integer without a fraction or an exponent',
    'nonCanonicalIntegers',
  )
}

/** Converts the error for a reached limit to a 503; returns any other error unchanged. */
function rejectionOf(thrown: unknown): unknown {
  if (thrown instanceof FullError) {
    return new ApiError('internal_error', thrown.message, { status: 503 })
  }
  return thrown
}

function withStatus(pet: NewPet, gaps: GapValues): NewPet {
  if (pet.status !== undefined) return pet
  const { defaultStatus } = gaps
  if (defaultStatus === 'none') return pet
  const { name, categoryId } = pet
  return { name, categoryId, status: defaultStatus }
}

/**
 * Reads a NewPet according to the gap values (spec 2). It is written by hand, since every POST waits for it.
 *
 * @throws {@link ApiError} naming the field, what was found and what to send.
 */
function parseNewPet(value: unknown, gaps: GapValues): NewPet {
  if (!isRecord(value)) {
    throw invalidRequest(`Cannot read the pet: found ${show(value)}; send ${expected}`)
  }
  const field = (name: string): unknown => (Object.hasOwn(value, name) ? value[name] : undefined)
  if (gaps.unknownProperties === 'reject') rejectUnknown(value)
  const name = parseName(field('name'), gaps)
  const categoryId = parseCategoryId(field('categoryId'))
  const status = parseStatus(field('status'), gaps)
  return status === undefined ? { name, categoryId } : { name, categoryId, status }
}

function rejectUnknown(value: object): void {
  const unknown = Object.keys(value).find((name) => !newPetNames.includes(name))
  if (unknown === undefined) return
  throw invalidRequest(
    `Cannot use property ${show(unknown)}: it is unknown; use ${newPetNames.join(', ')}`,
    'unknownProperties',
  )
}

function parseName(name: unknown, gaps: GapValues): string {
  if (typeof name !== 'string') throw unusable('name', name, 'a string')
  if (name === '' && gaps.emptyName === 'reject') {
    throw invalidRequest('Cannot use name: it is empty; send at least one character', 'emptyName')
  }
  const { maxNameLength } = gaps
  if (maxNameLength !== 'never' && name.length > maxNameLength) {
    // Counts characters; a name never has fewer UTF-16 units than characters.
    const { length } = [...name]
    if (length > maxNameLength) {
      throw invalidRequest(
        `Cannot use name: found ${length} characters; send at most ${maxNameLength}`,
        'maxNameLength',
      )
    }
  }
  return name
}

function parseCategoryId(categoryId: unknown): Int64 {
  if (categoryId === undefined) throw unusable('categoryId', undefined, 'an integer (int64)')
  const id = toInt64(categoryId)
  if (id !== undefined) return id
  throw invalidRequest(
    `Cannot use categoryId: found ${showNumber(categoryId)}; send ${int64.expected}`,
  )
}

/** Shows a number in words if it can't be shown exactly: a fraction too close to an integer, or a number too large. */
function showNumber(value: unknown): string {
  if (Number.isNaN(value)) return 'a fraction'
  return typeof value === 'number' && !Number.isFinite(value) ? 'a number too large' : show(value)
}

function parseStatus(status: unknown, gaps: GapValues): PetStatus | undefined {
  if (status === undefined || (status === null && gaps.nullStatus === 'omit')) return undefined
  const found = petStatuses.find((one) => one === status)
  if (found !== undefined) return found
  const gap = status === null ? 'nullStatus' : undefined
  throw unusable('status', status, `one of ${petStatuses.join(', ')}`, gap)
}

const jsonType = /^application\/json[ \t]*(?:;|$)/i

/** A charset other than UTF-8, the only parameter that would change how to read the bytes (RFC 8259, 11). */
const otherCharset = /;[ \t]*charset[ \t]*=(?![ \t]*"?utf-8"?[ \t]*(?:;|$))/i

/**
 * Reads a request body: JSON in UTF-8, at most 1 MiB, with the right `Content-Type` (spec 1).
 *
 * @throws {@link ApiError} `payload_too_large`
 * @throws {@link ApiError} `invalid_request` for another type, and for text that isn't JSON.
 */
function readJsonBody({ headers, body, bodyBytes }: ApiRequest, gaps: GapValues): unknown {
  rejectLarge(body, bodyBytes)
  rejectOtherTypes(headers['content-type'], gaps)
  rejectEncoded(headers['content-encoding'])
  if (body === '') {
    throw invalidRequest(`Cannot read the body: it is empty; send ${expected}`)
  }
  if (!body.isWellFormed()) {
    throw invalidRequest('Cannot read the body: it is not valid UTF-8; send JSON in UTF-8')
  }
  try {
    return parseJson(body)
  } catch (error) {
    // Some browsers throw a RangeError for JSON that is nested deeper than the stack.
    if (!(error instanceof SyntaxError || error instanceof RangeError)) throw error
    throw invalidRequest(
      `Cannot read the body: found ${show(body)}, which is not valid JSON; send ${expected}`,
    )
  }
}

function rejectLarge(body: string, bodyBytes = 0): void {
  // A UTF-16 unit takes at most three bytes.
  const isShort = 3 * body.length <= maxBodyBytes
  if (Math.max(isShort ? 0 : utf8Length(body), bodyBytes) <= maxBodyBytes) return
  throw new ApiError(
    'payload_too_large',
    `Cannot read the body: it is larger than ${maxBodyBytes} bytes; send less`,
  )
}

function rejectEncoded(encoding: string | undefined): void {
  if (encoding === undefined || encoding.toLowerCase() === 'identity') return
  throw unusable('Content-Encoding', encoding, 'the body unencoded')
}

function rejectOtherTypes(contentType: string | undefined, gaps: GapValues): void {
  const isFine =
    contentType === undefined
      ? gaps.missingContentType === 'accept'
      : jsonType.test(contentType) && !otherCharset.test(contentType)
  if (isFine) return
  const gap = contentType === undefined ? 'missingContentType' : undefined
  throw unusable('Content-Type', contentType, 'application/json', gap)
}
