import type { GapView } from '../../contract/gap-settings.ts'
import { defaultGaps, formatChoice, gapNames } from '../../contract/gaps.ts'
import { toJson } from '../../contract/json/json.ts'
import type { Pet } from '../../contract/pet.ts'
import { isRecord } from '../../input/record.ts'
import type { Fault } from '../../state/faults.ts'
import { cut } from '../terminal/cut.ts'
import { printable } from '../terminal/printable.ts'
import { formatTable } from '../terminal/table.ts'
import { settingWords } from './answer-sentences.ts'

/** Shows an answer of the control API as a table, with a row for each object. */
export function answerTable(answer: unknown): string {
  const rows = listOf(answer).filter(isRecord)
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))]
  return table(names, rows, (row) => names.map((name) => row[name]))
}

/** Shows pets. */
export function petTable(pets: Pet | readonly Pet[]): string {
  const names = ['id', 'name', 'categoryId', 'status']
  return table(names, listOf(pets), ({ id, name, categoryId, status }) => [
    id,
    cut(name),
    categoryId,
    status,
  ])
}

/** Shows faults, with their settings as they are written to add them. */
export function faultTable(faults: Fault | readonly Fault[]): string {
  const names = ['id', 'fault', 'settings', 'seen', 'struck']
  return table(names, listOf(faults), ({ id, fault, seen, struck, ...settings }) => {
    return [id, fault, settingWords(settings).join(' '), seen, struck]
  })
}

/** Shows the choices in force at some gaps, with the default where it differs. */
export function choiceTable(inForce: GapView, names: readonly string[] = gapNames): string {
  const shown = gapNames.filter((name) => names.includes(name))
  return table(['gap', 'choice', 'default'], shown, (name) => {
    const usual = formatChoice(name, defaultGaps[name])
    return [name, inForce[name], inForce[name] === usual ? '' : usual]
  })
}

function listOf<Item>(answer: Item | readonly Item[]): readonly Item[] {
  return isList(answer) ? answer : [answer]
}

function isList<Item>(answer: Item | readonly Item[]): answer is readonly Item[] {
  return Array.isArray(answer)
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
