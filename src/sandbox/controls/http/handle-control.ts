import { ApiError } from '../../../mock/api/error.ts'
import { maxBodyBytes } from '../../../mock/api/http.ts'
import { parseJson, toJson } from '../../../mock/api/json.ts'
import {
  type ApiRequest,
  type ApiResponse,
  type Handler,
  type Headers,
  utf8Length,
} from '../../../mock/api/message.ts'
import { InputError, NotFoundError, show } from '../../../mock/input/input-error.ts'
import type { SandboxControls } from '../controls.ts'
import { type ProcessControls, viewSandbox } from '../sandboxes.ts'
import { allRoutes, controlRoutes } from './control-routes.ts'
import {
  bytesText,
  type ControlExamples,
  type ControlResponse,
  type ControlRoute,
  type Endpoint,
  isStream,
  nothing,
} from './route.ts'

/** Sandbox and server that a control request addresses. */
export interface ControlHost extends Endpoint {
  readonly controls: SandboxControls
  /** Controls of the server; `undefined` in process, and for a named sandbox. */
  readonly process?: ProcessControls | undefined
  /** Creates a small sandbox with a stopped clock, for examples of responses. */
  readonly createExample: () => SandboxControls & { readonly handle: Handler }
}

/** Base path of the control API. */
export const controlPath = '/_sandbox'

/** Handles a control request, whose URL starts with `/_sandbox`; error responses have an Error body. */
export async function handleControl(
  request: ApiRequest,
  host: ControlHost,
): Promise<ControlResponse> {
  const output = await respond(request, host).catch((thrown: unknown) =>
    // What isn't found is no key, and may be a misspelt one, so that the error can suggest a key.
    thrown instanceof NotFoundError
      ? controlErrorResponse(thrown)
      : controlErrorResponse(thrown, (text) => host.controls.hideKeys(text)),
  )
  const date = new Date(host.controls.clock.now()).toUTCString()
  const dated = { ...output, headers: { ...output.headers, date } }
  return request.method === 'HEAD' ? withoutBody(dated) : dated
}

/** Removes the body from the response to a HEAD, and adds its length, which adapters can't know. */
function withoutBody({ status, headers, ...sent }: ControlResponse): ApiResponse {
  const length = sent.kind === 'response' ? utf8Length(sent.body) : 0
  const all = { ...headers, 'content-length': String(length) }
  return { kind: 'response', status, headers: all, body: '' }
}

/**
 * Converts an error of a rejected request to a response of the control API; rethrows anything else.
 *
 * @param hide Abbreviates the keys in a text.
 */
export function controlErrorResponse(
  thrown: unknown,
  hide = (text: string): string => text,
): ApiResponse {
  const error = toApiError(thrown)
  const path = thrown instanceof InputError ? thrown.path : []
  const shownPath = path.map((part) => (typeof part === 'string' ? hide(part) : part))
  return errorResponse(error, hide, error.reason && { path: shownPath, reason: error.reason })
}

/** Same as {@link controlErrorResponse} for an API request, whose Error body has only the properties in the spec. */
export function apiErrorResponse(thrown: unknown, hide: (text: string) => string): ApiResponse {
  return errorResponse(toApiError(thrown), hide)
}

function errorResponse(
  { code, message, status, headers }: ApiError,
  hide: (text: string) => string,
  where: object = {},
): ApiResponse {
  const body = toJson({ code, message: hide(message), status, ...where })
  return { kind: 'response', status, headers: { ...jsonType, ...headers }, body }
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
  return new ApiError(thrown instanceof NotFoundError ? 'not_found' : 'invalid_request', message, {
    reason,
  })
}

