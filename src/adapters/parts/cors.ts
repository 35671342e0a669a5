import { replyHeaders } from '../../contract/headers.ts'
import type { ApiRequest } from '../../contract/message.ts'

const exposedHeaders = Object.values(replyHeaders)
  .filter((header) => header.exposed)
  .map((header) => header.spelling)
  .join(', ')

const none: readonly string[] = []

const forAnyOrigin: readonly string[] = [
  'Access-Control-Allow-Origin',
  '*',
  'Access-Control-Expose-Headers',
  exposedHeaders,
]

/** The part of a request that CORS looks at; Node's requests and the engine's have it. */
interface CorsRequest {
  readonly method?: string | undefined
  readonly headers: {
    readonly origin?: string | undefined
    readonly 'access-control-request-method'?: string | undefined
    readonly 'access-control-request-headers'?: string | undefined
  }
}

/** The header lines, names and values in turn, that let a page of any origin read a reply; none where no page asks. */
export function corsLines({ headers }: CorsRequest): readonly string[] {
  return headers.origin === undefined ? none : forAnyOrigin
}

/** Whether a request is a browser's question before a request of another origin. */
export function isPreflight({ method, headers }: CorsRequest): boolean {
  return (
    method === 'OPTIONS' &&
    headers.origin !== undefined &&
    headers['access-control-request-method'] !== undefined
  )
}

const allowedMethods = ['GET', 'HEAD', 'POST']

const fieldNames = /^[\w!#$%&'*+.^`|~-]+(?:[ \t]*,[ \t]*[\w!#$%&'*+.^`|~-]+)*$/

/** The header lines of the answer to a preflight: any origin, the API's methods, the headers asked for. */
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
 * Whether a browser keeps a request back, because the answer to its preflight does not allow the method.
 *
 * @param origin That of the address that the request is for.
 */
export function isKeptBack({ method, headers }: ApiRequest, origin: string): boolean {
  const isForeign = headers.origin !== undefined && headers.origin !== origin
  return isForeign && !allowedMethods.includes(method)
}
