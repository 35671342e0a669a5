import { int64 } from '../../../contract/int64.ts'
import {
  type Pet,
  type PetStatus,
  petChange,
  petSettings,
  petStatus,
} from '../../../contract/pet.ts'
import { list, oneOrMany } from '../../../input/collections.ts'
import { object, optional } from '../../../input/object.ts'
import { described, named } from '../../../input/schema.ts'
import { string } from '../../../input/values.ts'
import { petView } from '../../views/pet-view.ts'
import { route } from '../control-route.ts'
import { none, nothing, oneOrSeveral } from '../route-bodies.ts'
import { routePlaces } from '../route-places.ts'

const petId = object({ id: described("The pet's id.", int64) }, { title: 'pet' })

/** Which pets to list. */
interface PetQuery {
  readonly status: PetStatus | undefined
  readonly name: string | undefined
}

function isMatch(pet: Pet, { status, name }: PetQuery): boolean {
  return (
    (status === undefined || pet.status === status) && (name === undefined || pet.name === name)
  )
}

/** The controls of pets. */
export const petRoutes = {
  'pets.list': route({
    ...routePlaces['pets.list'],
    tag: 'pets',
    summary: 'List all pets',
    description: 'Gives every pet by ascending id, or those of one status or name.',
    params: none,
    query: object({
      status: optional(described('Only pets with this status.', petStatus)),
      name: optional(described('Only pets with exactly this name.', string)),
    }),
    body: nothing,
    reply: list(petView),
    run: ({ controls, query }) => controls.pets.list().filter((pet) => isMatch(pet, query)),
  }),
  'pets.create': route({
    ...routePlaces['pets.create'],
    tag: 'pets',
    summary: 'Add a pet or an array of pets, optionally with ids of your choice',
    description: 'Adds all of them or none. A pet without an id gets the next one of the sequence.',
    params: none,
    query: none,
    body: oneOrSeveral(named('NewPet', petSettings), ['pet', 'pets']),
    reply: oneOrMany(petView),
    status: 201,
    run: ({ controls, body }) => controls.pets.create(body),
  }),
  'pets.clear': route({
    ...routePlaces['pets.clear'],
    tag: 'pets',
    summary: 'Delete all pets',
    description: 'Deletes every pet; ids are not reused.',
    params: none,
    query: none,
    body: nothing,
    reply: nothing,
    run: ({ controls }) => controls.pets.clear(),
  }),
  'pets.get': route({
    ...routePlaces['pets.get'],
    tag: 'pets',
    summary: 'Get a pet',
    description: 'Gives one pet, even once the operation `getPet` is removed.',
    params: petId,
    query: none,
    body: nothing,
    reply: petView,
    run: ({ controls, params }) => controls.pets.get(params.id),
  }),
  'pets.change': route({
    ...routePlaces['pets.change'],
    tag: 'pets',
    summary: 'Change a pet, such as its status',
    description: 'Changes what is given; the rest stays. A status of null removes it.',
    params: petId,
    query: none,
    body: named('PetChange', petChange),
    reply: petView,
    run: ({ controls, params, body }) => controls.pets.change(params.id, body),
  }),
  'pets.delete': route({
    ...routePlaces['pets.delete'],
    tag: 'pets',
    summary: 'Delete a pet',
    description: 'Deletes one pet; its id is not reused.',
    params: petId,
    query: none,
    body: nothing,
    reply: nothing,
    run: ({ controls, params }) => controls.pets.delete(params.id),
  }),
} as const
