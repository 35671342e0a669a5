import { commands } from '../../src/cli/commands.ts'
import { inCode, table } from './markdown.ts'

/** The commands without actions. */
export function commandTable(): string {
  const rows = Object.entries(commands)
    .filter(([, { actions }]) => Object.keys(actions).length === 0)
    .map(([name, { usage, about }]) => [inCode(`${name} ${usage}`.trimEnd()), about])
  return table([['command', 'what it does'], ...rows])
}
