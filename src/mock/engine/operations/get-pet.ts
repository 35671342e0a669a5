import { endpoints, sunsetOf } from '../../api/endpoints.ts'
import { ApiError } from '../../api/error.ts'
import type { GapValues } from '../../api/gaps.ts'
import { type Int64, int64, isShortestForm, parseInt64 } from '../../api/int64.ts'
import { petJson } from '../../api/pet.ts'
import { show } from '../../input/input-error.ts'
import { type Operation, readQuery } from './operation.ts'

const endpoint = endpoints.getPet

/** Gets one pet; deprecated (spec 4.3). */
export const getPet: Operation<'getPet'> = {
  ...endpoint,
  absence(gaps, now) {
    const sunsetAt = sunsetOf(endpoint.deprecated, gaps.sunsetTime)
    if (now < sunsetAt || gaps.afterSunset === 'keep') return undefined
    return { kind: gaps.afterSunset === 'gone' ? 'gone' : 'hidden', gap: 'afterSunset' }
  },
  run({ params, query, state: { pets, gaps } }) {
    readQuery(query, endpoint, gaps)
    const id = readPetId(params, gaps)
    const pet = pets.get(id)
    if (pet === undefined) {
      throw new ApiError('not_found', `Cannot find pet ${id}: no such pet`)
    }
    return { status: 200, body: petJson(pet, gaps.undocumentedStatus) }
  },
}

/**
 * Reads the `petId` of a path (spec 4.3).
 *
 * @throws {@link ApiError} `not_found` or `invalid_request`, depending on the gap `invalidPetId`.
 */
function readPetId({ petId = '' }: Readonly<Record<string, string>>, gaps: GapValues): Int64 {
  const text = decode(petId)
  const id = parseInt64(text)
  const isOtherForm = id !== undefined && !isShortestForm(text)
  if (id !== undefined && !(isOtherForm && gaps.nonCanonicalIntegers === 'reject')) return id
  throw new ApiError(
    gaps.invalidPetId === 'bad-request' ? 'invalid_request' : 'not_found',
    `Cannot find pet ${show(petId)}: an id is ${isOtherForm ? 'written in digits without leading zeros' : int64.expected}`,
    { gap: isOtherForm ? 'nonCanonicalIntegers' : 'invalidPetId' },
  )
}

/** Decodes a path segment; returns one with a broken escape unchanged. */
function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
