import { endpoints } from '../../mock/spec/endpoints.ts'
import { responseHeaders } from '../../mock/spec/http.ts'
import type { ApiRequest } from '../../mock/spec/message.ts'

const exposedHeaders = Object.values(responseHeaders)
  .filter((header) => header.exposed)
  .map((header) => header.spelling)
  .join(', ')

const forAnyOrigin: readonly string[] = [
  'Access-Control-Allow-Origin',
  '*',
  'Access-Control-Expose-Headers',
  exposedHeaders,
]

/** The part of a request that CORS depends on; Node's requests and the engine's have it. */
export interface CorsRequest {
  readonly method?: string | undefined
  readonly headers: {
    readonly origin?: string | undefined
    readonly 'access-control-request-method'?: string | undefined
    readonly 'access-control-request-headers'?: string | undefined
  }
}

/**
 * Returns the header lines (alternating names and values) that allow pages of any origin to read a response; an empty
 * list without an `Origin`.
 */
export function corsLines({ headers }: CorsRequest): readonly string[] {
  return headers.origin === undefined ? [] : forAnyOrigin
}

/** Returns whether a request is a browser's preflight. */
export function isPreflight({ method, headers }: CorsRequest): boolean {
  return (
    method === 'OPTIONS' &&
    headers.origin !== undefined &&
    headers['access-control-request-method'] !== undefined
  )
}

/** The methods that a preflight allows: those of the API's operations, and HEAD. */
const allowedMethods: readonly string[] = [
  ...new Set(['GET', 'HEAD', ...Object.values(endpoints).map(({ method }) => method)]),
]

const fieldNames = /^[\w!#$%&'*+.^`|~-]+(?:[ \t]*,[ \t]*[\w!#$%&'*+.^`|~-]+)*$/

/** Returns the header lines of the response to a preflight: any origin, the API's methods, the requested headers. */
export function preflightLines({ headers }: CorsRequest): readonly string[] {
  const asked = headers['access-control-request-headers'] ?? ''
  return [
    'Access-Control-Allow-Origin',
    '*',
    'Access-Control-Allow-Methods',
    allowedMethods.join(', '),
    'Access-Control-Allow-Headers',
    fieldNames.test(asked) ? asked : 'Authorization, Content-Type',
    'Access-Control-Max-Age',
    '600',
    'Vary',
    'Access-Control-Request-Headers',
  ]
}

/**
 * Returns whether a browser wouldn't send a request because its preflight doesn't allow the method.
 *
 * @param origin The origin that the request is sent to.
 */
export function isKeptBack({ method, headers }: ApiRequest, origin: string): boolean {
  const isForeign = headers.origin !== undefined && headers.origin !== origin
  return isForeign && !allowedMethods.includes(method)
}
