import { type endpoints, type OperationName, pageLimit, type QueryName } from '../endpoints.ts'
import type { ErrorCode } from '../error.ts'
import type { ResponseHeader } from '../http.ts'

/** An int64 as JSON Schema (spec 2). */
export const int64Schema = { type: 'integer', format: 'int64' } as const

// Separate from the data that the engine needs, so that a page doesn't load the descriptions.

/** The version of the OpenAPI description (spec 9). */
export const apiVersion = '1.0.0'

/** The groups of operations (spec 1). */
export const tags = {
  pets: 'Animals that the store offers.',
  store: 'The store itself; of it, only that it can list orders is known (spec 4.4).',
} as const

/** A parameter of a path or a query, as described in JSON Schema. */
interface Parameter {
  readonly description: string
  readonly schema: Readonly<Record<string, unknown>>
  readonly example: number | string
}

/** JSON content of a schema, with examples by name. */
export interface Content<Schema extends string = string> {
  readonly schema: Schema
  readonly examples: Readonly<Record<string, unknown>>
}

/** The error responses of one status, with an example message for each error code. */
export interface ErrorDescription {
  readonly description: string
  /** The clause that documents it; omitted for undocumented responses, such as those that a gap's value leads to. */
  readonly documented?: string
  /** Headers besides those of every response. */
  readonly headers?: readonly ResponseHeader[]
  readonly messages: { readonly [Code in ErrorCode]?: string }
}

/** The documentation of an operation, besides the facts that the engine needs (spec 4). */
export interface EndpointDescription {
  readonly tag: keyof typeof tags
  readonly summary: string
  readonly description: string
  /** The parameters of the path and of the query, by name. */
  readonly parameters: Readonly<Record<string, Parameter>>
  /** The required body. */
  readonly takes?: Content<'NewPet'>
  readonly success: {
    readonly status: number
    readonly description: string
    /** The clause that documents it; omitted for an undocumented response. */
    readonly documented?: string
    /** Omitted for a response without a body. */
    readonly content?: Content<'Pet' | 'Pets' | 'Orders'>
  }
  /** Error responses by status, besides those that all operations share. */
  readonly errors: Readonly<Record<number, ErrorDescription>>
}

/** The names of the parameters in a path. */
type NamesIn<Path> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | NamesIn<Rest>
  : never

/** A description of each operation, and of each of its parameters. */
type Descriptions = {
  readonly [Name in OperationName]: EndpointDescription & {
    readonly parameters: Readonly<
      Record<NamesIn<(typeof endpoints)[Name]['path']> | QueryName<Name>, Parameter>
    >
  }
}

// From the default seed, so that the examples of requests and responses match.
const bella = { id: 1, name: 'Bella', categoryId: 1, status: 'available' }
const max = { id: 2, name: 'Max', categoryId: 1, status: 'available' }
const stray = { id: 29, name: 'Stray', categoryId: 1 }
const rex = { name: 'Rex', categoryId: 1, status: 'pending' }
const plainRex = { name: 'Rex', categoryId: 1 }

