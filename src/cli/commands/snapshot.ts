import { printableJson } from '../../checks/reports/text.ts'
import { toJson } from '../../mock/api/json.ts'
import { described, readInput } from '../../mock/input/schema.ts'
import { text } from '../../mock/input/values.ts'
import { snapshotDocument } from '../../mock/state/state.ts'
import { readJsonFile, writeFile } from '../files.ts'
import { remoteOptions } from '../options.ts'
import { changeHandler, remoteHandler } from '../remote/remote-command.ts'
import { type Command, optionsOf, withArguments } from '../yargs-options.ts'

const print: Command = {
  command: 'print',
  describe: 'Print a snapshot as JSON',
  handler: remoteHandler(() => async (client) => {
    const result = await client.snapshot()
    return { result, text: () => printableJson(toJson(result)) }
  }),
}

const words = { file: described('A JSON file', text()) }

const save: Command = {
  command: 'save <file>',
  describe: 'Save a snapshot to a file, which only its owner may read',
  builder: (yargs) => withArguments(yargs, words),
  handler: changeHandler(words, ({ file }) => async (client) => {
    writeFile(file, `${toJson(await client.snapshot())}\n`, 0o600)
    return { result: { file }, text: () => `Saved to ${file}` }
  }),
}

const restore: Command = {
  command: 'restore <file>',
  describe: 'Restore a snapshot from a file',
  builder: (yargs) => withArguments(yargs, words),
  handler: changeHandler(words, ({ file }) => async (client) => {
    const read = (found: unknown) => readInput(snapshotDocument, found)
    const result = await client.restore(await readJsonFile(file, read))
    return { result, text: () => `Everything is as saved in ${file}` }
  }),
}

export const snapshot: Command = {
  command: 'snapshot',
  describe: 'Save or restore the state of a sandbox',
  builder: (yargs) =>
    yargs.options(optionsOf(remoteOptions.properties)).command([print, save, restore]),
  handler: print.handler,
}
