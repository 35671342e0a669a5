import type { ControlStep } from '../../mock/api/gaps/steps.ts'

/** Calls the control of a step on a sandbox, in process or over HTTP. */
export function runStep(controls: object, { control, args }: ControlStep): unknown {
  const [first = '', second] = control.split('.')
  const target: unknown = second === undefined ? controls : Reflect.get(controls, first)
  if (typeof target !== 'object' || target === null) throw new TypeError(`Cannot call ${control}`)
  const call: unknown = Reflect.get(target, second ?? first)
  if (typeof call !== 'function') throw new TypeError(`Cannot call ${control}: no such control`)
  return call.apply(target, args)
}
