import { InputError } from '../../input/input-error.ts'
import { show } from '../../input/show.ts'

/**
 * Reads a number as it was typed; whether it will do is for the sandbox to say.
 *
 * @param place What a refusal calls it, as the sandbox would: `fault.times`.
 * @throws {@link InputError} with what was typed, if that is no number.
 */
export function numberTyped(place: string, text: string): number {
  const found = text.trim()
  const number = found === '' ? Number.NaN : Number(found)
  if (Number.isFinite(number)) return number
  const [, ...path] = place.split('.')
  throw new InputError(
    `Cannot set ${place}: found ${show(found)}; use a number`,
    path,
    'wrong-value',
  )
}
