import { petStatuses } from './pet.ts'

/** The version segment that the paths of the API are under (spec 1, 9). */
export const basePath = '/v1'

/** The version of the interface description (spec 9). */
export const apiVersion = '1.0.0'

/** Size of a page of `GET /pets` (spec 4.1, 8). */
export const pageLimit = { minimum: 1, maximum: 100, default: 20 } as const

/** A query parameter as JSON Schema describes it. */
export interface QueryParameter {
  readonly name: string
  readonly description: string
  readonly schema: Readonly<Record<string, unknown>>
}

/** What the spec shows of one operation (spec 4). */
export interface Endpoint {
  readonly name: string
  readonly method: 'GET' | 'POST'
  /** Relative to {@link basePath}; `{name}` is a parameter. */
  readonly path: string
  readonly spec: string
  readonly summary: string
  readonly query: readonly QueryParameter[]
  /** When it is removed, as Unix milliseconds, and the path to use instead. */
  readonly deprecated?: { readonly sunsetAt: number; readonly successor: string }
}

/** The operations of the API (spec 4). */
export const endpoints = {
  listPets: {
    name: 'listPets',
    method: 'GET',
    path: '/pets',
    spec: '4.1',
    summary: 'List all animals',
    query: [
      {
        name: 'limit',
        description: 'Maximum number of animals returned (page size).',
        schema: { type: 'integer', ...pageLimit },
      },
      {
        name: 'status',
        description: 'Filters animals by availability status.',
        schema: { type: 'string', enum: petStatuses },
      },
    ],
  },
  createPet: {
    name: 'createPet',
    method: 'POST',
    path: '/pets',
    spec: '4.2',
    summary: 'Add an animal',
    query: [],
  },
  getPet: {
    name: 'getPet',
    method: 'GET',
    path: '/pets/{petId}',
    spec: '4.3',
    summary: 'Get an animal',
    query: [],
    deprecated: { sunsetAt: Date.UTC(2030, 11, 5), successor: '/pets' },
  },
  listOrders: {
    name: 'listOrders',
    method: 'GET',
    path: '/store/orders',
    spec: '4.4',
    summary: 'List store orders',
    query: [],
  },
} as const satisfies Record<string, Endpoint>

export type OperationName = keyof typeof endpoints
