import type { GapChoices, GapName } from '../contract/gaps.ts'
import { choicesAtGaps } from './cells/cells.ts'

/** Hears of a choice at a gap that is read for the first time, by the cell that it has. */
type OnRead = (cell: string) => void

/** Whether cells are of a gap; the table of gaps itself is no part of the chunk (decisions/027). */
function isGap(name: string): name is GapName {
  return Object.hasOwn(choicesAtGaps, name)
}

const names: readonly GapName[] = Object.keys(choicesAtGaps).filter(isGap)

/** Choices at gaps that tell on which of them an answer depends: those that the engine reads for it. */
class GapReader {
  /** By their places among the names: found without a look-up, since the engine reads dozens for each answer. */
  readonly #choices: readonly GapChoices[GapName][]
  readonly #onRead: OnRead
  /** Those that were read, as 1. */
  readonly #isRead = new Uint8Array(names.length)
  #isHeard = false

  constructor(choices: GapChoices, onRead: OnRead) {
    this.#choices = names.map((name) => choices[name])
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
    const choice = this.#choices[place]
    if (this.#isHeard && this.#isRead[place] === 0) this.#tell(place, String(choice))
    return choice
  }

  #tell(place: number, choice: string): void {
    this.#isRead[place] = 1
    const name = names[place]
    if (name === undefined) return
    const { listed, other } = choicesAtGaps[name]
    const cell = listed[choice] ?? other
    if (cell !== undefined) this.#onRead(cell)
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
