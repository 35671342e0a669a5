import { pollMs, type Seen } from '../seen.ts'

/** How many lists are told apart, the latest ones. */
const keptLists = 4

/** A list, and the number by which it is known again. */
interface KnownList {
  readonly body: string
  readonly number: number
}

/** What is known of all origins of a panel together. */
export class Company {
  /** Whether anybody was refused. */
  hasRefused = false
  /** Where the request stands that added the latest pet. */
  lastPetOrder = 0
  #lists: readonly KnownList[] = []
  /** The first request of those that came within the shortest pause of a poll, and the number of these. */
  #first: Seen | undefined
  #span = 0
  #lastList = 0

  /** Numbers spans of time: between two requests of the same span, there is no pause of a poll. */
  spanOf(next: Seen): number {
    if (this.#first === undefined || isApart(this.#first, next)) {
      this.#first = next
      this.#span++
    }
    return this.#span
  }

  /** The number of a list: another one for each that isn't among the latest ones. */
  numberOf(body: string): number {
    for (const known of this.#lists) if (known.body === body) return known.number
    this.#lastList++
    this.#lists = [...this.#lists.slice(1 - keptLists), { body, number: this.#lastList }]
    return this.#lastList
  }
}

/** Whether by any clock, and in any direction, there is a pause of a poll between two requests. */
function isApart(one: Seen, other: Seen): boolean {
  return (
    Math.abs(other.at - one.at) >= pollMs ||
    Math.abs(other.visit.received - one.visit.received) >= pollMs ||
    Math.abs(other.visit.receivedAt - one.visit.receivedAt) >= pollMs
  )
}
