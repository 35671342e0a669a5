import type { GapChoices, GapName } from '../contract/gaps.ts'
import { choicesAtGaps } from './cells/cells.ts'

/** Hears of a choice at a gap that is read for the first time, by the cell that it has. */
type OnRead = (cell: string) => void

/** Whether cells are of a gap. */
function isGap(name: string): name is GapName {
  return Object.hasOwn(choicesAtGaps, name)
}

const names: readonly GapName[] = Object.keys(choicesAtGaps).filter(isGap)

const cellsAt = names.map((name) => choicesAtGaps[name])

/** Choices at gaps that tell on which of them an answer depends: those that the engine reads for it. */
class GapReader {
  readonly #choices: GapChoices
  readonly #onRead: OnRead
  /**
   * Those that were told, by their places among the names: found without a look-up, since the engine reads dozens for each
   * answer.
   */
  readonly #told = new Array<GapChoices[GapName] | undefined>(names.length).fill(undefined)
  #isHeard = false

  constructor(choices: GapChoices, onRead: OnRead) {
    this.#choices = choices
    this.#onRead = onRead
  }

  /** Begins to tell: a request is being answered, and what controls read doesn't count. */
  listen(): void {
    this.#isHeard = true
  }

  pause(): void {
    this.#isHeard = false
  }

  choiceAt(place: number): GapChoices[GapName] | undefined {
    return this.#told[place] ?? this.#look(place)
  }

  #look(place: number): GapChoices[GapName] | undefined {
    const [name, cells] = [names[place], cellsAt[place]]
    if (name === undefined || cells === undefined) return undefined
    const choice = this.#choices[name]
    if (!this.#isHeard) return choice
    this.#told[place] = choice
    const cell = cells.listed[String(choice)] ?? cells.other
    if (cell !== undefined) this.#onRead(cell)
    return choice
  }
}

// On the prototype, so that all readers have one shape, and the engine reads them as fast as plain choices.
for (const [place, name] of names.entries()) {
  Object.defineProperty(GapReader.prototype, name, {
    get(this: GapReader) {
      return this.choiceAt(place)
    },
  })
}

const areAllGetters = names.every((name) => name in GapReader.prototype)

function hasAllGaps(_reader: GapReader): _reader is GapReader & GapChoices {
  return areAllGetters
}

/** Wraps choices, so that the first reading of each is told. */
export function readerOf(choices: GapChoices, onRead: OnRead): GapReader & GapChoices {
  const reader = new GapReader(choices, onRead)
  if (hasAllGaps(reader)) return reader
  throw new TypeError('Cannot read the choices: a gap has no getter')
}
