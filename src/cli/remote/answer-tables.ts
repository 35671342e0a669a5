import { defaultGaps, formatChoice, type GapName } from '../../contract/gaps.ts'
import { toJson } from '../../contract/int64.ts'
import { printable } from '../terminal/printable.ts'
import { formatTable } from '../terminal/table.ts'

type Row = Readonly<Record<string, unknown>>

/** Shows a person an answer of the control API: an object, or each one of an array, as a row. */
export function answerTable(answer: unknown): string {
  if (answer === undefined) return 'Done'
  const rows = rowsOf(answer)
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))]
  return table(names, rows, (row) => names.map((name) => row[name]))
}

/** Shows pets. */
export function petTable(answer: unknown): string {
  return table(['id', 'name', 'categoryId', 'status'], rowsOf(answer), (pet) => {
    const { id, name, categoryId, status } = pet
    return [id, cut(String(name)), categoryId, status]
  })
}

/** Shows keys, and what they have left. */
export function keyTable(answer: unknown): string {
  const names = ['key', 'plan', 'state', 'left this minute', 'left today', 'expires']
  return table(names, rowsOf(answer), (row) => {
    const key = row as unknown as ShownKey
    return [
      key.key,
      key.plan,
      key.bannedUntil === undefined ? key.state : `banned until ${key.bannedUntil}`,
      leftOf(key.minute),
      leftOf(key.day),
      key.expiresAt,
    ]
  })
}

interface ShownKey {
  readonly key: string
  readonly plan: string
  readonly state: string
  readonly bannedUntil?: string
  readonly expiresAt?: string
  readonly minute: ShownWindow
  readonly day: ShownWindow
}

interface ShownWindow {
  readonly limit: number
  readonly remaining: number
}

function leftOf({ remaining, limit }: ShownWindow): string {
  return `${remaining.toLocaleString('en')} of ${limit.toLocaleString('en')}`
}

/** Shows faults, their settings in the words by which they are added. */
export function faultTable(answer: unknown): string {
  const names = ['id', 'fault', 'settings', 'seen', 'struck']
  return table(names, rowsOf(answer), ({ id, fault, seen, struck, ...settings }) => {
    const words = Object.entries(settings).map(([name, value]) => `${name}=${textOf(value)}`)
    return [id, fault, words.join(' '), seen, struck]
  })
}

/** Shows the choices in force, and the default of those that have another. */
export function gapTableOf(answer: unknown): string {
  const rows = Object.entries(answer as Row)
  return table(['gap', 'choice', 'default'], rows, ([name, choice]) => {
    const usual = formatChoice(name as GapName, defaultGaps[name as GapName])
    return [name, choice, choice === usual ? '' : usual]
  })
}

function rowsOf(answer: unknown): readonly Row[] {
  return (Array.isArray(answer) ? answer : [answer]) as Row[]
}

function table<Item>(
  names: readonly string[],
  items: readonly Item[],
  cells: (item: Item) => readonly unknown[],
): string {
  if (items.length === 0) return 'None'
  return formatTable([names, ...items.map((item) => cells(item).map(textOf).map(printable))])
}

function textOf(value: unknown): string {
  if (value === undefined || value === null) return ''
  return typeof value === 'object' ? toJson(value) : String(value)
}

/** The longest name that a table shows whole. */
const shownName = 60

function cut(text: string): string {
  const characters = [...text]
  return characters.length > shownName ? `${characters.slice(0, shownName - 1).join('')}…` : text
}
