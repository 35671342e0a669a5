import { createPet } from './create-pet.ts'
import { getPet } from './get-pet.ts'
import { listOrders } from './list-orders.ts'
import { listPets } from './list-pets.ts'
import type { Operation } from './operation.ts'

/** All operations (spec 4). */
export const operations: readonly Operation[] = [listPets, createPet, getPet, listOrders]