async function respond(request: ApiRequest, host: ControlHost): Promise<ControlResponse> {
  const { path, queryText } = targetOf(request)
  const { route, params } = findControl(request.method, path, host)
  if (request.unreadable !== undefined) throw new InputError(request.unreadable)
  const { status, page } = route
  const query = readQuery(queryText)
  const body = readBody(request, route)
  const routes = controlsOf(host)
  if (page !== undefined && (request.headers.accept?.includes('text/html') ?? false)) {
    return { kind: 'response', status, headers: pageType, body: page(host, routes) }
  }
  const examples = () => controlExamples(routes, host)
  const result = await route.run({ request, params, query, body, routes, examples }, host)
  if (result === undefined) return { kind: 'response', status: 204, headers: {}, body: '' }
  if (!isStream(result))
    return { kind: 'response', status, headers: jsonType, body: toJson(result) }
  return {
    kind: 'stream',
    status,
    headers: { 'content-type': 'text/event-stream', ...unstored },
    pieces: result,
  }
}

/** Path parameters of the examples: the pet, request, fault, key and sandbox that an example has. */
const exampleParams = { id: '1', key: 'free-key', name: 'mine' }

/** Gets a pet, which is deprecated, so that there is a finding. */
const exampleRequest: ApiRequest = {
  method: 'GET',
  url: '/v1/pets/1',
  headers: { authorization: 'Bearer free-key' },
  body: '',
}

/** Calls each control of a sandbox of its own, after a request to its API. */
async function controlExamples(
  routes: Readonly<Record<string, ControlRoute<ControlHost>>>,
  { createExample, origin }: ControlHost,
): Promise<ControlExamples> {
  const examples = new Map<string, unknown>()
  const named = viewSandbox(exampleParams.name, origin)
  const process: ProcessControls = {
    sandboxes: { list: () => [named], create: () => named, delete() {} },
    saveState() {},
  }
  for (const [name, route] of Object.entries(routes)) {
    const controls = createExample()
    await controls.handle(exampleRequest)
    controls.faults.add({ fault: 'status', status: 503 })
    const { example } = route.body
    const body = example === undefined ? undefined : JSON.parse(example)
    const result = await route.run(
      {
        request: { method: route.method, url: controlPath, headers: {}, body: '' },
        params: Object.fromEntries(
          Object.entries(exampleParams).filter(([one]) => one in route.params.properties),
        ),
        query: {},
        body: name === 'restore' ? controls.snapshot() : body,
        routes,
        examples: async () => new Map(),
      },
      { controls, process, origin, createExample },
    )
    examples.set(name, isStream(result) ? await firstEvent(result, controls) : result)
  }
  return examples
}

/** Returns a stream's text until the event of a request. */
async function firstEvent(
  stream: AsyncIterable<string>,
  { handle }: { readonly handle: Handler },
): Promise<string> {
  const pieces = stream[Symbol.asyncIterator]()
  const begin = await pieces.next()
  await handle(exampleRequest)
  const event = await pieces.next()
  await pieces.return?.()
  return `${begin.value}${event.value}`
}

/** Splits the URL of a control request at its first `?`. */
function targetOf({ url }: ApiRequest) {
  const [path = '', queryText = ''] = url.split(/\?(.*)/s)
  if (path === controlPath || path.startsWith(`${controlPath}/`)) {
    return { path: path.slice(controlPath.length), queryText }
  }
  throw unknownPath(url)
}

function unknownPath(path: string): ApiError {
  return new ApiError(
    'not_found',
    `Cannot find ${show(path)}: no such control call; ${controlPath} lists them`,
    { reason: 'not-found' },
  )
}

/**
 * Returns the maximum size of a body that the controls at a path accept, in bytes; 1 MiB for an unknown path.
 *
 * @param url URL that starts with `/_sandbox`.
 */
export function maxBytesOf(url: string): number {
  const [path = ''] = url.slice(controlPath.length).split('?', 1)
  const known = Object.values(allRoutes).filter(({ pattern }) => pattern.test(path))
  return Math.max(maxBodyBytes, ...known.map(({ maxBytes }) => maxBytes))
}

