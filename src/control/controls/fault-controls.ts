import { type FaultSettings, faultRule } from '../../faults/fault-rules.ts'
import { list } from '../../input/collections.ts'
import { MissingError } from '../../input/input-error.ts'
import { readInput } from '../../input/schema.ts'
import { show } from '../../input/show.ts'
import type { Fault } from '../../state/faults.ts'
import { type Access, marking, observing } from './access.ts'

/** The tester's control of faults, which go wrong on purpose. */
export interface FaultControls {
  /** The faults in the order in which they were added, with what they have done. */
  list(): Fault[]
  /** Adds all faults or none. */
  add(faults: readonly FaultSettings[]): Fault[]
  add(fault: FaultSettings): Fault
  /** Adds a fault, or an array of them. */
  add(faults: FaultSettings | readonly FaultSettings[]): Fault | Fault[]
  remove(id: number): void
  clear(): void
}

const faultList = list(faultRule)

/** Makes the controls of a sandbox's faults. */
export function faultControls(access: Access): FaultControls {
  const { state } = access
  const changing = marking(access, 'faults-changed')
  const observed = observing(access)
  const addOne = observed(
    'faults.add',
    changing((value: unknown) => state().faults.add(readInput(faultRule, value, 'fault'))),
  )
  const addAll = observed(
    'faults.add',
    changing((value: unknown) => state().faults.addAll(readInput(faultList, value, 'faults'))),
  )
  function add(faults: readonly FaultSettings[]): Fault[]
  function add(fault: FaultSettings): Fault
  function add(value: FaultSettings | readonly FaultSettings[]): Fault | Fault[]
  function add(value: unknown): Fault | Fault[] {
    return Array.isArray(value) ? addAll(value) : addOne(value)
  }
  return {
    list: () => state().faults.list(),
    add,
    remove: observed(
      'faults.remove',
      changing((id) => {
        if (state().faults.remove(id)) return
        throw new MissingError(`Cannot find fault ${show(id)}: no fault has this id`)
      }),
    ),
    clear: observed(
      'faults.clear',
      changing(() => state().faults.clear()),
    ),
  }
}
