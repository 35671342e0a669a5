import { int64 } from '../../../contract/int64.ts'
import { petChange, petSettings, petStatus, petView } from '../../../contract/pet.ts'
import { list, oneOrMany } from '../../../input/collections.ts'
import { object, optional } from '../../../input/object.ts'
import { described, named } from '../../../input/schema.ts'
import { string } from '../../../input/values.ts'
import { route } from '../control-route.ts'
import { none, nothing, oneOrSeveral } from '../route-bodies.ts'

const petId = object({ id: described("The pet's id.", int64) }, { title: 'pet' })

/** The controls of pets. */
export const petRoutes = {
  'pets.list': route({
    method: 'GET',
    path: '/pets',
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
    run: ({ controls, query: { status, name } }) =>
      controls.pets
        .list()
        .filter((pet) => status === undefined || pet.status === status)
        .filter((pet) => name === undefined || pet.name === name),
  }),
  'pets.create': route({
    method: 'POST',
    path: '/pets',
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
    method: 'DELETE',
    path: '/pets',
    tag: 'pets',
    summary: 'Delete all pets',
    description: 'Deletes every pet; ids that were given are not given again.',
    params: none,
    query: none,
    body: nothing,
    reply: nothing,
    run: ({ controls }) => controls.pets.clear(),
  }),
  'pets.get': route({
    method: 'GET',
    path: '/pets/{id}',
    tag: 'pets',
    summary: 'Get a pet',
    description: 'Gives one pet, whatever has become of the operation `getPet`.',
    params: petId,
    query: none,
    body: nothing,
    reply: petView,
    run: ({ controls, params }) => controls.pets.get(params.id),
  }),
  'pets.change': route({
    method: 'PATCH',
    path: '/pets/{id}',
    tag: 'pets',
    summary: 'Change a pet, such as its status',
    description: 'Changes what is given; the rest stays. A status of null takes the status away.',
    params: petId,
    query: none,
    body: named('PetChange', petChange),
    reply: petView,
    run: ({ controls, params, body }) => controls.pets.change(params.id, body),
  }),
  'pets.delete': route({
    method: 'DELETE',
    path: '/pets/{id}',
    tag: 'pets',
    summary: 'Delete a pet',
    description: 'Deletes one pet; its id is not given again.',
    params: petId,
    query: none,
    body: nothing,
    reply: nothing,
    run: ({ controls, params }) => controls.pets.delete(params.id),
  }),
} as const
