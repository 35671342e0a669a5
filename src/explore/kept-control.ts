import { Journal } from '../state/journal.ts'
import type { State } from '../state/state.ts'
import { takeSnapshot } from '../state/state.ts'
import type { ControlStep } from './stretch.ts'

/** What a pet counts for; with more of them than fit, copying would keep a process busy for too long. */
const petBytes = 600

/** What stands in a journal changes no answer. */
function noJournal(): Journal {
  return new Journal(0, (text) => text)
}

/** What a key with its windows, a fault or the windows of an unknown token counts for. */
const otherBytes = 1_024

/** How many bytes a copy of a state takes, rather too many. */
export function bytesOfState({ pets, keys, faults, quotas, seed }: State): number {
  const countOfPets = pets.size + (seed?.pets?.length ?? 0)
  const others = keys.all().length + faults.list().length + quotas.size
  return countOfPets * petBytes + others * otherBytes
}

/** The control that makes everything as it is in a state. */
export function restoringStep(state: State): ControlStep {
  const snapshot = takeSnapshot({ ...state, journal: noJournal() })
  return { kind: 'control', at: state.clock.now(), name: 'restore', given: [snapshot] }
}

/** A copy that nobody else can change; `undefined` of what can't be copied, or is too large. */
export function copyOf(
  step: Omit<ControlStep, 'kind'>,
  most: number,
): { readonly step: ControlStep; readonly bytes: number } | undefined {
  if (step.given.some((one) => isLarge(one, most))) return undefined
  try {
    const copy: ControlStep = { kind: 'control', ...step, given: structuredClone(step.given) }
    const bytes = bytesOfControl(copy)
    return bytes > most ? undefined : { step: copy, bytes }
  } catch {
    return undefined
  }
}

/** Looks at seeds, snapshots and lists of pets, whose copies take long when they are larger than a record. */
function isLarge(given: unknown, most: number): boolean {
  if (Array.isArray(given)) return given.length * petBytes > most
  if (typeof given !== 'object' || given === null) return false
  if ('keys' in given && isLarge(given.keys, most)) return true
  if ('pets' in given) return isLarge(given.pets, most)
  return 'list' in given && isLarge(given.list, most)
}

/** About how many bytes a control takes: to write it as JSON would take several times as long. */
export function bytesOfControl({ given }: ControlStep): number {
  return lengthOf(given)
}

function lengthOf(value: unknown): number {
  if (typeof value === 'string') return value.length + 2
  if (typeof value !== 'object' || value === null) return 8
  let length = 2
  for (const [name, part] of Object.entries(value)) length += name.length + 4 + lengthOf(part)
  return length
}

/** What a control was given, with what it drew at random, and without what changes no answer. */
export function keptOf(
  name: string,
  given: readonly unknown[],
  answer: unknown,
): readonly unknown[] {
  const [first, ...others] = given
  if (typeof first !== 'object' || first === null) return given
  if (name === 'keys.issue' && typeof answer === 'object' && answer !== null && 'key' in answer) {
    return [{ ...first, key: answer.key }, ...others]
  }
  if (name === 'restore') return [{ ...first, journal: { lastId: 0, list: [], marks: [] } }]
  return given
}
