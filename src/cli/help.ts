import { wrap } from '../checks/reports/text.ts'
import { describeEach, listedIn } from '../client/actions/words.ts'
import type { JsonSchema } from '../mock/input/schema.ts'
import type { Command } from './command.ts'
import { commandGroups, serve } from './commands.ts'
import type { Located } from './parser.ts'
import { programLine } from './program.ts'
import { serveOptionGroups } from './serve/serve-settings.ts'

/** Returns the help of a command, or of the program if the name is empty. */
export function helpText({ name, command }: Located, width: number): string {
  const parts = name === '' ? programParts(width) : commandParts(name, command, width)
  const isLaidOut = (part: string): boolean => part.includes('\n')
  return parts
    .filter((part) => part !== '')
    .map((part) => (isLaidOut(part) ? part : wrap(part, width).join('\n')))
    .join('\n\n')
}

function programParts(width: number): readonly string[] {
  return [
    programLine('[command] [options]'),
    'A local, in-memory pet store to test API clients against.',
    ...Object.entries(commandGroups).map(([group, rows]) => {
      const entries = Object.entries(rows).map(([name, { summary }]) => ({ name, summary }))
      return listText(group, entries, width)
    }),
    exampleText('', serve.examples),
    listText('Options', generalOptions, width),
    `For the options of a command: ${programLine('help COMMAND')}`,
  ]
}

function commandParts(name: string, command: Command, width: number): readonly string[] {
  const { summary, actions, words, serving, defaults, examples, notes } = command
  const isServe = command === serve
  const own = Object.fromEntries(
    Object.entries(command.options).filter(([option]) => !Object.hasOwn(serving, option)),
  )
  const others = isServe ? [] : Object.keys(serving).map((option) => `--${option}`)
  return [
    programLine(`${name} ${usageOf(command)}`),
    `${summary}.`,
    listText('Actions', actionEntries(name, actions), width),
    // The line of usage already shows the command to run.
    listText('Arguments', others.length > 0 ? [] : wordEntries(words), width),
    ...(isServe
      ? Object.entries(serveOptionGroups).map(([group, rows]) => {
          return listText(group, optionEntries(rows, defaults), width)
        })
      : []),
    listText(
      'Options',
      isServe ? generalOptions : [...optionEntries(own, defaults), helpOption],
      width,
    ),
    others.length === 0
      ? ''
      : `The sandbox starts with the options of serve, which ${programLine('help serve')} explains: ${others.join(', ')}.`,
    exampleText(name, examples),
    notes,
  ]
}

function usageOf({ usage, actions, requiresAction }: Command): string {
  if (requiresAction) return '<action>'
  return Object.keys(actions).length === 0 ? usage : '[action]'
}

/** Line of a list: a name and its description. */
export interface HelpEntry {
  readonly name: string
  readonly summary: string
}

/** Lists the actions of a command, with their arguments. */
export function actionEntries(name: string, actions: Command['actions']): readonly HelpEntry[] {
  return Object.entries(actions).map(([action, { usage, summary }]) => ({
    name: `${name} ${action} ${usage}`.trimEnd(),
    summary,
  }))
}

function wordEntries(words: Command['words']): readonly HelpEntry[] {
  return Object.entries(describeEach(words)).map(([name, json]) => ({
    name,
    summary: descriptionOf(json) + choiceText(json),
  }))
}

const helpOption: HelpEntry = { name: '-h, --help', summary: 'Show this help' }

const generalOptions: readonly HelpEntry[] = [
  helpOption,
  { name: '-V, --version', summary: 'Print the version' },
]

function optionEntries(
  options: Command['options'],
  defaults: Command['defaults'],
): readonly HelpEntry[] {
  return Object.entries(describeEach(options)).map(([name, json]) =>
    optionEntry(name, json, defaults),
  )
}

function optionEntry(name: string, json: JsonSchema, defaults: Command['defaults']): HelpEntry {
  const defaultValue = defaults[name] ?? json.default
  const isShown = ['string', 'number'].includes(typeof defaultValue)
  return {
    name: `${name === 'quiet' ? '-q, ' : '    '}--${name}${placeholder(json)}`,
    summary: `${descriptionOf(json)}${choiceText(json)}${isShown ? `  [default: ${defaultValue}]` : ''}`,
  }
}

function descriptionOf({ description = '' }: JsonSchema): string {
  return String(description).replace(/\.$/, '')
}

/** Returns the placeholder for an option's value, which names its kind; empty for a flag. */
function placeholder(json: JsonSchema): string {
  const { type, format } = json
  if (type === 'boolean') return ''
  if (typeof format === 'string') return ` ${format.toUpperCase()}`
  if (type === 'integer' || type === 'number') return ' N'
  return listedIn(json).some((word) => word.includes('=')) ? ' NAME=VALUE' : ' NAME'
}

/** Maximum length of a list of names in the help. */
const maxListed = 12

/** Returns the allowed names, if they are few; for settings, the parts before the equals sign. */
export function choicesIn(json: JsonSchema): readonly string[] {
  const names = [...new Set(listedIn(json).map((word) => word.replace(/[.=].*/, '')))]
  return names.length > maxListed ? [] : names
}

function choiceText(json: JsonSchema): string {
  const names = choicesIn(json)
  return names.length === 0 ? '' : ` (${names.join(', ')})`
}

/** Lays out a list in two columns; long descriptions continue within the second one. */
function listText(title: string, entries: readonly HelpEntry[], width: number): string {
  if (entries.length === 0) return ''
  const longest = Math.max(...entries.map(({ name }) => name.length))
  const column = Math.min(longest, Math.floor(width / 2)) + 4
  const lines = entries.flatMap(({ name, summary }) => {
    const [first = '', ...rest] = wrap(summary, Math.max(20, width - column))
    const start = `  ${name}`.padEnd(column)
    const below = rest.map((line) => ' '.repeat(column) + line)
    // A name that is too long for its column gets a line of its own.
    return start.length > column
      ? [start, ' '.repeat(column) + first, ...below]
      : [start + first, ...below]
  })
  return [`${title}:`, ...lines].join('\n')
}

/** Lays out examples: a comment, and a line to paste into a shell. */
function exampleText(name: string, examples: Command['examples']): string {
  const lines = Object.entries(examples).flatMap(([words, summary]) => [
    `  # ${summary}`,
    `  ${programLine(`${name} ${words}`.trim())}`,
  ])
  return lines.length === 0 ? '' : ['Examples:', ...lines].join('\n')
}
