import { optional } from '../../mock/input/object.ts'
import { described } from '../../mock/input/schema.ts'
import { string } from '../../mock/input/values.ts'
import { newSandbox, sandboxName } from '../../sandbox/controls/sandboxes.ts'
import { asSetting, settingList, settingsFrom } from '../option-schemas.ts'
import { allOption, remoteOptions } from '../options.ts'
import { changeHandler, remoteHandler } from '../remote/remote-command.ts'
import { resultTable } from '../remote/response-text.ts'
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
  describe: 'List the named sandboxes',
  builder: (yargs) => yargs.options(optionsOf(listOptions)),
  handler: remoteHandler((found) => {
    const { all } = readOptions(listOptions, found)
    return async (client) => {
      const result = await client.sandboxes.list()
      return { result, text: () => firstLines(resultTable(result, 'No named sandboxes'), all) }
    }
  }),
}

const createWords = {
  name: optional(described('Its name; a random one by default', string)),
  settings: optional(settingList(newSandbox, 'Its settings, as name=value'), []),
}

const create: Command = {
  command: 'create [name] [settings..]',
  describe: 'Create a named sandbox',
  builder: (yargs) =>
    withArguments(yargs, createWords).example(
      ...exampleLines(
        '$0 sandboxes create alice clock=2030-12-05 rateLimits=report-only',
        'The sandbox "alice"',
      ),
    ),
  handler: changeHandler(createWords, ({ name, settings }) => {
    const all = [...asSetting('name', name), ...settings]
    const wanted = settingsFrom(newSandbox, all, 'clock=2030-12-05')
    return async (client) => {
      const made = await client.sandboxes.create(wanted)
      const text = () => `Created sandbox ${made.name}: its API is at ${made.baseUrl}`
      return { result: made, text, quiet: made.name }
    }
  }),
}

const removeWords = { name: described('Its name', sandboxName) }

const remove: Command = {
  command: 'delete <name>',
  describe: 'Delete a named sandbox',
  builder: (yargs) => withArguments(yargs, removeWords),
  handler: changeHandler(removeWords, ({ name }) => async (client) => {
    const result = await client.sandboxes.delete(name)
    return { result, text: () => `Deleted sandbox ${name}` }
  }),
}

export const sandboxes: Command = {
  command: 'sandboxes',
  describe: 'List, create and delete the named sandboxes of a server',
  builder: (yargs) =>
    yargs
      .options(optionsOf(remoteOptions.properties))
      .options(optionsOf(listOptions, { global: false }))
      .command([list, create, remove]),
  handler: list.handler,
}
