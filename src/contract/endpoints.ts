import { namesOf } from '../input/record.ts'
import { int64Schema, petStatuses } from './pet.ts'

/** The version segment that the paths of the API are under (spec 1, 9). */
export const basePath = '/v1'

/** The version of the interface description (spec 9). */
export const apiVersion = '1.0.0'

/** Size of a page of `GET /pets` (spec 4.1, 8). */
export const pageLimit = { minimum: 1, maximum: 100, default: 20 } as const

/** The groups that the operations are in (spec 1). */
export const tags = {
  pets: 'Animals that the store offers.',
  store: 'The store itself; of it, only that it can list orders is known (spec 4.4).',
} as const

/** A parameter of a path or a query as JSON Schema describes it. */
interface Parameter {
  readonly name: string
  readonly description: string
  readonly schema: Readonly<Record<string, unknown>>
}

/** What the spec shows of one operation (spec 4). */
export interface Endpoint {
  readonly name: string
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Relative to {@link basePath}; `{name}` is a parameter. */
  readonly path: string
  readonly spec: string
  readonly tag: keyof typeof tags
  readonly summary: string
  readonly description: string
  readonly pathParameters: readonly Parameter[]
  readonly query: readonly Parameter[]
  /** The schema of the body that it needs. */
  readonly takes?: 'NewPet'
  readonly success: {
    readonly status: number
    readonly about: string
    /** Of the body; left out for a reply without one. */
    readonly schema?: 'Pet' | 'Pets' | 'Orders'
  }
  /** When it refuses, by status, beside the refusals that all operations share. */
  readonly refusals: Readonly<Record<number, string>>
  /** When it is removed, as Unix milliseconds, and the path to use instead. */
  readonly deprecated?: {
    readonly sunsetAt: number
    /** The same as an HTTP date. */
    readonly sunset: string
    readonly successor: string
  }
}

/** The operations of the API (spec 4). */
export const endpoints = {
  listPets: {
    name: 'listPets',
    method: 'GET',
    path: '/pets',
    spec: '4.1',
    tag: 'pets',
    summary: 'List all animals',
    description: 'Gives one page of animals; there is no way to ask for the next one.',
    pathParameters: [],
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
    success: { status: 200, about: 'At most `limit` animals, in an array.', schema: 'Pets' },
    refusals: { 400: 'A query parameter is invalid.' },
  },
  createPet: {
    name: 'createPet',
    method: 'POST',
    path: '/pets',
    spec: '4.2',
    tag: 'pets',
    summary: 'Add an animal',
    description: 'Adds an animal; the service chooses its `id`.',
    pathParameters: [],
    query: [],
    takes: 'NewPet',
    success: { status: 201, about: 'The animal, with the `id` that it was given.', schema: 'Pet' },
    refusals: {
      400: 'The body is no JSON object, or lacks required fields, or holds invalid values.',
      413: 'The body is larger than 1 MiB.',
    },
  },
  getPet: {
    name: 'getPet',
    method: 'GET',
    path: '/pets/{petId}',
    spec: '4.3',
    tag: 'pets',
    summary: 'Get an animal',
    description: 'Gives one animal. Use `GET /pets` with its `status` filter instead.',
    pathParameters: [
      { name: 'petId', description: 'Identifier of the animal.', schema: int64Schema },
    ],
    query: [],
    success: { status: 200, about: 'The animal.', schema: 'Pet' },
    refusals: {
      400: 'The request is invalid, where the gaps invalidPetId and unknownQuery refuse it.',
      404: 'No animal has this identifier, or the operation is removed.',
      410: 'The operation is removed, where the gap afterSunset is `gone`.',
    },
    deprecated: {
      sunsetAt: Date.UTC(2030, 11, 5),
      sunset: 'Thu, 05 Dec 2030 00:00:00 GMT',
      successor: '/pets',
    },
  },
  listOrders: {
    name: 'listOrders',
    method: 'GET',
    path: '/store/orders',
    spec: '4.4',
    tag: 'store',
    summary: 'List store orders',
    description: 'Is known to exist; what it takes and gives is not.',
    pathParameters: [],
    query: [],
    success: {
      status: 200,
      about: 'No orders, where the gap storeOrders is `empty-list`.',
      schema: 'Orders',
    },
    refusals: {
      400: 'The request is invalid, where the gap unknownQuery refuses it.',
      404: 'There is no such operation, where the gap storeOrders is `not-found`.',
      501: 'The shape of an order is not known.',
    },
  },
} as const satisfies Record<string, Endpoint>

export type OperationName = keyof typeof endpoints

/** The names of all operations. */
export const operationNames: readonly OperationName[] = namesOf(endpoints)
