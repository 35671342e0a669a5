import { askingOptions } from '../options.ts'
import { remoteHandler } from '../remote/remote-command.ts'
import { statusScreen } from '../remote/response-text.ts'
import { type Command, optionsOf } from '../yargs-options.ts'

export const status: Command = {
  command: 'status',
  describe: 'Show a running sandbox on one screen: clock, keys, faults, findings, latest requests',
  builder: (yargs) => yargs.options(optionsOf(askingOptions.properties)),
  handler: remoteHandler(() => async (client) => {
    const result = await client.status()
    return { result, text: (context) => statusScreen(result, context) }
  }),
}
