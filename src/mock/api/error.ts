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

/** A code of an error response (spec 7). */
export type ErrorCode = keyof typeof errorCodes

/** Returns the code of a status; a status without a code of its own gets that of its class. */
export function codeOfStatus(status: number): ErrorCode {
  const code = namesOf(errorCodes).find((one) => errorCodes[one].status === status)
  return code ?? (status < 500 ? 'invalid_request' : 'internal_error')
}

/** The body of every error response (spec 2, 7). */
export interface ErrorBody {
  /** The kind of error, for programs. */
  readonly code: string
  /** The error in words, for people; its wording may change. */
  readonly message: string
  /** The HTTP status of the response. */
  readonly status: number
}

/** The fields of an Error body as JSON Schema (spec 2). */
export const errorSchema = {
  type: 'object',
  description: 'The body of every error response (spec 2, 7).',
  required: ['code', 'message', 'status'],
  properties: {
    code: { type: 'string', description: 'Machine-readable error code.' },
    message: { type: 'string', description: 'Human-readable description.' },
    status: { type: 'integer', description: 'The HTTP status code of the response.' },
  },
  additionalProperties: false,
} as const

/**
 * The Error body of the control API as JSON Schema, with the place of invalid input and the machine-readable reason.
 */
export const controlErrorSchema = {
  ...errorSchema,
  description: 'The body of every error response of the control API.',
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
      description: `The kind of error: ${namesOf(rejectionReasons)
        .map((name) => `${name} (${rejectionReasons[name]})`)
        .join(', ')}.`,
    },
  },
} as const

/** The problem with an API key (spec 5). */
export type KeyProblem = 'missing' | 'unknown' | 'revoked' | 'expired'

/**
 * An error response that the engine sends (spec 7). It is thrown but doesn't extend `Error`: capturing a stack trace,
 * which no code reads, would take longer than the rest of a rejected request.
 */
export class ApiError {
  readonly code: ErrorCode
  readonly message: string
  /** By default that of the code. */
  readonly status: number
  readonly headers: Headers
  /** The gap whose value led to the error. */
  readonly gap: GapName | undefined
  /** The machine-readable reason, in errors of a control. */
  readonly reason: RejectionReason | undefined
  /** The time from which the same request would succeed, in Unix milliseconds. */
  readonly retryAt: number | undefined
  /** The problem with the API key; `undefined` if the error has another cause. */
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
 * Creates the 400 of an invalid request (spec 4.2, 7).
 *
 * @param gap The gap whose value led to the error.
 */
export function invalidRequest(message: string, gap?: GapName): ApiError {
  return new ApiError('invalid_request', message, { gap })
}

/**
 * Creates the 400 of an invalid value; its message names what was found and what to send.
 *
 * @param gap The gap whose value led to the error.
 */
export function unusable(name: string, found: unknown, send: string, gap?: GapName): ApiError {
  const what = found === undefined ? 'required' : `found ${show(found)}`
  return invalidRequest(`Cannot use ${name}: ${what}; send ${send}`, gap)
}
