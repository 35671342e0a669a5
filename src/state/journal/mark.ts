import { instantText } from '../../input/instant.ts'
import { object, optional } from '../../input/object.ts'
import { type Given, named } from '../../input/schema.ts'
import { oneOf, text, whole } from '../../input/values.ts'
import { Listeners } from '../listeners.ts'

/** What marks say: how the world of a sandbox changed between exchanges. */
export const markKinds = [
  'clock-moved',
  'clock-set-back',
  'clock-mode',
  'reset',
  'restored',
  'keys-changed',
  'pets-changed',
  'faults-changed',
  'gaps-changed',
  'rate-limit-changed',
  'test-began',
  'test-ended',
] as const

export type MarkKind = (typeof markKinds)[number]

const testName = text({ use: '1 to 1,000 characters', pattern: /[\s\S]/, most: 1_000 })

/** A change of the world between exchanges. */
export const mark = named(
  'Mark',
  object({
    /** Its place among the starts and answers of requests. */
    order: whole(0, 1e15),
    /** The sandbox's time, ISO 8601 in UTC. */
    at: instantText,
    kind: oneOf(markKinds),
    /** The name of the test that began or ended. */
    name: optional(testName),
  }),
)

/** A change of the world between exchanges. */
export type Mark = Given<typeof mark>

/** A mark from outside. */
export const newMark = named(
  'NewMark',
  object(
    { kind: oneOf(['test-began', 'test-ended']), name: optional(testName) },
    { title: 'mark', example: '{ "kind": "test-began", "name": "lists pets" }' },
  ),
)

/** A mark from outside. */
export type NewMark = Given<typeof newMark>

/** How many marks are kept. */
const maxMarks = 1_000

/** The latest changes of a sandbox's world, oldest first. */
export class Marks {
  #list: Mark[] = []
  #listeners = new Listeners<Mark>()

  add(mark: Mark): void {
    this.#list.push(mark)
    // Seldom, since it copies them all.
    if (this.#list.length >= 2 * maxMarks) this.#list = this.#list.slice(-maxMarks)
    this.#listeners.tell(mark)
  }

  /** The latest ones. */
  all(): Mark[] {
    return this.#list.slice(-maxMarks).map((mark) => ({ ...mark }))
  }

  subscribe(listener: (mark: Mark) => void): () => void {
    return this.#listeners.add(listener)
  }

  /** Takes the listeners of others, which hear no more of those. */
  adopt(other: Marks): void {
    this.#listeners = other.#listeners
    other.#listeners = new Listeners()
  }

  restore(list: readonly Mark[]): void {
    this.#list = list.slice(-maxMarks)
  }
}
