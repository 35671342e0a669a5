/** How grave something is; `ok` is as it should be. */
export type Level = 'ok' | 'info' | 'warning' | 'error'

/** One thing that a report says. Its texts may come from clients: each format escapes them. */
export interface ReportItem {
  /** Such as `listPets 429`. */
  readonly name: string
  readonly level: Level
  /** The level in a word of the report's own, such as `not covered`. */
  readonly state: string
  /** What was found, on a line or several; `''` for nothing more to say. */
  readonly text: string
  /** Further texts, each under a name of its own, such as `clause`. */
  readonly notes?: Readonly<Record<string, string>>
  /** A line of code that shows what to do; `''` for none. */
  readonly code?: string
  /** One line instead of all else, for people; formats for programs have all. */
  readonly brief?: string
}

/** Items that belong together. */
export interface ReportGroup {
  readonly name: string
  /** What was found in it, such as `7 of 11`. */
  readonly summary: string
  readonly items: readonly ReportItem[]
  /** Whether its summary is enough for people; formats for programs have the items, too. */
  readonly isSummed?: boolean
}

/** Puts items into a group, which says how many there are where nothing else is to be said. */
export function groupOf(
  name: string,
  items: readonly ReportItem[],
  summary: string = String(items.length),
): ReportGroup {
  return { name, summary, items }
}

/** Gives a text the colour of a level, where the output has colours. */
export type Paint = (level: Level, text: string) => string

/** A result in a few words, to show elsewhere. */
export interface Badge {
  /** What was judged. */
  readonly label: string
  readonly text: string
  readonly level: Level
}

/** What a command reports, whatever the format. */
export interface Report {
  readonly title: string
  readonly summary: string
  /**
   * How it reads best where there are no columns to spare: a line for each item, a paragraph, or a card with paragraphs for
   * items with code and short lines for the others.
   */
  readonly layout: 'lines' | 'paragraphs' | 'card'
  readonly groups: readonly ReportGroup[]
  /** The same as JSON. */
  readonly json: unknown
}

/** The notes of an item, each with its name before it. */
export function notesOf({ notes = {} }: ReportItem): readonly string[] {
  return Object.entries(notes).map(([label, note]) => `${label}: ${note}`)
}

/** All that an item says: its lines, its notes, its code. */
export function linesOf(item: ReportItem): readonly string[] {
  const { text, code = '' } = item
  return [...text.split('\n'), ...notesOf(item), code].filter((line) => line !== '')
}
