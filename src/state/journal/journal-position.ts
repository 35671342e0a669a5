import type { JournalEntry } from './journal-entry.ts'

/** A place in a journal, before or after one of its entries. */
export interface JournalPosition {
  /** Tells a journal from any other, such as the one before a reset. */
  readonly epoch: string
  /** The id of the latest entry before it. */
  readonly id: number
}

/** A step from one position to the next. */
export interface JournalStep {
  readonly position: JournalPosition
  /** `undefined` at the journal's end. */
  readonly entry: JournalEntry | undefined
  /** Whether nothing between the two positions is missing. */
  readonly isWhole: boolean
}

/** Whether two positions are the same; `undefined` is none. */
export function isSamePosition(one: JournalPosition, other: JournalPosition | undefined): boolean {
  return one.epoch === other?.epoch && one.id === other.id
}
