import { endpoints } from '../contract/endpoints.ts'
import { invalidRequest } from '../contract/error.ts'
import type { GapChoices } from '../contract/gaps.ts'
import { type NewPet, parseNewPet } from '../contract/pet.ts'
import { show } from '../input/show.ts'
import type { Operation } from './operation.ts'
import { readJsonBody } from './read-json-body.ts'
import { readQuery } from './read-query.ts'

const endpoint = endpoints.createPet

/** Adds a pet; the service chooses its id (spec 4.2). */
export const createPet: Operation<'createPet'> = {
  ...endpoint,
  run({ request, query, state: { pets, gaps } }) {
    readQuery(query, endpoint, gaps)
    const body = readJsonBody(request, gaps, 'a JSON object with name and categoryId')
    const pet = parseNewPet(body, gaps)
    if (gaps.unknownCategory === 'reject' && !pets.hasCategory(pet.categoryId)) {
      throw invalidRequest(
        `Cannot use categoryId: found ${show(pet.categoryId)}; send the category of a pet in the seed`,
        'unknownCategory',
      )
    }
    return { status: 201, body: pets.create(withStatus(pet, gaps), gaps.idSequence) }
  },
}

function withStatus(pet: NewPet, { omittedStatus }: GapChoices): NewPet {
  if (pet.status !== undefined || omittedStatus === 'absent') return pet
  const { name, categoryId } = pet
  return { name, categoryId, status: omittedStatus }
}
