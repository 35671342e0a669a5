import { runCli } from './cli-process.ts'
import { inCode, table } from './markdown.ts'

/** One line of the program's help: a name with what follows it, and what is said about it. */
interface HelpEntry {
  readonly name: string
  readonly about: string
}

/** The options of a command, as its help has them. */
export async function optionTable(command: readonly string[]): Promise<string> {
  const entries = await entriesOf(command, 'Options')
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
  const entries = await Promise.all(commands.map((command) => entriesOf([command], 'Actions')))
  const rows = entries.flat().map(({ name, about }) => [inCode(name), about])
  return table([['command', 'what it does'], ...rows])
}

/** Reads a section of the help, in which long lines go on further to the right. */
async function entriesOf(command: readonly string[], section: string): Promise<HelpEntry[]> {
  const { stdout } = await runCli([...command, '--help'])
  const [, text = ''] = new RegExp(`^${section}:\n((?: .*\n)*)`, 'm').exec(stdout) ?? []
  const begin = /^ {1,6}(?:-\w, )?(--[\w-]+|\S+(?: \S+)*?)(?: {2,}(.*))?$/
  const entries: HelpEntry[] = []
  for (const line of text.trimEnd().split('\n')) {
    const [, name, about = ''] = begin.exec(line) ?? []
    const last = entries.at(-1)
    if (name !== undefined) entries.push({ name, about: squeezed(about) })
    else if (last !== undefined) {
      entries[entries.length - 1] = { ...last, about: squeezed(`${last.about} ${line}`) }
    }
  }
  if (entries.length === 0)
    throw new Error(`Cannot read the help: found no ${section} in ${stdout}`)
  return entries
}

function squeezed(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}

function noteIn(notes: string, name: string): string {
  return new RegExp(`\\[${name}: ([^\\]]*)\\]`).exec(notes)?.[1] ?? ''
}

function choicesIn(notes: string): string {
  const choices = noteIn(notes, 'choices').match(/"[^"]*"/g) ?? []
  return choices.length === 0 ? '' : ` (${choices.join(', ').replaceAll('"', '`')})`
}