/** The documentation of the operations (spec 4). */
export const endpointDescriptions = {
  listPets: {
    tag: 'pets',
    summary: 'List all animals',
    description: 'Returns one page of animals; there is no way to ask for the next one.',
    parameters: {
      limit: {
        description: 'Maximum number of animals returned (page size).',
        schema: { type: 'integer', ...pageLimit },
        example: 2,
      },
      status: {
        description: 'Filters animals by availability status.',
        schema: { $ref: '#/components/schemas/PetStatus' },
        example: 'available',
      },
    },
    success: {
      status: 200,
      description: 'At most `limit` animals, in an array.',
      documented: '4.1',
      content: { schema: 'Pets', examples: { page: [bella, max] } },
    },
    errors: {
      400: {
        description: 'A query parameter is invalid.',
        messages: {
          invalid_request: 'Cannot use limit: found "0"; send a whole number from 1 to 100',
        },
      },
    },
  },
  createPet: {
    tag: 'pets',
    summary: 'Add an animal',
    description: 'Adds an animal; the service chooses its `id`.',
    parameters: {},
    takes: {
      schema: 'NewPet',
      examples: { complete: rex, withoutStatus: plainRex },
    },
    success: {
      status: 201,
      description: 'The animal, with the `id` that it was given.',
      documented: '4.2',
      content: {
        schema: 'Pet',
        examples: {
          complete: { id: 31, ...rex },
          withoutStatus: { id: 31, ...plainRex, status: 'available' },
        },
      },
    },
    errors: {
      400: {
        description:
          'The body is not a JSON object, lacks required fields, or holds invalid values.',
        documented: '4.2',
        messages: { invalid_request: 'Cannot use name: required; send a string' },
      },
      503: {
        description: 'A limit of the sandbox: it has no room for another pet.',
        messages: {
          internal_error: 'Cannot add pets: there would be 31, and 30 are allowed; delete some',
        },
      },
      413: {
        description: 'The body is larger than 1 MiB.',
        messages: {
          payload_too_large: 'Cannot read the body: it is larger than 1048576 bytes; send less',
        },
      },
    },
  },
  getPet: {
    tag: 'pets',
    summary: 'Get an animal',
    description: 'Returns one animal. Use `GET /pets` with its `status` filter instead.',
    parameters: {
      petId: { description: 'Identifier of the animal.', schema: int64Schema, example: 1 },
    },
    success: {
      status: 200,
      description: 'The animal.',
      documented: '4.3',
      content: { schema: 'Pet', examples: { complete: bella, withoutStatus: stray } },
    },
    errors: {
      400: {
        description:
          'The request is invalid, where the gaps invalidPetId and unknownQuery reject it.',
        messages: {
          invalid_request:
            'Cannot find pet "abc": an id is an integer from -9223372036854775808 to 9223372036854775807',
        },
      },
      404: {
        description: 'No animal has this identifier, or the operation is removed.',
        documented: '4.3',
        messages: { not_found: 'Cannot find pet 999: no such pet' },
      },
      410: {
        description: 'The operation is removed, where the gap afterSunset is `gone`.',
        messages: { gone: 'Cannot use getPet: it was removed on 2030-12-05; use GET /pets' },
      },
    },
  },
  listOrders: {
    tag: 'store',
    summary: 'List store orders',
    description:
      'Is known to exist; what it takes and returns is not. So it returns 501, unless the gap storeOrders says otherwise.',
    parameters: {},
    success: {
      status: 200,
      description: 'No orders, where the gap storeOrders is `empty-list`.',
      content: { schema: 'Orders', examples: { none: [] } },
    },
    errors: {
      400: {
        description: 'The request is invalid, where the gap unknownQuery rejects it.',
        messages: {
          invalid_request:
            'Cannot use query parameter "limit": it is unknown; this operation takes none',
        },
      },
      404: {
        description: 'No such operation, where the gap storeOrders is `not-found`.',
        messages: {
          not_found: 'Cannot find "/v1/store/orders": no such path; the API is under /v1',
        },
      },
      501: {
        description: 'The shape of an order is not known: the default response.',
        messages: {
          not_implemented:
            'Cannot list store orders: the spec mentions them without showing their shape',
        },
      },
    },
  },
} as const satisfies Descriptions

const bannedMessage =
  'Cannot serve the request: the API key is banned, as this key is set up in the sandbox; retry at 2027-01-15T08:05:20Z'

/** The error responses that every operation may return, by status (spec 5, 8). */
export const sharedErrors = {
  401: {
    description: 'The API key is missing or invalid (spec 5).',
    documented: '5',
    headers: ['www-authenticate'],
    messages: {
      unauthorized:
        'Cannot authenticate: the Authorization header is missing; send Authorization: Bearer <API_KEY>',
    },
  },
  403: {
    description: 'The API key is banned, where the gap banStatus is 403 (spec 8).',
    headers: ['retry-after'],
    messages: { key_banned: bannedMessage },
  },
  418: {
    description: 'The API key is banned, where the gap banStatus is 418 (spec 8).',
    headers: ['retry-after'],
    messages: { key_banned: bannedMessage },
  },
  429: {
    description: 'A rate limit is exceeded, or the API key is banned (spec 8).',
    documented: '8',
    headers: ['retry-after'],
    messages: {
      rate_limit_exceeded:
        'Cannot serve the request: the limit of 60 requests per minute is reached; retry at 2027-01-15T08:01:00Z',
      key_banned: bannedMessage,
    },
  },
} as const satisfies EndpointDescription['errors']
