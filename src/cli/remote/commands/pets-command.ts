import { int64 } from '../../../contract/int64.ts'
import { petStatus } from '../../../contract/pet.ts'
import { optional } from '../../../input/object.ts'
import { described } from '../../../input/schema.ts'
import { string } from '../../../input/values.ts'
import { change, question, type RemoteCommand } from './action.ts'
import { petText } from './answer-sentences.ts'
import { petTable } from './answer-tables.ts'

const id = described("The pet's id", int64)

/** Lists, adds and changes the pets of a running sandbox. */
export const petsCommand: RemoteCommand = {
  about: "List, add and change pets behind the API's back",
  actions: {
    list: question({
      about: 'List the pets',
      words: {},
      run: (client) => client.pets.list(),
      show: petTable,
    }),
    get: question({
      about: 'Show a pet',
      words: { id },
      run: (client, words) => client.pets.get(words.id),
      show: petTable,
    }),
    add: change({
      about: 'Add a pet',
      words: {
        name: described('Its name', string),
        category: described('Its categoryId', int64),
        status: optional(described('Its status', petStatus)),
      },
      examples: { 'Rex 1 sold': 'Add a sold pet' },
      run: (client, { name, category, status }) =>
        client.pets.create({ name, categoryId: category, status }),
      says: (pet) => `Added ${petText(pet)}`,
      gives: (pet) => String(pet.id),
    }),
    status: change({
      about: "Change a pet's status",
      words: { id, status: described('The new one', petStatus) },
      run: (client, words) => client.pets.change(words.id, { status: words.status }),
      says: (pet) => `Changed ${petText(pet)}`,
    }),
    delete: change({
      about: 'Delete a pet',
      words: { id },
      run: (client, words) => client.pets.delete(words.id),
      says: (_, words) => `Deleted pet ${words.id}`,
    }),
    clear: change({
      about: 'Delete all pets',
      words: {},
      run: (client) => client.pets.clear(),
      says: () => 'Deleted all pets',
    }),
  },
}
