import { ApiError } from '../../contract/error.ts'
import { parseJson, toJson } from '../../contract/int64.ts'
import type { ApiRequest, Reply } from '../../contract/message.ts'
import { InputError, show } from '../../input/input-error.ts'
import type { Controls } from '../controls/controls.ts'
import { MissingError } from '../controls/missing-error.ts'
import { indexDocument, indexPage } from './index-page.ts'
import { type ControlRoute, controlRoutes } from './routes.ts'

/** The path that the control API is under. */
export const controlPath = '/_sandbox'

/** The largest body of a control request, in bytes: a snapshot of many pets is one. */
export const maxControlBytes = 33_554_432

/** Reads and answers control requests. */
export interface ControlHost {
  readonly controls: Controls
  /** Where the sandbox is served, without the API's `/v1`; what goes before `/_sandbox`. */
  readonly origin: string
  /** Routes beyond those of every sandbox. */
  readonly routes?: readonly ControlRoute[]
}

/** Answers a request of the control API; its URL begins with `/_sandbox`. Refusals are Error bodies. */
export async function handleControl(request: ApiRequest, host: ControlHost): Promise<Reply> {
  try {
    return await run(request, host)
  } catch (thrown) {
    return refusalReply(thrown, host.controls.hideKeys)
  }
}

/**
 * Turns a refusal into a reply of the control API; throws anything else again.
 *
 * @param hide Hides the keys that may not stand in it whole.
 */
export function refusalReply(thrown: unknown, hide = (text: string): string => text): Reply {
  const { code, message, status, headers } = toApiError(thrown)
  const body = toJson({ code, message: hide(message), status })
  return { kind: 'reply', status, headers: { ...jsonType, ...headers }, body }
}

const jsonType = { 'content-type': 'application/json', 'cache-control': 'no-store' }

function json(status: number, body: string): Reply {
  return { kind: 'reply', status, headers: { ...jsonType }, body }
}

function toApiError(thrown: unknown): ApiError {
  if (thrown instanceof ApiError) return thrown
  if (thrown instanceof MissingError) return new ApiError('not_found', thrown.message)
  if (thrown instanceof InputError) return new ApiError('invalid_request', thrown.message)
  throw thrown
}

async function run(request: ApiRequest, host: ControlHost): Promise<Reply> {
  const [path = '', queryText = ''] = request.url.slice(controlPath.length).split(/\?(.*)/s)
  const routes = allRoutes(host)
  const method = request.method === 'HEAD' ? 'GET' : request.method
  if (path === '' || path === '/') return index(request, method, routes, host)
  const { route, params } = findRoute(routes, method, path)
  const query = readQuery(queryText, route)
  const body = readBody(request, route)
  const { controls, origin } = host
  const result = await route.run({ controls, params, query, body, origin })
  if (result === undefined) return { kind: 'reply', status: 204, headers: {}, body: '' }
  return json(route.status ?? 200, toJson(result))
}

/** The routes of every sandbox, those that the host adds, and the one that describes them all. */
function allRoutes({ routes = [], origin }: ControlHost): readonly ControlRoute[] {
  const all: ControlRoute[] = [
    ...controlRoutes,
    ...routes,
    {
      name: 'controlOpenapi',
      method: 'GET',
      path: '/control.openapi.json',
      summary: 'Describe these controls, as OpenAPI 3.1',
      async run() {
        const { controlDocument } = await import('./control-document.ts')
        return controlDocument(all, origin)
      },
    },
  ]
  return all
}

function index(
  request: ApiRequest,
  method: string,
  routes: readonly ControlRoute[],
  host: ControlHost,
): Reply {
  if (method !== 'GET') throw notAllowed(request.method, '/', ['GET'])
  const wantsPage = request.headers.accept?.includes('text/html') ?? false
  if (!wantsPage) return json(200, toJson(indexDocument(routes, host.origin)))
  const headers = {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy':
      "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
    'cache-control': 'no-store',
  }
  return { kind: 'reply', status: 200, headers, body: indexPage(routes, host) }
}

function findRoute(routes: readonly ControlRoute[], method: string, path: string) {
  const ofPath = routes
    .map((route) => ({ route, match: patternOf(route.path).exec(path) }))
    .filter(({ match }) => match !== null)
  const found = ofPath.find(({ route }) => route.method === method)
  if (found !== undefined) return { route: found.route, params: decoded(found.match?.groups ?? {}) }
  if (ofPath.length > 0)
    throw notAllowed(
      method,
      path,
      ofPath.map(({ route }) => route.method),
    )
  throw new ApiError(
    'not_found',
    `Cannot find ${show(controlPath + path)}: there is no such control; ${controlPath} lists them`,
  )
}

function patternOf(path: string): RegExp {
  const escaped = path.replace(/\./g, '\\.')
  return new RegExp(`^${escaped.replace(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`)
}

function notAllowed(method: string, path: string, methods: readonly string[]): ApiError {
  const allow = methods.join(', ')
  return new ApiError(
    'method_not_allowed',
    `Cannot use ${show(method)} on ${show(controlPath + path)}: the path has only ${allow}`,
    { headers: { allow } },
  )
}

function decoded(params: Readonly<Record<string, string>>): Record<string, string> {
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

/** Reads the query; what would be without effect is refused. */
function readQuery(text: string, route: ControlRoute): Readonly<Record<string, string>> {
  const known = Object.keys(route.query ?? {})
  const query: Record<string, string> = {}
  for (const [name, value] of new URLSearchParams(text)) {
    if (!known.includes(name)) {
      const allowed = known.length === 0 ? 'nothing after the path' : known.join(', ')
      throw new InputError(
        `Cannot use query parameter ${show(name)}: ${route.method} ${controlPath + route.path} has none like it; use ${allowed}`,
      )
    }
    if (Object.hasOwn(query, name)) {
      throw new InputError(`Cannot use query parameter ${name}: it is there twice; give it once`)
    }
    query[name] = value
  }
  return query
}

function readBody({ body, headers }: ApiRequest, route: ControlRoute): unknown {
  if (body.length > maxControlBytes) {
    throw new ApiError(
      'payload_too_large',
      `Cannot read the body: it is larger than ${maxControlBytes} bytes; send less`,
    )
  }
  const type = headers['content-type']
  if (body === '' && (type === undefined || route.method === 'GET')) return undefined
  // A page of another site can send other types without the browser asking first: a form without fields, too.
  if (!/^application\/json\s*(;|$)/i.test(type ?? '')) {
    throw new ApiError(
      'invalid_request',
      `Cannot use Content-Type: found ${show(type ?? 'none')}; send application/json`,
    )
  }
  if (body === '') return undefined
  if (route.body === undefined) {
    throw new InputError(
      `Cannot use the body: found ${show(body)}; ${route.method} ${controlPath + route.path} takes none`,
    )
  }
  try {
    return parseJson(body)
  } catch (error) {
    if (!(error instanceof SyntaxError || error instanceof RangeError)) throw error
    throw new ApiError(
      'invalid_request',
      `Cannot read the body: found ${show(body)}, which is not valid JSON`,
    )
  }
}
