import { type FaultSettings, faultRule, faultSettings } from '../../mock/faults/fault-rules.ts'
import { NotFoundError, show } from '../../mock/input/input-error.ts'
import { list, object, oneOrMany } from '../../mock/input/object.ts'
import { readInput } from '../../mock/input/schema.ts'
import type { Fault } from '../../mock/state/faults.ts'
import { type ControlContext, mutation } from './access.ts'
import { idInPath, routesOn } from './http/route.ts'

/** Controls that list, add and remove faults. */
export interface FaultControls {
  /** Returns the faults in the order in which they were added, with their counts of requests. */
  list(): Fault[]
  /**
   * Adds all faults or none.
   *
   * @throws {@link InputError} for an invalid fault, or too many faults.
   */
  add(faults: readonly FaultSettings[]): Fault[]
  /**
   * Adds a fault: an injected failure for requests that match its filters.
   *
   * @throws {@link InputError} for an invalid fault, or too many faults.
   */
  add(fault: FaultSettings): Fault
  /**
   * Removes a fault by its id.
   *
   * @throws {@link NotFoundError} if the fault does not exist.
   */
  remove(id: number): void
  /** Removes all faults. */
  clear(): void
}

const faultList = list(faultRule)

/** Creates the controls of a sandbox's faults. */
export function faultControls(access: ControlContext): FaultControls {
  const { state } = access
  const changed = mutation(access, 'faults-changed')
  const addAny = changed('faults.add', (value: unknown) => {
    const { faults, clock } = state()
    return Array.isArray(value)
      ? faults.addAll(readInput(faultList, value, 'faults'), clock.now())
      : faults.add(readInput(faultRule, value, 'fault'), clock.now())
  })
  function add(faults: readonly FaultSettings[]): Fault[]
  function add(fault: FaultSettings): Fault
  function add(value: unknown): Fault | Fault[] {
    return addAny(value)
  }
  return {
    list: () => state().faults.list(),
    add,
    remove: changed('faults.remove', (id) => {
      if (state().faults.remove(id)) return
      throw new NotFoundError(`Cannot find fault ${show(id)}: no such fault`)
    }),
    clear: changed('faults.clear', () => state().faults.clear()),
  }
}

const route = routesOn<{ readonly controls: { readonly faults: FaultControls } }>('faults')

/** Routes of faults. */
export const faultRoutes = {
  'faults.list': route('faults.list', {
    summary: 'List the faults, with the number of requests that each matched and was applied to',
    run: ({ controls }) => controls.faults.list(),
  }),
  'faults.add': route('faults.add', {
    summary: 'Add a fault or an array of faults',
    description:
      'Adds all of them or none. Latencies add up; of all other faults that match a request, only the first is applied.',
    body: oneOrMany(faultSettings),
    status: 201,
    run: ({ controls: { faults }, body }) =>
      // The raw body may be anything.
      typeof body === 'object' && body !== null && 'fault' in body
        ? faults.add(body)
        : faults.add(body),
  }),
  'faults.clear': route('faults.clear', {
    summary: 'Remove all faults',
    description: 'Removes every fault; their effects on requests under way go on.',
    run: ({ controls }) => controls.faults.clear(),
  }),
  'faults.remove': route('faults.remove', {
    summary: 'Remove a fault',
    description: 'Removes one fault; its effects on requests under way go on.',
    params: object({ id: idInPath("The fault's id.") }, { title: 'fault' }),
    run: ({ controls, params }) => controls.faults.remove(params.id),
  }),
} as const
