import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { basePath } from '../../src/mock/api/endpoints.ts'
import type { ApiRequest, ApiResponse } from '../../src/mock/api/message.ts'
import { apiDescription, describedOperations } from './api-description.ts'
import type { JsonSchema } from './json-arbitraries.ts'
import { possibleResets, possibleRetries } from './told-instants.ts'

/** The form of each header that a reply may need and that the description has no operation for. */
const otherForms: Readonly<Record<string, { readonly schema: JsonSchema }>> = {
  'Content-Type': { schema: { type: 'string', pattern: '^application/json(; charset=utf-8)?$' } },
  Allow: { schema: { type: 'string', pattern: '^[A-Z]+(, [A-Z]+)*$' } },
  Location: { schema: { type: 'string', pattern: '^\\.\\./[!-~]+$' } },
}

/** What a reply with one status has to be: its header fields by lower-case name, and its body. */
interface ExpectedReply {
  readonly headers: readonly ExpectedHeader[]
  /** Left out for a reply without a body. */
  readonly matchesBody: ValidateFunction | undefined
}

interface ExpectedHeader {
  readonly name: string
  readonly isRequired: boolean
  readonly matches: ValidateFunction
}

/** The replies that a path and method can have, by status. */
type ExpectedReplies = ReadonlyMap<number, ExpectedReply>

interface ExpectedOperation {
  readonly method: string
  readonly pattern: RegExp
  readonly replies: ExpectedReplies
}

const ajv = new Ajv2020({ strict: true, strictTypes: false, allErrors: true })
addFormats.default(ajv)
// The description is no schema itself; its parts are known to be none.
ajv.addVocabulary(Object.keys(apiDescription))
ajv.addSchema(apiDescription, 'openapi')

const operations: readonly ExpectedOperation[] = describedOperations.map(
  ({ path, method, responses }) => ({
    method,
    pattern: new RegExp(`^${basePath}${path.replace(/\{\w+\}/g, '[^/]+')}$`),
    replies: new Map(
      Object.entries(responses).map(([status, { headers, content }]) => [
        Number(status),
        expectedReply(Object.keys(headers), content?.['application/json'].schema.$ref),
      ]),
    ),
  }),
)

/** The header fields that come with whatever is answered (spec 8). */
const headersOfEveryReply = [
  'Date',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
]

/** What unknown paths and methods are answered with, which the description has no operation for. */
const elsewhere: ExpectedReplies = new Map(
  Object.entries({
    400: [],
    401: ['WWW-Authenticate'],
    403: ['Retry-After'],
    404: [],
    405: ['Allow'],
    418: ['Retry-After'],
    429: ['Retry-After'],
  }).map(([status, headers]) => [
    Number(status),
    expectedReply([...headersOfEveryReply, ...headers], '#/components/schemas/Error'),
  ]),
)

/** What a path with a trailing slash is redirected with. */
const redirects: ExpectedReplies = new Map(
  [301, 307, 308].map((status) => [
    status,
    expectedReply([...headersOfEveryReply, 'Location'], '#/components/schemas/Error'),
  ]),
)

function expectedReply(headers: readonly string[], schema: string | undefined): ExpectedReply {
  if (schema === undefined) return { headers: headers.map(expectedHeader), matchesBody: undefined }
  return {
    headers: ['Content-Type', ...headers].map(expectedHeader),
    matchesBody: matcherOf(schema),
  }
}

/** Gives the check of a part of the OpenAPI description, such as `#/components/schemas/Pet`. */
export function matcherOf(pointer: string): ValidateFunction {
  const matches = ajv.getSchema(`openapi${pointer}`)
  if (matches === undefined) throw new RangeError(`Cannot check ${pointer}: there is no such part`)
  return matches
}

function expectedHeader(spelling: string): ExpectedHeader {
  const described = apiDescription.components.headers[spelling]
  const { schema } = described ?? otherForms[spelling] ?? {}
  if (schema === undefined) throw new Error(`Cannot check ${spelling}: there is no such header`)
  const isRequired = described?.required ?? true
  return { name: spelling.toLowerCase(), isRequired, matches: ajv.compile(schema) }
}

/** Header fields that a client could come to depend on, though the spec shows none of them. */
const extras = ['etag', 'location', 'set-cookie', 'server', 'x-powered-by']

/**
 * Checks a reply to a request of the API against the OpenAPI description: that the status is one that may come,
 * that the body is of its schema, and that headers are there and well formed.
 *
 * @throws Error that lists all that is wrong.
 */
