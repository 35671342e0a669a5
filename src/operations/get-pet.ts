import { endpoints, sunsetOf } from '../contract/endpoints.ts'
import { ApiError } from '../contract/error.ts'
import type { Operation } from './operation.ts'
import { readPetId } from './read-pet-id.ts'
import { readQuery } from './read-query.ts'

const endpoint = endpoints.getPet

/** Gets one pet; deprecated (spec 4.3). */
export const getPet: Operation<'getPet'> = {
  ...endpoint,
  availability(gaps, now) {
    const { sunsetAt } = sunsetOf(endpoint.deprecated, gaps)
    if (now < sunsetAt || gaps.afterSunset === 'keep') return { kind: 'here' }
    return { kind: gaps.afterSunset === 'gone' ? 'gone' : 'hidden', gap: 'afterSunset' }
  },
  run({ params, query, state: { pets, gaps } }) {
    readQuery(query, endpoint, gaps)
    const id = readPetId(params, gaps)
    const body = pets.jsonOf(id, gaps.petStatuses)
    if (body === undefined) {
      throw new ApiError('not_found', `Cannot find pet ${id}: no pet has this id`)
    }
    return { status: 200, body }
  },
}
