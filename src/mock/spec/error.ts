import { type RejectionReason, rejectionReasons, show } from '../input/input-error.ts'
import { namesOf } from '../input/record.ts'
import type { GapName } from './gaps.ts'
import type { Headers } from './message.ts'

/** The error codes: the HTTP status, the clause, and the code that `errorCodes: 'opaque'` sends instead (spec 7). */
export const errorCodes = {
  invalid_request: { status: 400, opaque: 'E4001', spec: '7' },
  unauthorized: { status: 401, opaque: 'E4011', spec: '5' },
  forbidden: { status: 403, opaque: 'E4031', spec: '5' },
  moved: { status: 308, opaque: 'E3081', spec: '4' },
  not_found: { status: 404, opaque: 'E4041', spec: '7' },
  method_not_allowed: { status: 405, opaque: 'E4051', spec: '4' },
  gone: { status: 410, opaque: 'E4101', spec: '4.3' },
  payload_too_large: { status: 413, opaque: 'E4131', spec: '4.2' },
  rate_limit_exceeded: { status: 429, opaque: 'E4291', spec: '8' },
  key_banned: { status: 429, opaque: 'E4292', spec: '8' },
  internal_error: { status: 500, opaque: 'E5001', spec: '7' },
  not_implemented: { status: 501, opaque: 'E5011', spec: '4.4' },
} as const

export type ErrorCode = keyof typeof errorCodes

/** The code for a status; for one that no code has, that of its class. */
export function codeOfStatus(status: number): ErrorCode {
  const code = namesOf(errorCodes).find((one) => errorCodes[one].status === status)
  return code ?? (status < 500 ? 'invalid_request' : 'internal_error')
}

/** The body of every error reply (spec 2, 7). */
export interface ErrorBody {
  readonly code: string
  readonly message: string
  readonly status: number
}

/** The fields of an Error body as JSON Schema (spec 2). */
export const errorSchema = {
  type: 'object',
  description: 'The body of every error reply (spec 2, 7).',
  required: ['code', 'message', 'status'],
  properties: {
    code: { type: 'string', description: 'Machine-readable error code.' },
    message: { type: 'string', description: 'Human-readable description.' },
    status: { type: 'integer', description: 'The HTTP status code of the response.' },
  },
  additionalProperties: false,
} as const

/** The fields of an Error body of the control API: where the input was refused, and which kind of refusal it is. */
export const controlErrorSchema = {
  ...errorSchema,
  description: 'The body of every refusal of the control API.',
  properties: {
    ...errorSchema.properties,
    path: {
      type: 'array',
      items: { type: ['string', 'integer'] },
      description: 'Where in the input, such as ["limits", "minute"]; empty for the whole.',
    },
    reason: {
      type: 'string',
      enum: namesOf(rejectionReasons),
      description: `Which kind of refusal: ${namesOf(rejectionReasons)
        .map((name) => `${name} (${rejectionReasons[name]})`)
        .join(', ')}.`,
    },
  },
} as const

/** What is wrong with an API key (spec 5). */
export type KeyProblem = 'missing' | 'unknown' | 'revoked' | 'expired'

/**
 * A refusal by the API, which the engine turns into a reply (spec 7). It is thrown and is no `Error`: nobody looks where
 * a refusal was made, and to note that would take longer than all else that a refused request takes.
 */
export class ApiError {
  readonly code: ErrorCode
  readonly message: string
  /** By default that of the code. */
  readonly status: number
  readonly headers: Headers
  /** The gap whose choice led to it. */
  readonly gap: GapName | undefined
  /** Which kind of refusal a control says it is. */
  readonly reason: RejectionReason | undefined
  /** The instant from which on the request would be served, in Unix milliseconds. */
  readonly retryAt: number | undefined
  /** What is wrong with the API key; `undefined` if it isn't why the request is refused. */
  readonly keyProblem: KeyProblem | undefined

  constructor(
    code: ErrorCode,
    message: string,
    options: Partial<Omit<ApiError, 'code' | 'message'>> = {},
  ) {
    this.code = code
    this.message = message
    this.status = options.status ?? errorCodes[code].status
    this.headers = options.headers ?? {}
    this.gap = options.gap
    this.reason = options.reason
    this.retryAt = options.retryAt
    this.keyProblem = options.keyProblem
  }
}

/**
 * Makes the refusal of a request for what it holds (spec 4.2, 7).
 *
 * @param gap The gap whose choice leads to it.
 */
export function invalidRequest(message: string, gap?: GapName): ApiError {
  return new ApiError('invalid_request', message, { gap })
}

/**
 * Makes the refusal of a value that a request holds: says what was found, and what to send.
 *
 * @param gap The gap whose choice leads to it.
 */
export function unusable(name: string, found: unknown, send: string, gap?: GapName): ApiError {
  const what = found === undefined ? 'it is missing' : `found ${show(found)}`
  return invalidRequest(`Cannot use ${name}: ${what}; send ${send}`, gap)
}