/** Parses the query; rejects duplicate parameters. */
function readQuery(text: string): Readonly<Record<string, string>> {
  const query: Record<string, string> = {}
  for (const [name, value] of new URLSearchParams(text)) {
    if (Object.hasOwn(query, name)) {
      throw wrongValue(`Cannot set query.${name}: it is given twice; give it once`, [name])
    }
    query[name] = value
  }
  return query
}

function readBody(
  { body, bodyBytes = 0, headers }: ApiRequest,
  route: ControlRoute<ControlHost>,
): unknown {
  const { method, path, maxBytes } = route
  const type = headers['content-type']
  const isEmpty = body === '' && bodyBytes === 0
  if (isEmpty && (type === undefined || method === 'GET')) return undefined
  expectJson(headers)
  if (isEmpty) return undefined
  if (Object.is(route.body, nothing)) {
    const which = `${method} ${controlPath}${path}`
    throw wrongValue(`Cannot use the body: found ${show(body)}; ${which} takes no body`)
  }
  if (Math.max(bodyBytes, utf8Length(body)) > maxBytes) {
    throw new ApiError(
      'payload_too_large',
      `Cannot read the body: it is larger than ${bytesText(maxBytes)}; send less`,
      { reason: 'too-large' },
    )
  }
  try {
    return parseJson(body)
  } catch (error) {
    // Some browsers throw a RangeError for JSON that is nested deeper than the stack.
    if (!(error instanceof SyntaxError || error instanceof RangeError)) throw error
    throw new InputError(
      `Cannot read the body: found ${show(body)}, which is not valid JSON; send JSON`,
      [],
      'invalid-json',
    )
  }
}

/** Rejects other types than JSON, which a page of another site could send without a preflight. */
function expectJson({ 'content-type': type = 'none' }: Headers): void {
  if (/^application\/json\s*(;|$)/i.test(type)) return
  throw wrongValue(`Cannot use Content-Type: found ${show(type)}; send application/json`)
}

function wrongValue(message: string, path: readonly string[] = []): InputError {
  return new InputError(message, path, 'invalid-value')
}

/** Returns the routes of a host, in the order of their table. */
function controlsOf(host: ControlHost): Readonly<Record<string, ControlRoute<ControlHost>>> {
  return host.process === undefined ? controlRoutes : allRoutes
}

/**
 * Returns the control of a request, and the decoded path parameters.
 *
 * @param path Path after `/_sandbox`.
 * @throws {@link ApiError} for an unknown path, or a method that the path doesn't have.
 */
function findControl(method: string, path: string, host: ControlHost) {
  const atPath = Object.values(controlsOf(host)).flatMap((route) => {
    const match = route.pattern.exec(path === '' ? '/' : path)
    return match === null ? [] : [{ route, params: decoded(match.groups) }]
  })
  if (atPath.length === 0) throw unknownPath(controlPath + path)
  const found = atPath.find(({ route }) => methodsOf(route).includes(method))
  if (found !== undefined) return found
  const allow = atPath.flatMap(({ route }) => methodsOf(route)).join(', ')
  throw new ApiError(
    'method_not_allowed',
    `Cannot use ${show(method)} on ${show(controlPath + path)}: use ${allow}`,
    { headers: { allow }, reason: 'conflict' },
  )
}

/** Returns the methods of a route: GET also implies HEAD, except for a stream. */
function methodsOf({ method, isStream }: ControlRoute<ControlHost>): readonly string[] {
  return method === 'GET' && !isStream ? ['GET', 'HEAD'] : [method]
}

/** Decodes path parameters; returns those with broken escapes unchanged. */
function decoded(params: Readonly<Record<string, string>> = {}): Record<string, string> {
  return Object.fromEntries(
    Object.entries(params).map(([name, value]) => {
      try {
        return [name, decodeURIComponent(value)]
      } catch {
        return [name, value]
      }
    }),
  )
}
