import { list, optional } from '../../mock/input/object.ts'
import { described } from '../../mock/input/schema.ts'
import { resetPart } from '../../sandbox/controls/controls.ts'
import { remoteOptions } from '../options.ts'
import { changeHandler } from '../remote/remote-command.ts'
import { type Command, exampleLines, isGiven, optionsOf, withArguments } from '../yargs-options.ts'

const all: Command = {
  command: 'all',
  describe: 'Reset everything',
  handler: changeHandler({}, () => async (client) => {
    return { result: await client.reset(), text: () => 'Everything is as it was at the start' }
  }),
}

const onlyWords = {
  parts: described(
    'The parts; keys also ends all bans, and what a key has used belongs to quotas',
    list(resetPart),
  ),
}

const only: Command = {
  command: 'only <parts..>',
  describe: 'Reset some parts',
  builder: (yargs) =>
    withArguments(yargs, onlyWords).example(
      ...exampleLines(
        '$0 reset only quotas faults',
        'Give all keys their requests back, and remove all faults',
      ),
    ),
  handler: changeHandler(onlyWords, ({ parts }) => async (client) => {
    const result = await client.reset({ only: parts })
    return { result, text: () => `Reset ${parts.join(', ')}; everything else is unchanged` }
  }),
}

const givenWords = { parts: optional(onlyWords.parts, []) }

/** Command that runs if none is named. */
const byParts: Command = {
  command: '$0 [parts..]',
  describe: false,
  builder: (yargs) => withArguments(yargs, givenWords),
  handler: (found) => (isGiven(found.parts) ? only : all).handler(found),
}

export const reset: Command = {
  command: 'reset',
  describe: 'Reset a sandbox to how it started',
  builder: (yargs) =>
    yargs
      .options(optionsOf(remoteOptions.properties))
      .command([all, only, byParts])
      .epilogue('Without a command, it resets the named parts, or everything.'),
  handler() {},
}
