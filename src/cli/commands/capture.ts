import { countText, printableJson } from '../../checks/reports/text.ts'
import { toJson } from '../../mock/api/json.ts'
import { optional } from '../../mock/input/object.ts'
import { described } from '../../mock/input/schema.ts'
import { text } from '../../mock/input/values.ts'
import { writeFile } from '../files.ts'
import { remoteOptions } from '../options.ts'
import { changeHandler, remoteHandler } from '../remote/remote-command.ts'
import { type Command, exampleLines, optionsOf, withArguments } from '../yargs-options.ts'

const print: Command = {
  command: 'print',
  describe: 'Print the capture as JSON',
  handler: remoteHandler(() => async (client) => {
    const result = await client.capture()
    return { result, text: () => printableJson(toJson(result)) }
  }),
}

const file = described('A JSON file', text())

const save: Command = {
  command: 'save <file>',
  describe: 'Save the capture to a file',
  builder: (yargs) =>
    withArguments(yargs, { file }).example(
      ...exampleLines('$0 capture failed.petstore.json', 'Save a capture'),
    ),
  handler: changeHandler({ file }, (words) => async (client) => {
    const made = await client.capture()
    writeFile(words.file, `${toJson(made)}\n`, 0o644)
    const steps = made.steps.length
    return {
      result: { file: words.file, steps },
      text: () => `Saved ${countText(steps, 'step')} to ${words.file}`,
    }
  }),
}

/** Command that runs if none is named. */
const byFile: Command = {
  command: '$0 [file]',
  describe: false,
  builder: (yargs) => withArguments(yargs, { file: optional(file) }),
  handler: (found) => (found.file === undefined ? print : save).handler(found),
}

export const capture: Command = {
  command: 'capture',
  describe: 'Save everything done to a running sandbox, to replay it anywhere',
  builder: (yargs) =>
    yargs
      .options(optionsOf(remoteOptions.properties))
      .command([print, save, byFile])
      .epilogue('Without a command, it saves to the named file, or prints the capture.'),
  handler() {},
}
