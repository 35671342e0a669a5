import { optional } from '../../mock/input/object.ts'
import { described } from '../../mock/input/schema.ts'
import { keyText } from '../../mock/state/keys.ts'
import { scenarioName } from '../../sandbox/controls/scenarios.ts'
import { allOption, remoteOptions } from '../options.ts'
import { programLine } from '../program.ts'
import { changeHandler, remoteHandler } from '../remote/remote-command.ts'
import { scenarioTable } from '../remote/response-text.ts'
import { scenarioSentence } from '../remote/sentences.ts'
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
  describe: 'List the scenarios, and which are in force',
  builder: (yargs) => yargs.options(optionsOf(listOptions)),
  handler: remoteHandler((found) => {
    const { all } = readOptions(listOptions, found)
    return async (client) => {
      const result = await client.scenarios()
      return { result, text: () => firstLines(scenarioTable(result), all) }
    }
  }),
}

const applyWords = {
  scenario: described('Its name', scenarioName),
  key: optional(described('The key to apply it to; all keys by default', keyText)),
}

const apply: Command = {
  command: 'apply <scenario> [key]',
  describe: 'Set up a scenario, for all keys or for one',
  builder: (yargs) =>
    withArguments(yargs, applyWords)
      .example(...exampleLines('$0 scenario banned free-key', 'Ban one key'))
      .example(...exampleLines('$0 scenario flaky', 'Lose some responses for every key')),
  handler: changeHandler(applyWords, ({ scenario: name, key }) => async (client) => {
    const result = await client.scenario(name, { key })
    const stopping = programLine(['scenario stop', name, key ?? ''].join(' ').trim())
    const text = async () =>
      `${await scenarioSentence(name, key, client)}\nEverything else is unchanged; ${stopping} takes it back`
    return { result, text }
  }),
}

const stopWords = {
  scenario: described('Its name', scenarioName),
  key: optional(described('The key to stop it for; all keys by default', keyText)),
}

const stop: Command = {
  command: 'stop <scenario> [key]',
  describe: 'Stop a scenario, for all keys or for one, and bring back what it replaced',
  builder: (yargs) =>
    withArguments(yargs, stopWords).example(
      ...exampleLines('$0 scenario stop banned', 'Unban all keys'),
    ),
  handler: changeHandler(stopWords, ({ scenario: name, key }) => async (client) => {
    const wasInForce = await client.stopScenario(name, { key })
    const text = () => (wasInForce ? `Stopped ${name}` : `${name} is not in force`)
    return { result: wasInForce, text }
  }),
}

/** Command that runs if neither is named. */
const byName: Command = {
  command: '$0 [scenario] [key]',
  describe: false,
  builder: (yargs) => withArguments(yargs, applyWords).options(optionsOf(listOptions)),
  handler: (found) => (found.scenario === undefined ? list : apply).handler(found),
}

export const scenario: Command = {
  command: 'scenario',
  describe: 'Set up a scenario, such as banned or flaky',
  builder: (yargs) =>
    yargs
      .options(optionsOf(remoteOptions.properties))
      .command([list, apply, stop, byName])
      .epilogue('Without a command, a name applies the scenario, and no name lists all.'),
  handler() {},
}
