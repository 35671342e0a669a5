import {
  type Action,
  type ActionClient,
  type ActionGroup,
  type ActionResult,
  actionGroups,
} from '../../client/actions/actions.ts'
import {
  listedIn,
  missingText,
  placeAt,
  readEach,
  surplusText,
  usageOf,
  wordValues,
} from '../../client/actions/words.ts'
import { gapDescriptions, gapNames } from '../../mock/api/gaps.ts'
import { show } from '../../mock/input/input-error.ts'
import { nearest } from '../../mock/input/nearest.ts'
import { list, object, optional, type Properties } from '../../mock/input/object.ts'
import { described, suggestion } from '../../mock/input/schema.ts'
import { string } from '../../mock/input/values.ts'
import { faultTexts } from '../fail/fault-texts.ts'
import type { KeyView, ScenarioView } from '../live/live-store.ts'
import { linkTo, type PlaceName } from '../model/route.ts'

/** Effect of a line. */
export type Run =
  | {
      readonly kind: 'call'
      readonly call: (client: ActionClient) => Promise<ActionResult>
      /** Whether it deletes something that can be brought back. */
      readonly deletes: boolean
    }
  | { readonly kind: 'go'; readonly link: string }
  /** Downloads a capture. */
  | { readonly kind: 'capture' }

/** Data of the sandbox that lines may name. */
export interface Known {
  readonly keys: readonly KeyView[]
  readonly scenarios: readonly ScenarioView[]
}

/** A line that is offered while the user types. */
export interface Offer {
  readonly line: string
  /** The line with its arguments, as in a line of usage. */
  readonly title: string
  readonly summary: string
  /** Whether the line needs no further arguments. */
  readonly isWhole: boolean
}

/** A command of the palette. */
interface Row {
  /** Its names; the first one is shown. */
  readonly names: readonly string[]
  readonly summary: string
  readonly words: Properties
  readonly examples: Action['examples']
  prepare(words: Readonly<Record<string, unknown>>): Run
}

/** Returns a row for each action of a group. */
function actionRows([group, { actions, actionForArgs }]: readonly [string, ActionGroup]) {
  return Object.entries(actions).map(
    ([name, { summary, words, examples, deletes, prepare }]): Row => {
      const whole = `${group} ${name}`
      const isDefault = name === actionForArgs || group === 'reset'
      return {
        names: isDefault ? [group, whole] : [whole, name],
        summary,
        words,
        examples,
        prepare: (read) => ({ kind: 'call', call: prepare(read), deletes }),
      }
    },
  )
}

/** Returns a row for a command that shows a place. */
function placeRow(
  name: string,
  summary: string,
  place: PlaceName,
  path: readonly string[] = [],
): Row {
  const prepare = (): Run => ({ kind: 'go', link: linkTo(place, path) })
  return { names: [name], summary, words: {}, examples: {}, prepare }
}

/** All commands: those that change the sandbox, and those that show a place of the console. */
const rows: readonly Row[] = [
  ...Object.entries<ActionGroup>(actionGroups).flatMap(actionRows),
  {
    ...placeRow('requests', 'Show the requests, or search in them', 'requests'),
    words: { search: optional(described('Words to search for', list(string)), []) },
    prepare: ({ search }) => {
      const text = Array.isArray(search) ? search.join(' ') : ''
      return { kind: 'go', link: linkTo('requests', [], { search: text }) }
    },
  },
  placeRow('findings', 'Show the findings', 'findings'),
  placeRow('faults', 'Show the faults', 'fail'),
  placeRow('scenario', 'Show the scenarios', 'fail'),
  placeRow('keys', 'Show the keys', 'data', ['keys']),
  placeRow('pets', 'Show the pets', 'data', ['pets']),
  placeRow('snapshot', 'Show the snapshots', 'data', ['snapshots']),
  placeRow('gaps', 'Show the spec with its gaps', 'spec'),
  placeRow('what-if', 'Show the gaps, to try other values', 'spec'),
  placeRow('status', 'Show the requests', 'requests'),
  {
    ...placeRow('capture', 'Download all that was done, to replay it elsewhere', 'requests'),
    prepare: () => ({ kind: 'capture' }),
  },
]

/** Commands that need a terminal: they read files, run programs, or print. */
const terminalCommands =
  'serve check exec open replay calibrate openapi agents completion state'.split(' ')

