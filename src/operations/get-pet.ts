import { endpoints } from '../contract/endpoints.ts'
import { ApiError } from '../contract/error.ts'
import type { GapChoices } from '../contract/gaps.ts'
import { type Int64, parseInt64 } from '../contract/int64.ts'
import { show } from '../input/input-error.ts'
import type { Operation } from './operation.ts'
import { readQuery } from './read-query.ts'

/** Gets one pet; deprecated (spec 4.3). */
export const getPet: Operation = {
  ...endpoints.getPet,
  run({ params, query, state: { pets, gaps } }) {
    readQuery(query, endpoints.getPet, gaps)
    const id = parsePetId(params.petId ?? '', gaps)
    const body = pets.jsonOf(id)
    if (body === undefined) {
      throw new ApiError('not_found', `Cannot find pet ${id}: no pet has this id`)
    }
    return { status: 200, body }
  },
}

function parsePetId(text: string, gaps: GapChoices): Int64 {
  const id = parseInt64(decode(text))
  if (id !== undefined) return id
  throw new ApiError(
    gaps.invalidPetId === 'bad-request' ? 'invalid_request' : 'not_found',
    `Cannot find pet ${show(text)}: an id is an integer from -9223372036854775808 to 9223372036854775807`,
    { gap: 'invalidPetId' },
  )
}

/** Decodes a part of the path; one with broken escapes stays as it is. */
function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
