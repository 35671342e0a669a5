import { runCli } from './cli-process.ts'
import { inCode, table } from './markdown.ts'
import { runMain } from './run-main.ts'

/** An entry of the program's help: an option or an action, and what is said about it. */
interface HelpEntry {
  readonly name: string
  readonly about: string
}

/** The options of a command, as its help has them. */
export async function optionTable(command: readonly string[]): Promise<string> {
  const entries = entriesOf(await helpOf(command), 'Options')
  const rows = entries
    .filter(({ name }) => !/--(?:help|version)$/.test(name))
    .map(({ name, about }) => {
      const [, text = '', notes = ''] = /^(.*?)((?: *\[[^\]]*\])*)$/.exec(about) ?? []
      return [inCode(name), text + choicesIn(notes), noteIn(notes, 'default')]
    })
  return table([['option', 'what it does', 'default'], ...rows])
}

/** The actions of commands, as their help has them. */
export async function actionTable(commands: readonly string[]): Promise<string> {
  const helps: string[] = []
  // One after the other, since they share a process.
  for (const command of commands) helps.push(await helpOf([command]))
  const rows = helps
    .flatMap((help) => entriesOf(help, 'Actions'))
    .map(({ name, about }) => [inCode(name.replace('petstore-sandbox ', '')), about])
  return table([['command', 'what it does'], ...rows])
}

/** Some commands of the program, as its help has them. */
export async function commandTable(commands: readonly string[]): Promise<string> {
  // In a process of its own, since yargs keeps how the help of an earlier command called this section.
  const { stdout } = await runCli(['--help'])
  const entries = entriesOf(stdout, 'Commands')
  const rows = entries
    .map(({ name, about }) => ({ name: name.replace('petstore-sandbox ', ''), about }))
    .filter(({ name }) => commands.includes(name.replace(/ .*/, '')))
    .map(({ name, about }) => [inCode(name), about])
  return table([['command', 'what it does'], ...rows])
}

async function helpOf(command: readonly string[]): Promise<string> {
  const { stdout } = await runMain([...command, '--help'])
  return stdout
}

/** Reads a section of the help: two columns, in each of which a long text goes on in the next line. */
function entriesOf(stdout: string, section: string): HelpEntry[] {
  const [, text = ''] = new RegExp(`^${section}:\n((?: .*\n)*)`, 'm').exec(stdout) ?? []
  const lines = text.trimEnd().split('\n')
  const second = /^ +\S+(?: \S+)* {2,}/.exec(lines[0] ?? '')?.[0].length
  if (second === undefined)
    throw new Error(`Cannot read the help: found no ${section} in ${stdout}`)
  const entries: HelpEntry[] = []
  for (const line of lines) {
    const [left, right] = [line.slice(0, second).trim(), line.slice(second).trim()]
    const last = /^petstore-sandbox |--/.test(left) ? undefined : entries.pop()
    const name = `${last?.name ?? ''} ${left.replace(/^-\w, /, '')}`.trim()
    entries.push({ name, about: `${last?.about ?? ''} ${right}`.trim() })
  }
  return entries
}

function noteIn(notes: string, name: string): string {
  return new RegExp(`\\[${name}: ([^\\]]*)\\]`).exec(notes)?.[1] ?? ''
}

function choicesIn(notes: string): string {
  const choices = noteIn(notes, 'choices').match(/"[^"]*"/g) ?? []
  return choices.length === 0 ? '' : ` (${choices.join(', ').replaceAll('"', '`')})`
}
