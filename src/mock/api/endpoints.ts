import { namesOf } from '../input/record.ts'

/** The version segment of all API paths (spec 1, 9). */
export const basePath = '/v1'

/** Returns a first command to try, for any shell: it requests three pets. */
export function firstCommand(apiUrl: string, key: string): string {
  return `curl -i "${apiUrl}/pets?limit=3" -H "Authorization: Bearer ${key}"`
}

/** Size of a page of `GET /pets` (spec 4.1, 8). */
export const pageLimit = { minimum: 1, maximum: 100, default: 20 } as const

/** The facts of an operation that code needs (spec 4); `openapi.yaml` describes it. */
export interface Endpoint {
  readonly name: string
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Relative to {@link basePath}; `{name}` is a parameter. */
  readonly path: string
  readonly spec: string
  /** The names of its query parameters. */
  readonly query: readonly string[]
  /** The statuses that the spec documents, that of a success first. */
  readonly documented: readonly number[]
  readonly deprecated?: Deprecation
}

/** The announced removal of an operation (spec 4.3). */
export interface Deprecation {
  /** The time of removal for each value of the gap `sunsetTime`, in Unix milliseconds. */
  readonly sunsetAt: Readonly<Record<'start-of-day' | 'end-of-day', number>>
  /** The path that replaces it. */
  readonly successor: string
}

/**
 * Returns the time of an operation's removal in Unix milliseconds; an unknown value of `sunsetTime` counts as the
 * default.
 */
export function sunsetOf({ sunsetAt }: Deprecation, choice: unknown): number {
  return sunsetAt[choice === 'end-of-day' ? choice : 'start-of-day']
}

/** The operations of the API (spec 4). */
export const endpoints = {
  listPets: {
    name: 'listPets',
    method: 'GET',
    path: '/pets',
    spec: '4.1',
    query: ['limit', 'status'],
    documented: [200, 401, 429],
  },
  createPet: {
    name: 'createPet',
    method: 'POST',
    path: '/pets',
    spec: '4.2',
    query: [],
    documented: [201, 400, 401, 429],
  },
  getPet: {
    name: 'getPet',
    method: 'GET',
    path: '/pets/{petId}',
    spec: '4.3',
    query: [],
    documented: [200, 401, 404, 429],
    deprecated: {
      sunsetAt: {
        'start-of-day': Date.UTC(2030, 11, 5),
        'end-of-day': Date.UTC(2030, 11, 5, 23, 59, 59),
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
    documented: [],
  },
} as const satisfies Record<string, Endpoint>

/** Name of an operation, such as `listPets`. */
export type OperationName = keyof typeof endpoints

/** The names of all operations. */
export const operationNames: readonly OperationName[] = namesOf(endpoints)

/** The names of the query parameters of an operation. */
export type QueryName<Name extends OperationName> = (typeof endpoints)[Name]['query'][number]
