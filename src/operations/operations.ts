import type { OperationName } from '../contract/endpoints.ts'
import { createPet } from './create-pet.ts'
import { getPet } from './get-pet.ts'
import { listOrders } from './list-orders.ts'
import { listPets } from './list-pets.ts'
import type { Operation } from './operation.ts'

const byName: { readonly [Name in OperationName]: Operation<Name> } = {
  listPets,
  createPet,
  getPet,
  listOrders,
}

/** All operations (spec 4). */
export const operations: readonly Operation[] = Object.values(byName)
