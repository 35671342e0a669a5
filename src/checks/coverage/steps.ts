import type { ControlStep } from '../../mock/api/gaps/steps.ts'
import { list, object } from '../../mock/input/object.ts'
import { described, named, rejectValue, type Schema } from '../../mock/input/schema.ts'
import { string } from '../../mock/input/values.ts'

/** Any JSON value. */
const anything: Schema<unknown> = {
  expected: 'any JSON',
  jsonSchema: () => ({}),
  parse: (found) => (found === undefined ? rejectValue(found, 'any JSON') : found),
  encode: (found) => found,
}

/** A control call, with the arguments in the order of the typed control. */
export const controlStep: Schema<ControlStep> = named(
  'ControlStep',
  object({
    control: described('The name of the typed control, such as `keys.update`.', string),
    args: list(anything),
  }),
)

/** Calls the control of a step on a sandbox, in process or over HTTP. */
export function runStep(controls: object, { control, args }: ControlStep): unknown {
  const [first = '', second] = control.split('.')
  const target: unknown = second === undefined ? controls : Reflect.get(controls, first)
  if (typeof target !== 'object' || target === null) throw new TypeError(`Cannot call ${control}`)
  const call: unknown = Reflect.get(target, second ?? first)
  if (typeof call !== 'function') throw new TypeError(`Cannot call ${control}: no such control`)
  return call.apply(target, args)
}
