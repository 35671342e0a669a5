import { faultKinds, faultSettings } from '../../mock/faults/fault-rules.ts'
import { optional } from '../../mock/input/object.ts'
import { described, type Schema } from '../../mock/input/schema.ts'
import { integer, nameIn } from '../../mock/input/values.ts'
import { settingList, settingsFrom } from '../option-schemas.ts'
import { allOption, remoteOptions } from '../options.ts'
import { changeHandler, remoteHandler } from '../remote/remote-command.ts'
import { faultTable } from '../remote/response-text.ts'
import { faultText } from '../remote/sentences.ts'
import { firstLines } from '../terminal.ts'
import {
  type Command,
  exampleLines,
  optionsOf,
  readOptions,
  withArguments,
} from '../yargs-options.ts'

const listOptions = { all: allOption }

const list: Command = {
  command: 'list',
  describe: 'List the faults, and how many requests each was applied to',
  builder: (yargs) => yargs.options(optionsOf(listOptions)),
  handler: remoteHandler((found) => {
    const { all } = readOptions(listOptions, found)
    return async (client) => {
      const result = await client.faults.list()
      return { result, text: () => firstLines(faultTable(result), all) }
    }
  }),
}

const kindName = nameIn(faultKinds)

/** A kind of fault, or the status of an error response. */
const faultWord: Schema<string> = {
  ...kindName,
  parse: (found) => (isNumber(found) ? found : kindName.parse(found)),
  encode: (read) => read,
}

function isNumber(found: unknown): found is string {
  return typeof found === 'string' && /^\d+$/.test(found)
}

const addWords = {
  fault: described('What goes wrong; a number, such as 503, is an error status', faultWord),
  settings: optional(
    settingList(
      faultSettings,
      'How, and for which requests, as name=value; a bare ms is milliseconds',
      ['fault'],
    ),
    [],
  ),
}

const add: Command = {
  command: 'add <fault> [settings..]',
  describe: 'Add a fault',
  builder: (yargs) =>
    withArguments(yargs, addWords)
      .example(
        ...exampleLines('$0 faults add 503 times=2', 'Respond to the next two requests with 503'),
      )
      .example(
        ...exampleLines(
          '$0 faults add latency ms=1s-3s',
          'Delay each response by one to three seconds',
        ),
      )
      .example(
        ...exampleLines(
          '$0 faults add disconnect operation=createPet',
          'Break the connection of each POST',
        ),
      ),
  handler: changeHandler(addWords, ({ fault: kind, settings }) => {
    const words = isNumber(kind) ? ['fault=status', `status=${kind}`] : [`fault=${kind}`]
    const schema = { ...faultSettings, title: 'fault' }
    const wanted = settingsFrom(schema, [...words, ...settings], 'times=2')
    return async (client) => {
      const fault = await client.faults.add(wanted)
      const text = () => `Added fault ${fault.id}: ${faultText(fault)}`
      return { result: fault, text, quiet: String(fault.id) }
    }
  }),
}

const removeWords = { id: described("The fault's id", integer(0, 1e15)) }

const remove: Command = {
  command: 'remove <id>',
  describe: 'Remove a fault',
  builder: (yargs) => withArguments(yargs, removeWords),
  handler: changeHandler(removeWords, ({ id }) => async (client) => {
    return { result: await client.faults.remove(id), text: () => `Removed fault ${id}` }
  }),
}

const clear: Command = {
  command: 'clear',
  describe: 'Remove all faults',
  handler: changeHandler({}, () => async (client) => {
    return { result: await client.faults.clear(), text: () => 'Removed all faults' }
  }),
}

export const faults: Command = {
  command: 'faults',
  describe: 'List, add and remove faults: errors, delays, broken connections',
  builder: (yargs) =>
    yargs
      .options(optionsOf(remoteOptions.properties))
      .options(optionsOf(listOptions, { global: false }))
      .command([list, add, remove, clear]),
  handler: list.handler,
}
