import { endpoints, pageLimit, type QueryName } from '../../api/endpoints.ts'
import { unusable } from '../../api/error.ts'
import type { GapValues } from '../../api/gaps.ts'
import { isShortestForm } from '../../api/int64.ts'
import { type PetStatus, petStatuses } from '../../api/pet.ts'
import type { PetFilter } from '../../state/pets.ts'
import { type Context, type Operation, readQuery } from './operation.ts'

const endpoint = endpoints.listPets

/** Lists a page of pets, optionally of one status (spec 4.1). */
export const listPets: Operation<'listPets'> = {
  ...endpoint,
  run(context) {
    const { pets, gaps, clock } = context.state
    const { listOrder: order, undocumentedStatus: statuses } = gaps
    const { json, count, total } = pets.list({ ...readPage(context), order, statuses }, clock)
    return { status: 200, body: json, count, total }
  },
  check: readPage,
}

/** Parsed query parameters, by name. */
export type Page = Pick<PetFilter, QueryName<'listPets'>>

/** @throws {@link ApiError} `invalid_request` naming the parameter. */
export function readPage({ query, state: { gaps } }: Context): Page {
  const values = readQuery(query, endpoint, gaps)
  return {
    limit: parseLimit(values.get('limit'), gaps),
    status: parseStatus(values.get('status'), gaps),
  }
}

function parseLimit(text: string | undefined, gaps: GapValues): number {
  const { minimum, maximum, default: standard } = pageLimit
  if (text === undefined) return standard
  const isInteger = /^-?\d+$/.test(text)
  const isOtherForm = isInteger && !isShortestForm(text) && gaps.nonCanonicalIntegers === 'reject'
  const limit = isInteger && !isOtherForm ? Number(text) : Number.NaN
  if (limit >= minimum && limit <= maximum) return limit
  if (gaps.invalidQuery === 'reject') {
    const numbers = `a whole number from ${minimum} to ${maximum}`
    throw isOtherForm
      ? unusable('limit', text, `${numbers} without leading zeros`, 'nonCanonicalIntegers')
      : unusable('limit', text, numbers, 'invalidQuery')
  }
  return Number.isNaN(limit) ? standard : Math.min(Math.max(limit, minimum), maximum)
}

function parseStatus(text: string | undefined, gaps: GapValues): PetStatus | undefined {
  if (text === undefined) return undefined
  const found = petStatuses.find((status) => status === text)
  if (found === undefined && gaps.invalidQuery === 'reject') {
    throw unusable('status', text, `one of ${petStatuses.join(', ')}`, 'invalidQuery')
  }
  return found
}
