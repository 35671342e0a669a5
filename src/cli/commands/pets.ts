import { int64 } from '../../mock/api/int64.ts'
import { type Pet, petStatus } from '../../mock/api/pet.ts'
import { optional } from '../../mock/input/object.ts'
import { described } from '../../mock/input/schema.ts'
import { string } from '../../mock/input/values.ts'
import { allOption, remoteOptions } from '../options.ts'
import { changeHandler, remoteHandler } from '../remote/remote-command.ts'
import { petTable } from '../remote/response-text.ts'
import { petText } from '../remote/sentences.ts'
import { firstLines } from '../terminal.ts'
import {
  type Command,
  exampleLines,
  optionsOf,
  readArguments,
  readOptions,
  withArguments,
} from '../yargs-options.ts'

const listOptions = {
  all: allOption,
  status: optional(described('Only pets with this status', petStatus)),
}

const list: Command = {
  command: 'list',
  describe: 'List the pets',
  builder: (yargs) => yargs.options(optionsOf(listOptions)),
  handler: remoteHandler((found) => {
    const { all, status } = readOptions(listOptions, found)
    return async (client) => {
      const result = await client.pets.list({ status })
      return { result, text: () => firstLines(petTable(result), all) }
    }
  }),
}

const id = described("The pet's id", int64)

const get: Command = {
  command: 'get <id>',
  describe: 'Show a pet',
  builder: (yargs) => withArguments(yargs, { id }),
  handler: remoteHandler((found) => {
    const words = readArguments({ id }, found)
    return async (client) => {
      const result = await client.pets.get(words.id)
      return { result, text: () => petTable(result) }
    }
  }),
}

/** Returns a pet, and a sentence about it. */
function told(done: string, pet: Pet) {
  return { result: pet, text: () => `${done} ${petText(pet)}` }
}

const addWords = {
  name: described('Its name', string),
  category: described('Its categoryId', int64),
  status: optional(described('Its status', petStatus)),
}

const add: Command = {
  command: 'add <name> <category> [status]',
  describe: 'Add a pet',
  builder: (yargs) =>
    withArguments(yargs, addWords).example(
      ...exampleLines('$0 pets add Rex 1 sold', 'Add a sold pet'),
    ),
  handler: changeHandler(addWords, ({ name, category, status }) => async (client) => {
    const pet = await client.pets.create({ name, categoryId: category, status })
    return { ...told('Added', pet), quiet: String(pet.id) }
  }),
}

const statusWords = { id, status: described('The new status', petStatus) }

const setStatus: Command = {
  command: 'set-status <id> <status>',
  describe: "Change a pet's status",
  builder: (yargs) => withArguments(yargs, statusWords),
  handler: changeHandler(
    statusWords,
    (words) => async (client) =>
      told('Changed', await client.pets.update(words.id, { status: words.status })),
  ),
}

const remove: Command = {
  command: 'delete <id>',
  describe: 'Delete a pet',
  builder: (yargs) => withArguments(yargs, { id }),
  handler: changeHandler({ id }, (words) => async (client) => {
    const result = await client.pets.delete(words.id)
    return { result, text: () => `Deleted pet ${words.id}` }
  }),
}

const clear: Command = {
  command: 'clear',
  describe: 'Delete all pets',
  handler: changeHandler({}, () => async (client) => {
    return { result: await client.pets.clear(), text: () => 'Deleted all pets' }
  }),
}

export const pets: Command = {
  command: 'pets',
  describe: 'List, add, change and delete pets directly, bypassing the API',
  builder: (yargs) =>
    yargs
      .options(optionsOf(remoteOptions.properties))
      .options(optionsOf(listOptions, { global: false }))
      .command([list, get, add, setStatus, remove, clear]),
  handler: list.handler,
}
