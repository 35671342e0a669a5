import { endpoints } from '../../mock/api/endpoints.ts'
import { corsHeaderSpellings, responseHeaders } from '../../mock/api/http.ts'
import type { ApiRequest, RequestTarget } from '../../mock/api/message.ts'
import { namesOf } from '../../mock/input/record.ts'

/** The part of a request that CORS depends on; Node's requests and the engine's have it. */
export interface CorsRequest {
  readonly method?: string | undefined
  readonly headers: {
    readonly origin?: string | undefined
    readonly 'access-control-request-method'?: string | undefined
    readonly 'access-control-request-headers'?: string | undefined
  }
}

/** Whether a request is a browser's preflight. */
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

/** Gap values that limit pages of other origins. */
type CorsValues = RequestTarget['gaps']

/**
 * Returns the header lines of the response to a preflight: any origin, the API's methods, the requested headers; no lines
 * if the server knows no CORS.
 */
export function preflightLines({ headers }: CorsRequest, values: CorsValues): readonly string[] {
  if (values?.cors === 'none') return []
  const requested = headers['access-control-request-headers'] ?? ''
  return [
    'Access-Control-Allow-Origin',
    '*',
    'Access-Control-Allow-Methods',
    allowedMethods.join(', '),
    'Access-Control-Allow-Headers',
    fieldNames.test(requested) ? requested : 'Authorization, Content-Type',
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
export function isKeptBack(
  { method, headers }: Pick<ApiRequest, 'method' | 'headers'>,
  origin: string,
  values: CorsValues,
): boolean {
  const isForeign = headers.origin !== undefined && headers.origin !== origin
  return isForeign && (values?.cors === 'none' || !allowedMethods.includes(method))
}

const hiddenNames = namesOf(responseHeaders).filter((name) => responseHeaders[name].exposed)

/** Removes the headers from a response that a browser hides from a page of another origin, as far as gaps decide. */
export function hideFromPage({ headers }: Response, values: CorsValues): void {
  for (const name of namesOf(corsHeaderSpellings)) headers.delete(name)
  if (values?.exposedHeaders === 'none') for (const name of hiddenNames) headers.delete(name)
}
