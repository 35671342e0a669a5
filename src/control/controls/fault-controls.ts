import { type FaultSettings, parseFault } from '../../faults/fault-rule.ts'
import { InputError, show } from '../../input/input-error.ts'
import type { Fault } from '../../state/faults.ts'
import type { Access } from './access.ts'
import { MissingError } from './missing-error.ts'

/** What goes wrong on purpose. */
export interface FaultControls {
  /** The faults with what they have done, in the order in which they were added. */
  list(): Fault[]
  /** Adds faults, all of them or none. */
  add(faults: readonly FaultSettings[]): Fault[]
  add(fault: FaultSettings): Fault
  remove(id: number): void
  clear(): void
}

/** Makes the controls of a sandbox's faults. */
export function faultControls({ state }: Access): FaultControls {
  function add(faults: readonly FaultSettings[]): Fault[]
  function add(fault: FaultSettings): Fault
  function add(value: unknown): Fault | Fault[] {
    if (!Array.isArray(value)) return state().faults.add(parseFault(value))
    return value.map(parseEach).map((rule) => state().faults.add(rule))
  }
  return {
    list: () => state().faults.list(),
    add,
    remove(id) {
      if (state().faults.remove(id)) return
      throw new MissingError(`Cannot find fault ${show(id)}: there is no such fault`)
    },
    clear: () => state().faults.clear(),
  }
}

function parseEach(value: unknown, index: number) {
  try {
    return parseFault(value)
  } catch (error) {
    if (!(error instanceof InputError)) throw error
    throw new InputError(`faults[${index}]: ${error.message}`, [index])
  }
}