export function expectConformity(request: ApiRequest, reply: ApiResponse): void {
  const expected = repliesTo(request).get(reply.status)
  const faults =
    expected === undefined
      ? [`status ${reply.status} is not described`]
      : [
          ...headerFaults(expected.headers, reply),
          ...retryFaults(reply),
          ...bodyFaults(expected, request, reply),
        ]
  if (faults.length === 0) return
  throw new Error(
    `Cannot accept the reply to ${request.method} ${request.url}: ${faults.join('; ')}\n${JSON.stringify(reply, null, 2).slice(0, 2000)}`,
  )
}

function repliesTo({ method, url }: ApiRequest): ExpectedReplies {
  const [path = ''] = url.replace(/^https?:\/\/[^/?#]*/i, '').split('?')
  const asDescribed = method === 'HEAD' ? 'GET' : method
  const find = (wanted: string) =>
    operations.find((one) => one.method === asDescribed && one.pattern.test(wanted))?.replies
  const found = find(path)
  if (found !== undefined) return found
  // The gap trailingSlash lets such a path be another name of the operation's.
  const named = path.endsWith('/') ? find(path.slice(0, -1)) : undefined
  return named === undefined ? elsewhere : new Map([...elsewhere, ...redirects, ...named])
}

function headerFaults(expected: readonly ExpectedHeader[], { headers }: ApiResponse): string[] {
  const faults = expected.flatMap(({ name, isRequired, matches }) => {
    const text = headers[name]
    if (text === undefined) return isRequired ? [`header ${name} is missing`] : []
    const value = /^-?\d+(?:\.\d+)?$/.test(text) ? Number(text) : text
    return matches(value) ? [] : [`header ${name} is ${text}: ${errorsOf(matches)}`]
  })
  const known = new Set(expected.map(({ name }) => name))
  const surplus = extras.filter((name) => headers[name] !== undefined && !known.has(name))
  return [...faults, ...surplus.map((name) => `header ${name} is not described`)]
}

/** `Retry-After` and `X-RateLimit-Reset` say the same instant, to the second, unless a gap lets the former be later. */
function retryFaults({ headers }: ApiResponse): string[] {
  const text = headers['retry-after']
  if (text === undefined) return []
  const sentAt = Date.parse(headers.date ?? '')
  const right = possibleResets(headers['x-ratelimit-reset']).flatMap((resetAt) => {
    const paddedAt = resetAt + 5_000
    // A number of seconds may lead beyond the last HTTP date.
    return [resetAt, paddedAt, Math.min(paddedAt, Date.UTC(9999, 11, 31, 23, 59, 59))]
  })
  const told = possibleRetries(text, sentAt)
  // The Date has no milliseconds, which some forms count.
  const isRight = told.some((at) => right.some((one) => Math.abs(at - one) < 1_000))
  return isRight ? [] : [`retry-after means ${told}, but x-ratelimit-reset means ${right}`]
}

function bodyFaults(
  { matchesBody }: ExpectedReply,
  { method }: ApiRequest,
  { status, headers, body }: ApiResponse,
): string[] {
  if (method === 'HEAD') {
    const faults = /^\d+$/.test(headers['content-length'] ?? '')
      ? []
      : ['content-length is no number']
    return body === '' ? faults : [...faults, 'a reply to HEAD has a body']
  }
  if (matchesBody === undefined) {
    const hasType = headers['content-type'] !== undefined
    return body === '' && !hasType ? [] : ['a reply without a body has one, or a Content-Type']
  }
  const value = parse(body)
  if (!matchesBody(value)) return [`the body is not as described: ${errorsOf(matchesBody)}`]
  return status >= 400 ? statusFaults(value, status) : int64Faults(body)
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function statusFaults(value: unknown, status: number): string[] {
  const isSame =
    typeof value === 'object' && value !== null && 'status' in value && value.status === status
  return isSame ? [] : ['the body has another status than the reply']
}

/** Looks at the digits themselves, since `JSON.parse` has rounded them. */
function int64Faults(body: string): string[] {
  return [...body.matchAll(/"(?:id|categoryId)":(-?\d+)/g)].flatMap(([member, digits = '']) =>
    BigInt.asIntN(64, BigInt(digits)) === BigInt(digits) ? [] : [`${member} is outside int64`],
  )
}

function errorsOf({ errors }: ValidateFunction): string {
  return ajv.errorsText(errors ?? [])
}
