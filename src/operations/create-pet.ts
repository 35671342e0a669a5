import { endpoints } from '../contract/endpoints.ts'
import { ApiError, invalidRequest } from '../contract/error.ts'
import type { GapChoices } from '../contract/gaps.ts'
import { membersOf } from '../contract/json/json-members.ts'
import type { NewPet } from '../contract/pet.ts'
import { FullError, InputError } from '../input/input-error.ts'
import { isRecord } from '../input/record.ts'
import { show } from '../input/show.ts'
import type { Context, Operation } from './operation.ts'
import { parseNewPet } from './parse-new-pet.ts'
import { readJsonBody } from './read-json-body.ts'
import { readQuery } from './read-query.ts'

const endpoint = endpoints.createPet

/** Adds a pet; the service chooses its id (spec 4.2). */
export const createPet: Operation<'createPet'> = {
  ...endpoint,
  run(context) {
    const { pets, gaps } = context.state
    const pet = readPet(context)
    const { idSequence, petStatuses } = gaps
    try {
      const { id, json } = pets.create(withStatus(pet, gaps), idSequence, petStatuses)
      return { status: 201, body: json, petId: id }
    } catch (thrown) {
      throw refusalOf(thrown)
    }
  },
  check: readPet,
}

function readPet({ request, query, state: { pets, gaps } }: Context): NewPet {
  readQuery(query, endpoint, gaps)
  const body = readJsonBody(request, gaps, 'a JSON object with name and categoryId')
  if (gaps.duplicateProperties === 'reject') refuseDuplicates(body, request.body)
  const pet = parseNewPet(body, gaps)
  if (gaps.integerForms === 'reject') refuseOtherForms(request.body)
  if (!pets.hasCategory(pet.categoryId) && gaps.unknownCategory === 'reject') {
    throw invalidRequest(
      `Cannot use categoryId: found ${show(pet.categoryId)}; send the category of a pet in the seed`,
      'unknownCategory',
    )
  }
  return pet
}

/** @throws {@link ApiError} naming the first property that an object has twice. */
function refuseDuplicates(parsed: unknown, body: string): void {
  if (!isRecord(parsed)) return
  const seen = new Set<string>()
  for (const { name } of membersOf(body)) {
    if (seen.has(name)) {
      throw invalidRequest(
        `Cannot use property ${show(name)}: it is given more than once; send it once`,
        'duplicateProperties',
      )
    }
    seen.add(name)
  }
}

/** @throws {@link ApiError} for a categoryId that is an integer and not written as one. */
function refuseOtherForms(body: string): void {
  const written = membersOf(body).findLast(({ name }) => name === 'categoryId')?.literal ?? ''
  if (/^-?\d+$/.test(written)) return
  throw invalidRequest(
    `Cannot use categoryId: found ${show(written)}; send an integer without a fraction or an exponent`,
    'integerForms',
  )
}

/** Gives the refusal of a pet that a limit doesn't allow. */
function refusalOf(thrown: unknown): unknown {
  if (thrown instanceof FullError) {
    return new ApiError('internal_error', thrown.message, { status: 503 })
  }
  return thrown instanceof InputError ? invalidRequest(thrown.message) : thrown
}

function withStatus(pet: NewPet, gaps: GapChoices): NewPet {
  if (pet.status !== undefined) return pet
  const { omittedStatus } = gaps
  if (omittedStatus === 'absent') return pet
  const { name, categoryId } = pet
  return { name, categoryId, status: omittedStatus }
}
