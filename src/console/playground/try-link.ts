import { parseJson, toJson } from '../../mock/api/json.ts'
import { dictionary, list, object } from '../../mock/input/object.ts'
import { type Input, readInput } from '../../mock/input/schema.ts'
import { custom, either, integer, oneOf, string, text } from '../../mock/input/values.ts'
import { changingControls } from '../../sandbox/controls/http/routes.ts'

/** Maximum length of a fragment, in characters. */
const maxLength = 8_000

/** Maximum number of steps in a fragment. */
export const maxSteps = 20

/** Maximum number of times that a step sends its request. */
const maxTimes = 500

const step = either(
  object({
    control: oneOf(changingControls),
    args: list(custom('any JSON', (found): found is unknown => found !== undefined)),
  }),
  object({
    request: object({
      method: text({ use: 'a method', pattern: /^[A-Z]{1,20}$/ }),
      path: text({ use: 'a path that begins with a slash', pattern: /^\/[!-~]*$/ }),
      headers: dictionary(string),
      body: string,
    }),
    times: integer(1, maxTimes),
  }),
)

/** A control to call, or a request to send. */
export type TryStep = Input<typeof step>

/** The request of a step. */
export type TryRequest = Extract<TryStep, { request: object }>['request']

/** Reads steps that consist of the controls and requests that a link can have. */
export function readSteps(steps: unknown): readonly TryStep[] {
  return readInput(list(step), steps, 'try')
}

/** Returns the fragment that reproduces a situation, such as `#try=%5B%7B…`. */
export function tryFragment(steps: readonly TryStep[]): string {
  return `#try=${encodeURIComponent(toJson(steps))}`
}

/**
 * Parses the steps of a fragment; returns `undefined` for any other fragment.
 *
 * @throws Error with one sentence if the fragment is too long, or doesn't consist of controls and requests.
 */
export function stepsIn(fragment: string): readonly TryStep[] | undefined {
  if (!fragment.startsWith('#try=')) return undefined
  if (fragment.length > maxLength) {
    throw new RangeError(`Cannot use the link: it is longer than ${maxLength} characters`)
  }
  const steps = readSteps(jsonIn(fragment.slice('#try='.length)))
  if (steps.length <= maxSteps) return steps
  throw new RangeError(`Cannot use the link: it has ${steps.length} steps; use at most ${maxSteps}`)
}

function jsonIn(encoded: string): unknown {
  try {
    return parseJson(decodeURIComponent(encoded))
  } catch {
    throw new TypeError('Cannot use the link: its fragment is not JSON; copy the whole link')
  }
}