/** Commands of the command line that the palette doesn't have, and what to use in place of each. */
export const otherCommands: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    terminalCommands.map((name) => [name, `a terminal: npx petstore-sandbox ${name}`]),
  ),
  sandboxes: 'the menu of sandboxes in the bar',
}

/** Names of the commands, without their actions. */
export const commandNames: readonly string[] = [
  ...new Set(rows.map(({ names: [name = ''] }) => name.split(' ')[0] ?? '')),
]

/** Splits a line into words; quotes around a word keep its blanks. */
function wordsOf(line: string): readonly string[] {
  const found = line.matchAll(/"([^"]*)"?(?=\s|$)|'([^']*)'?(?=\s|$)|\S+/g)
  return Array.from(found, ([whole, double, single]) => double ?? single ?? whole)
}

/** The command that a line names, and its arguments. */
interface Located {
  readonly row: Row
  readonly given: readonly string[]
}

/** Returns what is wrong with the number of arguments, if anything. */
function countProblem({ row: { names, words }, given }: Located): string | undefined {
  const command = { name: names[0] ?? '', words, usage: usageOf(words) }
  return missingText(command, given) ?? surplusText(command, given)
}

/** Finds the command that a line names; the name of the group may be left out if no other group has such an action. */
function locate(words: readonly string[]): Located | undefined {
  for (const count of [2, 1]) {
    const name = words.slice(0, count).join(' ')
    const named = rows.filter(({ names }) => names.includes(name))
    const found = named.map((row): Located => ({ row, given: words.slice(count) }))
    const fitting = found.filter((one) => countProblem(one) === undefined)
    // Of commands with the same name, such as `scenario`, the number of arguments tells which is meant.
    const [one] = fitting.length > 0 ? fitting : found
    if (one === undefined) continue
    // More words after the name of a place are an unknown action.
    const isPlace = Object.keys(one.row.words).length === 0 && count === 1
    if (isPlace && fitting.length === 0) return undefined
    if (fitting.length === 1 || found.length === 1 || commandNames.includes(name)) return one
  }
  return undefined
}

/**
 * Reads a line.
 *
 * @throws Error with a message for the user.
 */
export function readLine(line: string): Run {
  const words = wordsOf(line)
  const option = words.find((word) => /^--?[a-z]/.test(word))
  if (option !== undefined) throw new Error(`Cannot use ${option} here: commands have no options`)
  const located = locate(words)
  if (located === undefined) throw new Error(unknownText(words))
  const problem = countProblem(located)
  if (problem !== undefined) throw new Error(problem)
  const { row, given } = located
  return row.prepare(readEach(object(row.words), wordValues(row.words, given)))
}

/** Explains why a line names no command. */
function unknownText([first = '', second]: readonly string[]): string {
  const other = Object.hasOwn(otherCommands, first) ? otherCommands[first] : undefined
  if (other !== undefined) return `Cannot run ${first} here: use ${other}`
  const actions = rows.flatMap(({ names: [name = ''] }) => {
    const [group, action] = name.split(' ')
    return group === first ? (action ?? []) : []
  })
  if (actions.length > 0) {
    const found = second === undefined ? 'no action given' : `unknown action ${show(second)}`
    const hint = suggestion(nearest(second ?? '', actions)) ?? `use one of ${actions.join(', ')}`
    return `Cannot run ${first}: ${found}; ${hint}`
  }
  const several = rows.flatMap(({ names }) => (names.includes(first) ? (names[0] ?? []) : []))
  if (several.length > 0) return `Cannot run ${first}: use ${several.join(' or ')}`
  const hint =
    suggestion(
      nearest(
        first,
        rows.flatMap(({ names }) => names),
      ),
    ) ?? `use one of ${commandNames.join(', ')}`
  return `Cannot run ${show(first)}: unknown command; ${hint}`
}

/** Returns the lines that a text may become: the text itself, with its last word completed, or a command that begins with it. */
export function offersFor(text: string, known: Known): readonly Offer[] {
  const words = wordsOf(text)
  const commands = commandOffers(words, known)
  const located = locate(words)
  if (located === undefined) return commands
  const values = valueOffers(text, located, known)
  const whole: Offer = {
    line: text.trim(),
    title: text.trim(),
    summary: located.row.summary,
    isWhole: true,
  }
  const isWhole = countProblem(located) === undefined
  // A word that is still being typed is completed first.
  const isTyping = !/\s$/.test(text) && values.length > 0
  const all = [
    ...(isWhole && !isTyping ? [whole] : []),
    ...values,
    ...(isWhole && isTyping ? [whole] : []),
    ...commands,
  ]
  return all.filter(({ line }, at) => {
    return all.findIndex((other) => other.line.trim() === line.trim()) === at
  })
}

