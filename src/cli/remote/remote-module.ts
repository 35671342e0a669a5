import type { Argv, CommandModule } from 'yargs'
import type { Properties } from '../../input/object.ts'
import { mapTable, namesOf } from '../../input/record.ts'
import { textsOf } from '../usage/literal-words.ts'
import { optionTexts } from '../usage/option-texts.ts'
import { type Command, refuseWrongUsage } from '../usage/usage-error.ts'
import { describeEach, shownExamples, yargsOptions, yargsWord } from '../usage/yargs-options.ts'
import { type Action, type RemoteCommand, usageOf } from './commands/action.ts'
import { askingOptions, readRemoteOptions, remoteOptions } from './remote-options.ts'

type Given = Readonly<Record<string, unknown>>

/**
 * Makes a command for a running sandbox: its actions are commands of its own.
 *
 * @param argv As it was written.
 */
export function remoteModule(
  name: string,
  { about, actions, implied }: RemoteCommand,
  argv: readonly string[],
): CommandModule {
  const [first = ''] = Object.keys(actions)
  const isChanging = Object.values(actions).some(({ isChange }) => isChange)
  const options = (isChanging ? remoteOptions : askingOptions).properties
  const words = implied === undefined ? {} : (actions[implied]?.words ?? {})
  const usage = `${name} ${usageOf(words).replaceAll('<', '[').replaceAll('>', ']')}`.trimEnd()
  return {
    command: usage,
    describe: about,
    builder(parser) {
      // An action may have words of the same names.
      declareWords(parser, words)
        .options(mapTable(words, () => ({ global: false })))
        .usage(`$0 ${name} [action]\n\n${about}; without an action: ${first}.`)
        .options(yargsOptions(options))
        .updateStrings({ 'Commands:': 'Actions:' })
      for (const [actionName, action] of Object.entries(actions)) {
        parser.command(actionModule(`${name} ${actionName}`, action, options, argv))
      }
      const names = implied === undefined ? Object.keys(actions) : []
      return refuseWrongUsage(parser, { name, options, words, usage, actions: names })
    },
    handler(given) {
      const hasWords = namesOf(words).some((word) => textsOf(given[word]).length > 0)
      const action = actions[hasWords ? (implied ?? first) : first]
      return action && run(action, given, argv)
    },
  }
}

function actionModule(
  name: string,
  action: Action,
  options: Properties,
  argv: readonly string[],
): CommandModule {
  const { about, words, examples } = action
  const usage = `${name} ${usageOf(words)}`.trimEnd()
  const command: Command = { name, options, words, usage, actions: [] }
  return {
    command: usage.slice(usage.indexOf(' ') + 1),
    describe: about,
    builder(parser) {
      declareWords(parser, words).example(shownExamples(examples, name))
      return refuseWrongUsage(parser, command)
    },
    handler: (given) => run(action, given, argv),
  }
}

/** Describes the words of a command to yargs. */
export function declareWords(parser: Argv, words: Properties): Argv {
  for (const [name, json] of Object.entries(describeEach(words))) {
    // Without a default of yargs's own for several words.
    parser.positional(name, { ...yargsWord(json), default: undefined })
  }
  return parser
}

async function run(action: Action, given: Given, argv: readonly string[]): Promise<void> {
  const texts = optionTexts(remoteOptions.properties, given, argv)
  const remote = readRemoteOptions(remoteOptions, texts, process.env)
  const runAction = action.prepare(given)
  // What a server doesn't need is loaded when it is needed.
  const { atSandbox } = await import('./connect.ts')
  const form = remote.json ? 'json' : remote.quiet ? 'quiet' : 'text'
  const text = await atSandbox(remote, (client) =>
    runAction(form, { client, place: remote, stream: process.stdout }),
  )
  if (text !== '') process.stdout.write(`${text}\n`)
}
