import { InputError } from '../input/input-error.ts'
import { type KnownSteps, mostBytes, mostStateBytes, type Step } from './step-record.ts'

const mebibyte = 2 ** 20

/**
 * Gives the steps of a record that has not forgotten all of them.
 *
 * @throws {@link InputError} if it has.
 */
export function knownSteps({ steps, isLarge }: KnownSteps): readonly Step[] {
  if (steps !== undefined) return steps
  const why = isLarge
    ? `more than ${mostBytes / mebibyte} MiB came after it, and what the sandbox holds takes more than ${mostStateBytes / mebibyte} MiB, so nothing can begin in the middle; reset the sandbox before the suite, or give it fewer pets`
    : 'there was no room for it in what all sandboxes may remember; reset the sandbox before the suite'
  throw new InputError(
    `Cannot replay what the sandbox was asked: it has forgotten the beginning, since ${why}`,
  )
}