/** Describes the argument that the user types, such as `duration: How long, such as 10m`. */
export function argumentHint(text: string): string | undefined {
  const located = locate(wordsOf(text))
  const place = located && placeAt(located.row.words, typedAt(text, located))
  return place && `${place[0]}: ${place[1].description ?? ''}`
}

/** Returns the position of the argument that the user types. */
function typedAt(text: string, { given }: Located): number {
  return /\s$/.test(text) || given.length === 0 ? given.length : given.length - 1
}

/** Returns the commands whose names begin with a text, or else those that are about it. */
function commandOffers(typed: readonly string[], known: Known): readonly Offer[] {
  const all = allOffers(known)
  const begins = all.filter(({ title }) => {
    const words = title.split(' ')
    return [words, words.slice(1)].some((own) =>
      typed.every((one, at) => own[at]?.startsWith(one) === true),
    )
  })
  if (begins.length > 0) return begins
  return all.filter(({ title, summary }) => {
    const text = `${title} ${summary}`.toLowerCase()
    return typed.every((one) => text.includes(one.toLowerCase()))
  })
}

/** Returns an offer for each command, and for each scenario by its name. */
function allOffers({ scenarios }: Known): readonly Offer[] {
  const ofRows = rows.map(({ names: [name = ''], summary, words }): Offer => {
    const usage = usageOf(words)
    const isWhole = !usage.includes('<')
    return { line: isWhole ? name : `${name} `, title: `${name} ${usage}`.trim(), summary, isWhole }
  })
  const ofScenarios = scenarios.flatMap(({ name, title, summary, inForce }) => [
    {
      line: `scenario ${name}`,
      title: `scenario ${name}`,
      summary: `${title}: ${summary}`,
      isWhole: true,
    },
    ...(inForce
      ? [
          {
            line: `scenario undo ${name}`,
            title: `scenario undo ${name}`,
            summary: `Undo: ${title}`,
            isWhole: true,
          },
        ]
      : []),
  ])
  return [...ofRows, ...ofScenarios]
}

/** Returns the possible values of the argument that the user types. */
function valueOffers(text: string, located: Located, known: Known): readonly Offer[] {
  const { row, given } = located
  const at = typedAt(text, located)
  const place = placeAt(row.words, at)
  if (place === undefined) return []
  const typed = given[at] ?? ''
  // A quoted text isn't completed.
  const before = given[at] === undefined ? `${text.trimEnd()} ` : text.slice(0, -typed.length)
  if (before + typed !== text.trimEnd() && typed !== '') return []
  return valuesAt(place, at, row, known).flatMap(([value, summary]): Offer[] => {
    if (!value.startsWith(typed) || value === typed) return []
    const line = before + value
    const next = { row, given: [...given.slice(0, at), value] }
    const isWhole = !value.endsWith('=') && countProblem(next) === undefined
    return [
      { line: isWhole || value.endsWith('=') ? line : `${line} `, title: value, summary, isWhole },
    ]
  })
}

type Value = readonly [value: string, summary: string]

function valuesAt(
  [name, json]: NonNullable<ReturnType<typeof placeAt>>,
  at: number,
  row: Row,
  { keys, scenarios }: Known,
): readonly Value[] {
  const ofKeys = keys.map(({ key, plan, state }): Value => [key, `${plan}, ${state}`])
  if (name === 'key') return row.names.includes('keys issue') ? [] : ofKeys
  const listed = listedIn(json)
  if (listed.length > 0) {
    const texts = new Map<string, string>([
      ...scenarios.map(({ name: one, title }) => [one, title] as const),
      ...gapNames.map((gap) => [gap, gapDescriptions[gap].summary] as const),
      ...Object.entries(faultTexts),
    ])
    return listed.flatMap((value): Value[] => {
      const own: Value = [value, texts.get(value.replace(/=.*/, '')) ?? '']
      return value === 'key='
        ? [own, ...ofKeys.map(([key, summary]): Value => [value + key, summary])]
        : [own]
    })
  }
  // Examples tell what a free text looks like.
  return Object.entries(row.examples).flatMap(([example, summary]): Value[] => {
    const value = wordsOf(example)[at]
    return value === undefined ? [] : [[value, summary]]
  })
}
