import type { IncomingMessage } from 'node:http'
import { replyHeaders } from '../contract/headers.ts'

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

/** The header lines that let a page of any origin read a reply; none where no page asks. */
export function corsLines({ headers }: IncomingMessage): readonly string[] {
  return headers.origin === undefined ? none : forAnyOrigin
}

/** Whether a request is a browser's question before a request of another origin. */
export function isPreflight({ method, headers }: IncomingMessage): boolean {
  return (
    method === 'OPTIONS' &&
    headers.origin !== undefined &&
    headers['access-control-request-method'] !== undefined
  )
}

const fieldNames = /^[\w!#$%&'*+.^`|~-]+(?:[ \t]*,[ \t]*[\w!#$%&'*+.^`|~-]+)*$/

/** The header lines of the answer to a preflight: any origin, the API's methods, the headers asked for. */
export function preflightLines({ headers }: IncomingMessage): readonly string[] {
  const asked = headers['access-control-request-headers'] ?? ''
  return [
    'Access-Control-Allow-Origin',
    '*',
    'Access-Control-Allow-Methods',
    'GET, HEAD, POST',
    'Access-Control-Allow-Headers',
    fieldNames.test(asked) ? asked : 'Authorization, Content-Type',
    'Access-Control-Max-Age',
    '600',
    'Vary',
    'Access-Control-Request-Headers',
  ]
}
