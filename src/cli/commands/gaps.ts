import { gapSettings } from '../../mock/api/gaps.ts'
import { optional } from '../../mock/input/object.ts'
import { namesOf } from '../../mock/input/record.ts'
import { settingList, settingsFrom } from '../option-schemas.ts'
import { allOption, gapsOptions, remoteOptions } from '../options.ts'
import { changeHandler, remoteHandler } from '../remote/remote-command.ts'
import { gapTable } from '../remote/response-text.ts'
import { gapSentence } from '../remote/sentences.ts'
import { firstLines } from '../terminal.ts'
import {
  type Command,
  exampleLines,
  isGiven,
  optionsOf,
  readOptions,
  withArguments,
} from '../yargs-options.ts'

const listOptions = { all: allOption }

const list: Command = {
  command: 'list',
  describe: 'List all gaps and their values',
  builder: (yargs) => yargs.options(optionsOf(listOptions)),
  async handler(found) {
    const { showGaps } = await import('../remote/show-gaps.ts')
    showGaps(readOptions(gapsOptions.properties, found), process.stdout)
  },
}

const show: Command = {
  command: 'show',
  describe: 'Show the values in force in a running sandbox',
  builder: (yargs) => yargs.options(optionsOf(listOptions)),
  handler: remoteHandler((found) => {
    const { all } = readOptions(listOptions, found)
    return async (client) => {
      const result = await client.gaps()
      return { result, text: () => firstLines(gapTable(result), all) }
    }
  }),
}

const setWords = { values: settingList(gapSettings, 'Gaps to set, as name=value') }

const set: Command = {
  command: 'set <values..>',
  describe: 'Set gaps in a running sandbox',
  builder: (yargs) =>
    withArguments(yargs, setWords).example(
      ...exampleLines('$0 gaps set retryAfterFormat=http-date banAfter=3', 'Set two gaps'),
    ),
  handler: changeHandler(setWords, ({ values }) => {
    const wanted = settingsFrom(gapSettings, values, 'retryAfterFormat=http-date')
    return async (client) => {
      const result = await client.setGaps(wanted)
      return { result, text: () => gapSentence(result, namesOf(wanted)) }
    }
  }),
}

const givenWords = { values: optional(setWords.values, []) }

/** Command that runs if none is named. */
const byValues: Command = {
  command: '$0 [values..]',
  describe: false,
  builder: (yargs) => withArguments(yargs, givenWords).options(optionsOf(listOptions)),
  handler: (found) => (isGiven(found.values) ? set : list).handler(found),
}

export const gaps: Command = {
  command: 'gaps',
  describe: 'List the gaps of the spec, and set them',
  builder: (yargs) =>
    yargs
      .options(optionsOf(remoteOptions.properties))
      .command([list, show, set, byValues])
      .epilogue('Without a command, name=value sets gaps, and no value lists all.'),
  handler() {},
}
