import { ApiError } from '../../contract/error.ts'
import { parseJson, toJson } from '../../contract/int64.ts'
import { type ApiRequest, type Headers, type Reply, utf8Length } from '../../contract/message.ts'
import { InputError, MissingError } from '../../input/input-error.ts'
import { show } from '../../input/show.ts'
import { hideSecrets } from '../../state/redact.ts'
import {
  type ControlHost,
  type ControlReply,
  type ControlRoute,
  isStream,
} from './control-route.ts'
import { findControl } from './find-control.ts'
import { indexReply } from './index-page.ts'

/** The path that the control API is under. */
export const controlPath = '/_sandbox'

/** The largest body of a control request, in bytes: a snapshot of many pets is one. */
export const maxControlBytes = 33_554_432

/** Answers a request of the control API; its URL begins with `/_sandbox`. Refusals are Error bodies. */
export async function handleControl(request: ApiRequest, host: ControlHost): Promise<ControlReply> {
  try {
    return await answer(request, host)
  } catch (thrown) {
    return refusalReply(
      thrown,
      host.controls.keys.list().map(({ key }) => key),
    )
  }
}

/**
 * Turns a refusal into a reply of the control API; throws anything else again.
 *
 * @param secrets The keys that may not stand in it whole.
 */
export function refusalReply(thrown: unknown, secrets: readonly string[] = []): Reply {
  const { code, message, status, headers } = toApiError(thrown)
  const body = toJson({ code, message: hideSecrets(message, secrets), status })
  return { kind: 'reply', status, headers: { ...jsonType, ...headers }, body }
}

const jsonType: Headers = { 'content-type': 'application/json', 'cache-control': 'no-store' }

function toApiError(thrown: unknown): ApiError {
  if (thrown instanceof ApiError) return thrown
  if (thrown instanceof MissingError) return new ApiError('not_found', thrown.message)
  if (thrown instanceof InputError) return new ApiError('invalid_request', thrown.message)
  throw thrown
}

async function answer(request: ApiRequest, host: ControlHost): Promise<ControlReply> {
  const target = request.url.startsWith(controlPath) ? request.url.slice(controlPath.length) : ''
  const [path = '', queryText = ''] = target.split(/\?(.*)/s)
  const method = request.method === 'HEAD' ? 'GET' : request.method
  if (!/^(?:\/|$)/.test(path) || target === request.url) throw unknownControl(request.url)
  if (path === '' || path === '/') return indexReply(request, host)
  const { route, params } = findControl(method, path, host)
  const input = { request, params, query: readQuery(queryText), body: readBody(request, route) }
  const result = await route.run(input, host)
  const { status } = route
  if (result === undefined) return { kind: 'reply', status, headers: {}, body: '' }
  if (!isStream(result)) return { kind: 'reply', status, headers: jsonType, body: toJson(result) }
  const headers = { ...jsonType, 'content-type': 'text/event-stream' }
  return { kind: 'stream', status, headers, pieces: result }
}

/** Refuses a path that no control has. */
function unknownControl(url: string): ApiError {
  return new ApiError(
    'not_found',
    `Cannot find ${show(url)}: no control has this path; ${controlPath} lists them`,
  )
}

/** Reads the query; a name that is given twice is refused. */
function readQuery(text: string): Readonly<Record<string, string>> {
  const query: Record<string, string> = {}
  for (const [name, value] of new URLSearchParams(text)) {
    if (Object.hasOwn(query, name)) {
      throw new InputError(`Cannot set query.${name}: it is given twice; give it once`, [name])
    }
    query[name] = value
  }
  return query
}

function readBody({ body, headers }: ApiRequest, { method }: ControlRoute): unknown {
  if (body.length * 3 > maxControlBytes && utf8Length(body) > maxControlBytes) {
    throw new ApiError(
      'payload_too_large',
      `Cannot read the body: it is larger than ${maxControlBytes} bytes; send less`,
    )
  }
  const type = headers['content-type']
  if (body === '' && (type === undefined || method === 'GET')) return undefined
  // A page of another site can send other types without the browser asking first: a form without fields, too.
  if (!/^application\/json\s*(;|$)/i.test(type ?? '')) {
    throw new InputError(
      `Cannot use Content-Type: found ${show(type ?? 'none')}; send application/json`,
    )
  }
  if (body === '') return undefined
  try {
    return parseJson(body)
  } catch (error) {
    if (!(error instanceof SyntaxError || error instanceof RangeError)) throw error
    throw new InputError(
      `Cannot read the body: found ${show(body)}, which is not valid JSON; send JSON`,
    )
  }
}
