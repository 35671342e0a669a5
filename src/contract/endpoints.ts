import { namesOf } from '../input/record.ts'
import type { GapChoices } from './gaps.ts'

/** The version segment that the paths of the API are under (spec 1, 9). */
export const basePath = '/v1'

/** Size of a page of `GET /pets` (spec 4.1, 8). */
export const pageLimit = { minimum: 1, maximum: 100, default: 20 } as const

/** What the engine has to know of an operation (spec 4); what else is said of it is in `descriptions.ts`. */
export interface Endpoint {
  readonly name: string
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Relative to {@link basePath}; `{name}` is a parameter. */
  readonly path: string
  readonly spec: string
  /** The names of its query parameters. */
  readonly query: readonly string[]
  /** When it is removed, at the start of a day or at its end, and the path to use instead. */
  readonly deprecated?: Sunset & { readonly endOfDay: Sunset; readonly successor: string }
}

/** When an operation is removed. */
export interface Sunset {
  /** Unix milliseconds. */
  readonly sunsetAt: number
  /** The same as an HTTP date. */
  readonly sunset: string
}

/** Returns when an operation is removed, by the choice at the gap (spec 4.3). */
export function sunsetOf(
  deprecated: Sunset & { readonly endOfDay: Sunset },
  { sunsetInstant }: Pick<GapChoices, 'sunsetInstant'>,
): Sunset {
  return sunsetInstant === 'end-of-day' ? deprecated.endOfDay : deprecated
}

/** The operations of the API (spec 4). */
export const endpoints = {
  listPets: {
    name: 'listPets',
    method: 'GET',
    path: '/pets',
    spec: '4.1',
    query: ['limit', 'status'],
  },
  createPet: {
    name: 'createPet',
    method: 'POST',
    path: '/pets',
    spec: '4.2',
    query: [],
  },
  getPet: {
    name: 'getPet',
    method: 'GET',
    path: '/pets/{petId}',
    spec: '4.3',
    query: [],
    deprecated: {
      sunsetAt: Date.UTC(2030, 11, 5),
      sunset: 'Thu, 05 Dec 2030 00:00:00 GMT',
      endOfDay: {
        sunsetAt: Date.UTC(2030, 11, 5, 23, 59, 59),
        sunset: 'Thu, 05 Dec 2030 23:59:59 GMT',
      },
      successor: '/pets',
    },
  },
  listOrders: {
    name: 'listOrders',
    method: 'GET',
    path: '/store/orders',
    spec: '4.4',
    query: [],
  },
} as const satisfies Record<string, Endpoint>

export type OperationName = keyof typeof endpoints

/** The names of all operations. */
export const operationNames: readonly OperationName[] = namesOf(endpoints)

/** The names of the query parameters of an operation. */
export type QueryName<Name extends OperationName> = (typeof endpoints)[Name]['query'][number]
