import type { Command } from '../../src/cli/command.ts'
import { commands } from '../../src/cli/commands.ts'
import { choicesIn } from '../../src/cli/help.ts'
import { describeEach } from '../../src/cli/settings.ts'
import { inCode, table } from './markdown.ts'

/** A command of the table. */
function commandNamed(name: string): Command {
  const found = commands[name]
  if (found === undefined) throw new Error(`Cannot find the command ${name}`)
  return found
}

/** The options of a command. */
export function optionTable(name: string): string {
  const rows = Object.entries(describeEach(commandNamed(name).options)).map(([option, json]) => {
    const choices = choicesIn(json).map(inCode)
    const usual = json.default
    return [
      inCode(`--${option}`),
      String(json.description).replace(/\.$/, '') +
        (choices.length === 0 ? '' : ` (${choices.join(', ')})`),
      ['string', 'number'].includes(typeof usual) ? String(usual) : '',
    ]
  })
  return table([['option', 'what it does', 'default'], ...rows])
}

/** The commands without actions. */
export function commandTable(): string {
  const rows = Object.entries(commands)
    .filter(([, { actions }]) => Object.keys(actions).length === 0)
    .map(([name, { usage, about }]) => [inCode(`${name} ${usage}`.trimEnd()), about])
  return table([['command', 'what it does'], ...rows])
}
