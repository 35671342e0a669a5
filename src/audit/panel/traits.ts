import type { OperationName } from '../../contract/endpoints.ts'
import { isFailure, isLost } from '../retrying/failures.ts'
import type { Seen } from '../seen.ts'

/** What an exchange can be like, or come after: by this it is shown only to the rules that it may matter to. */
const traits = {
  list: 1 << 0,
  get: 1 << 1,
  create: 1 << 2,
  /** The answer was a success. */
  served: 1 << 3,
  /** A pet was added, whatever became of the answer. */
  added: 1 << 4,
  /** Its client could not use the answer. */
  failed: 1 << 5,
  /** Its client can't know what came of it. */
  lost: 1 << 6,
  refused: 1 << 7,
  /** Nothing is left in a window. */
  spent: 1 << 8,
  /** Its origin has had two requests under way. */
  parallel: 1 << 9,
  /** It came over a connection that is known. */
  connected: 1 << 10,
  /** Its origin was told to come back later. */
  'after refusal': 1 << 11,
  /** Its origin knew that the same request had failed. */
  'after failure': 1 << 12,
  /** Its origin has lost an answer. */
  'after loss': 1 << 13,
} as const

export type Trait = keyof typeof traits

/** What an origin has lived through. */
interface Past {
  readonly isParallel: boolean
  readonly wasRefused: boolean
  triesBefore(seen: Seen): unknown
  readonly hasLost: boolean
}

const ofOperations: Readonly<Partial<Record<OperationName, number>>> = {
  listPets: traits.list,
  getPet: traits.get,
  createPet: traits.create,
}

/** Adds up what an exchange is like. */
export function traitsOf(seen: Seen, past: Past): number {
  const { status, operation, code } = seen
  let found = operation === undefined ? 0 : (ofOperations[operation] ?? 0)
  if (status !== undefined && status < 300) found |= traits.served
  if (seen.petId !== undefined) found |= traits.added
  if (isFailure(seen)) found |= isLost(seen) ? traits.failed | traits.lost : traits.failed
  if (code !== undefined) found |= traits.refused
  if (seen.quota.remaining === 0) found |= traits.spent
  if (seen.visit.connection !== undefined) found |= traits.connected
  if (past.isParallel) found |= traits.parallel
  if (past.wasRefused) found |= traits['after refusal']
  if (past.triesBefore(seen) !== undefined) found |= traits['after failure']
  if (past.hasLost) found |= traits['after loss']
  return found
}

/** Adds up traits; any of them is enough. */
export function anyOf(names: readonly Trait[]): number {
  return names.reduce((sum, name) => sum | traits[name], 0)
}
