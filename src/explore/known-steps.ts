import { InputError } from '../input/input-error.ts'
import { mostBytes, type Step } from './step-record.ts'

/**
 * Gives the steps of a record that has not forgotten its beginning.
 *
 * @throws {@link InputError} if it has.
 */
export function knownSteps(steps: readonly Step[] | undefined): readonly Step[] {
  if (steps !== undefined) return steps
  throw new InputError(
    `Cannot replay what the sandbox was asked: it has forgotten the beginning, since more than ${mostBytes / 2 ** 20} MiB came after it; reset the sandbox before the suite`,
  )
}
