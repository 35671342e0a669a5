import type { GapChoices, GapName } from '../contract/gaps.ts'
import { choicesAtGaps } from './cells/cells.ts'

/** Hears of a choice at a gap that is read for the first time, by the cell that it has. */
type OnRead = (cell: string) => void

/** Choices at gaps that tell on which of them an answer depends: those that the engine reads for it. */
class GapReader {
  /** Whether a request is being answered: what controls read doesn't count. */
  isHeard = false
  readonly #choices: GapChoices
  readonly #onRead: OnRead
  readonly #read = new Set<string>()

  constructor(choices: GapChoices, onRead: OnRead) {
    this.#choices = choices
    this.#onRead = onRead
  }

  choiceAt<Name extends GapName>(name: Name): GapChoices[Name] {
    const choice = this.#choices[name]
    if (this.isHeard && !this.#read.has(name)) {
      this.#read.add(name)
      const { listed, other } = choicesAtGaps[name]
      const cell = listed[String(choice)] ?? other
      if (cell !== undefined) this.#onRead(cell)
    }
    return choice
  }
}

/** Whether cells are of a gap; the table of gaps itself is no part of the chunk (decisions/027). */
function isGap(name: string): name is GapName {
  return Object.hasOwn(choicesAtGaps, name)
}

// On the prototype, so that all readers have one shape, and the engine reads them as fast as plain choices.
for (const name of Object.keys(choicesAtGaps).filter(isGap)) {
  Object.defineProperty(GapReader.prototype, name, {
    get(this: GapReader) {
      return this.choiceAt(name)
    },
  })
}

function hasAllGaps(reader: GapReader): reader is GapReader & GapChoices {
  return Object.keys(choicesAtGaps).every((name) => name in reader)
}

/** Wraps choices, so that the first reading of each is told. */
export function readerOf(choices: GapChoices, onRead: OnRead): GapReader & GapChoices {
  const reader = new GapReader(choices, onRead)
  if (hasAllGaps(reader)) return reader
  throw new TypeError('Cannot read the choices: a gap has no getter')
}
