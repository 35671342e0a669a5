/**
 * Carries out a control by its name, as it was recorded.
 *
 * @param controls The typed ones, or those of a remote sandbox.
 * @returns What it gives.
 */
export function callControl(controls: object, name: string, given: readonly unknown[]): unknown {
  const [group = '', member] = name.split('.')
  const target: object = member === undefined ? controls : Reflect.get(controls, group)
  const control: unknown = Reflect.get(target, member ?? group)
  if (typeof control !== 'function') throw new TypeError(`Cannot call ${name}: no such control`)
  return Reflect.apply(control, target, given)
}
