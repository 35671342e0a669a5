/** Severity of a report item; `ok` is as it should be. */
export type Level = 'ok' | 'info' | 'warning' | 'error'

/** One result in a report. Its texts may come from clients, so each format escapes them. */
export interface ReportItem {
  /** Name, such as `listPets 429`. */
  readonly name: string
  /** Conditions and operations of the finding, such as `outage, invalid-json (createPet)`; people read it beside the name. */
  readonly place?: string
  readonly level: Level
  /** Level in the report's own words, such as `not covered`. */
  readonly state: string
  /** Details, on one or more lines; may be empty. */
  readonly text: string
  /** Further texts, each under its own label, such as `source`. */
  readonly notes?: Readonly<Record<string, string>>
  /** Code that shows what to do; may be empty. */
  readonly code?: string
  /** One line that replaces all other texts, in formats for people; formats for programs contain all texts. */
  readonly brief?: string
  /** Whether an item of the first group explains it, which JUnit XML and GitHub then contain alone. */
  readonly isExplained?: boolean
}

/** Related items of a report. */
export interface ReportGroup {
  readonly name: string
  /** Summary of the results, such as `7 of 11`. */
  readonly summary: string
  readonly items: readonly ReportItem[]
  /** Whether the summary is enough for people; formats for programs contain the items, too. */
  readonly isSummed?: boolean
  /** Number of items that people are shown, of others only the names; formats for programs contain all. */
  readonly most?: number
}

/** Returns the items that people are shown, and a line about the others; `''` if there are none. */
export function shownItems({ items, most = items.length }: ReportGroup): {
  readonly shown: readonly ReportItem[]
  readonly rest: string
} {
  const names = items.slice(most).map(({ name }) => name)
  const rest = names.length === 0 ? '' : `${names.length} more: ${names.join(', ')} (see --all)`
  return { shown: items.slice(0, most), rest }
}

/** Creates a group of items; its summary is their number by default. */
export function groupOf(
  name: string,
  items: readonly ReportItem[],
  summary: string = String(items.length),
): ReportGroup {
  return { name, summary, items }
}

/** Colours a text by level, if the output has colours. */
export type Paint = (level: Level, text: string) => string

/** Report of a command, independent of the format. */
export interface Report {
  readonly title: string
  readonly summary: string
  /**
   * Layout for people: a line for each item, a paragraph for each item, or a card with paragraphs for items with code
   * and short lines for the others.
   */
  readonly layout: 'lines' | 'paragraphs' | 'card'
  readonly groups: readonly ReportGroup[]
  /** Next step, with a command or a path; in formats for people. */
  readonly next?: { readonly text: string; readonly code: string } | undefined
  /** The same data, for JSON. */
  readonly json: unknown
}

/** Returns the notes of an item, each after its label. */
export function notesOf({ notes = {} }: ReportItem): readonly string[] {
  return Object.entries(notes).map(([label, note]) => `${label}: ${note}`)
}

/** Returns whether a state is the number of an item in its group. */
export function isNumber(state: string): boolean {
  return /^\d{1,9}\.$/.test(state)
}

/** Returns the name of an item, with the place where it was seen. */
export function headingOf({ name, place = '' }: ReportItem): string {
  return place === '' ? name : `${name} under ${place}`
}

/** Returns all texts of an item: its lines, its notes, its code. */
export function linesOf(item: ReportItem): readonly string[] {
  const { text, code = '' } = item
  return [...text.split('\n'), ...notesOf(item), code].filter((line) => line !== '')
}
