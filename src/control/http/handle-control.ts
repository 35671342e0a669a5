import { ApiError } from '../../contract/error.ts'
import { parseJson, toJson } from '../../contract/json/json.ts'
import { isTooDeep } from '../../contract/json/json-bounds.ts'
import { type ApiRequest, type Headers, type Reply, utf8Length } from '../../contract/message.ts'
import { InputError, MissingError } from '../../input/input-error.ts'
import type { JsonSchema } from '../../input/schema.ts'
import { show } from '../../input/show.ts'
import type { ControlHost, ControlReply, ControlRoute } from './control-route.ts'
import { controlDocument } from './description/control-document.ts'
import { controlsOf, findControl, mostBytesAt } from './find-control.ts'
import { bytesText, isStream, nothing } from './route-bodies.ts'

/** The path of the control API. */
export const controlPath = '/_sandbox'

/** Answers a control request, whose URL begins with `/_sandbox`; a refusal has an Error body. */
export async function handleControl(request: ApiRequest, host: ControlHost): Promise<ControlReply> {
  const reply = await answerOrRefuse(request, host)
  const date = new Date(host.controls.clock.now()).toUTCString()
  const dated = { ...reply, headers: { ...reply.headers, date } }
  return request.method === 'HEAD' ? withoutBody(dated) : dated
}

async function answerOrRefuse(request: ApiRequest, host: ControlHost): Promise<ControlReply> {
  try {
    return await answer(request, host)
  } catch (thrown) {
    return refusalReply(thrown, (text) => host.controls.hideKeys(text))
  }
}

/** Takes the body off the reply to a HEAD; nobody else can tell its length. */
function withoutBody({ status, headers, ...sent }: ControlReply): Reply {
  const length = sent.kind === 'reply' ? utf8Length(sent.body) : 0
  const all = { ...headers, 'content-length': String(length) }
  return { kind: 'reply', status, headers: all, body: '' }
}

/**
 * Turns a refusal into a reply of the control API; rethrows anything else.
 *
 * @param hide Abbreviates the keys in a text.
 */
export function refusalReply(thrown: unknown, hide = (text: string): string => text): Reply {
  const error = toApiError(thrown)
  const path = thrown instanceof InputError ? thrown.path : []
  const shownPath = path.map((part) => (typeof part === 'string' ? hide(part) : part))
  return errorReply(error, hide, error.reason && { path: shownPath, reason: error.reason })
}

/** As {@link refusalReply}, for a request of the API, whose Error body has nothing that the interface doesn't show. */
export function apiRefusalReply(thrown: unknown, hide: (text: string) => string): Reply {
  return errorReply(toApiError(thrown), hide)
}

function errorReply(
  { code, message, status, headers }: ApiError,
  hide: (text: string) => string,
  where: object = {},
): Reply {
  const body = toJson({ code, message: hide(message), status, ...where })
  return { kind: 'reply', status, headers: { ...jsonType, ...headers }, body }
}

const unstored: Headers = { 'cache-control': 'no-store' }

const jsonType: Headers = { 'content-type': 'application/json', ...unstored }

const pageType: Headers = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy':
    "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
  ...unstored,
}

function toApiError(thrown: unknown): ApiError {
  if (thrown instanceof ApiError) return thrown
  if (!(thrown instanceof InputError)) throw thrown
  const { message, reason } = thrown
  return new ApiError(thrown instanceof MissingError ? 'not_found' : 'invalid_request', message, {
    reason,
  })
}

async function answer(request: ApiRequest, host: ControlHost): Promise<ControlReply> {
  const { path, queryText } = targetOf(request)
  const { route, params } = findControl(request.method, path, host)
  if (request.unreadable !== undefined) throw new InputError(request.unreadable)
  const { status, mediaType, page } = route
  const query = readQuery(queryText)
  const body = readBody(request, route)
  const routes = controlsOf(host)
  if (page !== undefined && (request.headers.accept?.includes('text/html') ?? false)) {
    return { kind: 'reply', status, headers: pageType, body: page(host, routes) }
  }
  const description = (): JsonSchema => controlDocument(routes, host.origin)
  const result = await route.run({ request, params, query, body, routes, description }, host)
  if (result === undefined) return { kind: 'reply', status, headers: {}, body: '' }
  if (!isStream(result)) return { kind: 'reply', status, headers: jsonType, body: toJson(result) }
  return {
    kind: 'stream',
    status,
    headers: { 'content-type': mediaType, ...unstored },
    pieces: result,
  }
}

/** Splits the URL of a control request; only its first `?` begins the query. */
function targetOf({ url }: ApiRequest) {
  const [path = '', queryText = ''] = url.split(/\?(.*)/s)
  if (path === controlPath || path.startsWith(`${controlPath}/`)) {
    return { path: path.slice(controlPath.length), queryText }
  }
  throw new ApiError(
    'not_found',
    `Cannot find ${show(url)}: no control has this path; ${controlPath} lists them`,
    { reason: 'not-found' },
  )
}

/**
 * The largest body that the controls of a path take, in bytes, for who reads it.
 *
 * @param url What begins with `/_sandbox`.
 */
export function maxBytesOf(url: string): number {
  return mostBytesAt(url.slice(controlPath.length).split('?', 1).join(''))
}

/** Reads the query; a parameter that is given twice is refused. */
function readQuery(text: string): Readonly<Record<string, string>> {
  const query: Record<string, string> = {}
  for (const [name, value] of new URLSearchParams(text)) {
    if (Object.hasOwn(query, name)) {
      throw new InputError(
        `Cannot set query.${name}: it is given twice; give it once`,
        [name],
        'wrong-value',
      )
    }
    query[name] = value
  }
  return query
}

function readBody({ body, bodyBytes = 0, headers }: ApiRequest, route: ControlRoute): unknown {
  const { method, path, maxBytes } = route
  const type = headers['content-type']
  const isEmpty = body === '' && bodyBytes === 0
  if (isEmpty && (type === undefined || method === 'GET')) return undefined
  expectJson(headers)
  if (isEmpty) return undefined
  if (Object.is(route.body, nothing)) {
    const which = `${method} ${controlPath}${path}`
    throw new InputError(
      `Cannot use the body: found ${show(body)}; ${which} takes no body`,
      [],
      'wrong-value',
    )
  }
  if (bodyBytes > maxBytes || (body.length * 3 > maxBytes && utf8Length(body) > maxBytes)) {
    throw new ApiError(
      'payload_too_large',
      `Cannot read the body: it is larger than ${bytesText(maxBytes)}; send less`,
      { reason: 'too-large' },
    )
  }
  if (isTooDeep(body, maxDepth)) {
    throw new InputError(
      `Cannot read the body: it is nested more than ${maxDepth} levels deep; send fewer`,
      [],
      'wrong-value',
    )
  }
  try {
    return parseJson(body)
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    throw new InputError(
      `Cannot read the body: found ${show(body)}, which is not valid JSON; send JSON`,
      [],
      'not-json',
    )
  }
}

/** A page of another site may send other types without a preflight, for instance an empty form. */
function expectJson({ 'content-type': type = 'none' }: Headers): void {
  if (/^application\/json\s*(;|$)/i.test(type)) return
  throw new InputError(
    `Cannot use Content-Type: found ${show(type)}; send application/json`,
    [],
    'wrong-value',
  )
}

/** Deeper than anything that a control takes. */
const maxDepth = 100
