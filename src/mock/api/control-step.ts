import { isRecord } from '../input/record.ts'

/** A control call as data. */
export interface ControlStep {
  /** The name of the typed control, such as `keys.update`. */
  readonly control: string
  /** The arguments, in the order of the typed control. */
  readonly args: readonly unknown[]
}

/** Calls the control of a step on a sandbox, in process or over HTTP. */
export function runStep(controls: object, { control, args }: ControlStep): unknown {
  const call = control.split('.').reduce<unknown>((part, name) => {
    return isRecord(part) ? part[name] : undefined
  }, controls)
  if (typeof call !== 'function') throw new TypeError(`Cannot call ${control}: no such control`)
  return call(...args)
}
