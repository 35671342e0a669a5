import type { IncomingMessage, ServerResponse } from 'node:http'
import { Arrival, type Connection } from '../adapters/parts/node/connections.ts'
import type { NodeBody } from '../adapters/parts/node/respond-to-request.ts'
import { basePath } from '../mock/api/endpoints.ts'
import { codeOfStatus } from '../mock/api/error.ts'
import { toJson } from '../mock/api/json.ts'
import type { ApiResponse, Headers } from '../mock/api/message.ts'
import type { EventStreams } from '../sandbox/controls/http/events.ts'
import type { apiErrorResponse } from '../sandbox/controls/http/handle-control.ts'
import type { ProcessControls } from '../sandbox/controls/sandboxes.ts'
import type { Sandbox } from '../sandbox/sandbox.ts'
import type { SandboxPool } from '../sandbox/sandbox-pool.ts'
import type { GuardOptions } from './guard.ts'
import type { ServedRequest } from './server-options.ts'

/** File that a page shows. */
export interface ShownFile {
  readonly name: string
  /** Its JSON, which is embedded in the playground. */
  readonly text: string
}

/** Parts of a server that its request handlers share. */
export interface Site {
  readonly sandbox: Sandbox
  readonly pool: SandboxPool
  readonly processControls: ProcessControls
  readonly events: EventStreams
  readonly guard: GuardOptions
  /** Base URL, such as `http://127.0.0.1:7387`; known once the server listens. */
  readonly origin: () => string
  /** File that the server shows, if any; it is read-only. */
  readonly file: ShownFile | undefined
  readonly onRequest: ((request: ServedRequest) => void) | undefined
  /** Reports a bug; never throws. */
  readonly reportBug: (error: unknown) => void
}

/** Context of a request while the app handles it. */
export class RequestContext extends Arrival {
  /** Target on arrival; updated before the response if middleware has rewritten `url`. */
  target: Target
  /** Body of the request, if middleware may have read it. */
  body: NodeBody | undefined = undefined
  /** Whether one of our handlers has claimed the request; guards against a second `next()`. */
  claimed = false

  constructor(
    request: IncomingMessage,
    response: ServerResponse,
    connection: Connection,
    target: Target,
  ) {
    super(request, response, connection)
    this.target = target
  }
}

/** A sandbox, or the error response if it can't be used. */
type FoundSandbox = { readonly sandbox: Sandbox } | { readonly rejection: ApiResponse }

/**
 * Finds a sandbox by its name.
 *
 * @param reject Creates the error response.
 * @param check Checks that may reject the request before a sandbox is found or created.
 */
export function findSandbox(
  { sandbox, pool }: Site,
  name: string | undefined,
  { authorization = '' }: Headers,
  reject: typeof apiErrorResponse,
  check?: () => void,
): FoundSandbox {
  try {
    check?.()
    return { sandbox: name === undefined ? sandbox : pool.getOrCreate(name) }
  } catch (thrown) {
    // Hides a key or token that was sent in place of a name.
    const sent = authorization.replace(/^bearer +/i, '')
    const rejection = reject(thrown, (text) => sandbox.hideKeys(text, sent))
    // A sandbox that doesn't exist has no clock; the default one's time is used.
    const { clock } = (name === undefined ? undefined : pool.find(name)) ?? sandbox
    const date = new Date(clock.now()).toUTCString()
    return { rejection: { ...rejection, headers: { ...rejection.headers, date } } }
  }
}

/** Patterns for a path and everything below it. */
const [underApi, underControl, underNamed] = [
  new RegExp(`^${basePath}(?![^/?])`),
  /^\/_sandbox(?![^/?])/,
  /^\/sandboxes(?![^/?])/,
]

/** Parsed target of a request. */
export interface Target {
  /** `elsewhere` is any path outside the API and the controls; the API responds to it as an unknown path. */
  readonly kind: 'api' | 'control' | 'elsewhere'
  /** The named sandbox; `undefined` for the default one. */
  readonly name: string | undefined
  /** Path and query as seen by the sandbox. */
  readonly url: string
  /** Path and query as seen by the server. */
  readonly local: string
  /** Host and port of an absolute target. */
  readonly authority: string | undefined
}

const absoluteForm = /^https?:\/\/([^/?#]*)/i

const namedPath = /^\/sandboxes\/([^/?]+)(\/.*|\?.*|)$/s

/**
 * Parses a request target; paths of the API itself never lead elsewhere.
 *
 * @param target A path, or a URL as proxies get it (RFC 9112, 3.2.2).
 */
export function findTarget(target: string): Target {
  if (target.startsWith('/')) return findLocal(target)
  const [origin = '', authority] = absoluteForm.exec(target) ?? []
  const local = target.slice(origin.length)
  const found = findLocal(local)
  // The sandbox accepts an absolute target, and its request log shows the target as sent.
  const url = found.name === undefined && found.kind !== 'control' ? target : found.url
  return { ...found, url, authority }
}

function findLocal(local: string): Target {
  if (underApi.test(local)) return here('api', local)
  if (underControl.test(local)) return here('control', local)
  if (!underNamed.test(local)) return here('elsewhere', local)
  const [, name, url = ''] = namedPath.exec(local) ?? []
  if (name === undefined) return here('api', local)
  const kind = underControl.test(url) ? 'control' : 'api'
  return { kind, name, url, local, authority: undefined }
}

function here(kind: Target['kind'], local: string): Target {
  return { kind, name: undefined, url: local, local, authority: undefined }
}

/**
 * Writes an Error body that doesn't come from a sandbox.
 *
 * @param where Additional properties for an error of a control.
 */
export function writeError(
  response: ServerResponse,
  status: number,
  message: string,
  where: object = {},
): void {
  const body = toJson({ code: codeOfStatus(status), message, status, ...where })
  const length = Buffer.byteLength(body)
  // Uses the system time, since no sandbox is involved.
  response.sendDate = true
  response.writeHead(status, ['Content-Type', 'application/json', 'Content-Length', String(length)])
  response.end(body)
}
