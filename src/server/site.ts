import type { IncomingMessage, ServerResponse } from 'node:http'
import type { NodeBody } from '../adapters/parts/node/answer-request.ts'
import { Arrival, type Connection } from '../adapters/parts/node/connections.ts'
import type { EventStreams } from '../mock/controls/http/events.ts'
import type { apiRefusalReply } from '../mock/controls/http/handle-control.ts'
import type { ProcessControls } from '../mock/controls/sandboxes.ts'
import type { Sandbox } from '../mock/sandbox.ts'
import type { SandboxPool } from '../mock/sandbox-pool.ts'
import { basePath } from '../mock/spec/endpoints.ts'
import { codeOfStatus } from '../mock/spec/error.ts'
import { toJson } from '../mock/spec/json.ts'
import type { ApiResponse, Headers } from '../mock/spec/message.ts'
import type { GuardOptions } from './guard.ts'
import type { ServedRequest } from './server-options.ts'

/** A file that a page shows. */
export interface ShownFile {
  readonly name: string
  /** Its JSON, which the playground has in itself. */
  readonly text: string
}

/** What a process serves, to whom, and who hears of it. */
export interface Site {
  readonly sandbox: Sandbox
  readonly pool: SandboxPool
  readonly processControls: ProcessControls
  readonly events: EventStreams
  readonly guard: GuardOptions
  /** Where it is served, such as `http://127.0.0.1:7387`; known once it listens. */
  readonly origin: () => string
  /** The file that it shows, if it is there for that; nothing in it can be changed. */
  readonly file: ShownFile | undefined
  readonly onRequest: ((exchange: ServedRequest) => void) | undefined
  /** Never throws. */
  readonly reportBug: (error: unknown) => void
}

/** A request on its way through the app to its answer. */
export class RequestContext extends Arrival {
  /** What it was for when it arrived, and at last by its `url` then. */
  target: Target
  /** Its body, if middleware may have read it. */
  body: NodeBody | undefined = undefined
  /** Whether something of ours answers it: `next()` may be called again. */
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

/** A sandbox, or the reply that refuses it. */
type FoundSandbox = { readonly sandbox: Sandbox } | { readonly refusal: ApiResponse }

/**
 * Finds a sandbox by its name.
 *
 * @param refuse Makes the reply to what is refused.
 * @param check What else may refuse the request, before anything is found or made.
 */
export function findSandbox(
  { sandbox, pool }: Site,
  name: string | undefined,
  { authorization = '' }: Headers,
  refuse: typeof apiRefusalReply,
  check?: () => void,
): FoundSandbox {
  try {
    check?.()
    return { sandbox: name === undefined ? sandbox : pool.getOrCreate(name) }
  } catch (thrown) {
    // A key or the token may stand where a name belongs.
    const sent = authorization.replace(/^bearer +/i, '')
    const refusal = refuse(thrown, (text) => sandbox.hideKeys(text, sent))
    // Of a sandbox that doesn't exist, nothing is known; the process has its own time.
    const { clock } = (name === undefined ? undefined : pool.find(name)) ?? sandbox
    const date = new Date(clock.now()).toUTCString()
    return { refusal: { ...refusal, headers: { ...refusal.headers, date } } }
  }
}

/** What is a path, or something below it. */
const [underApi, underControl, underNamed] = [
  new RegExp(`^${basePath}(?![^/?])`),
  /^\/_sandbox(?![^/?])/,
  /^\/sandboxes(?![^/?])/,
]

/** What a request is for. */
export interface Target {
  /** `elsewhere` is outside of all that the process serves: for the API an unknown path. */
  readonly kind: 'api' | 'control' | 'elsewhere'
  /** The named sandbox; `undefined` for the default one. */
  readonly name: string | undefined
  /** Path and query as the sandbox knows them. */
  readonly url: string
  /** Path and query as the process knows them. */
  readonly local: string
  /** The host and port that an absolute target names. */
  readonly authority: string | undefined
}

const absoluteForm = /^https?:\/\/([^/?#]*)/i

const namedPath = /^\/sandboxes\/([^/?]+)(\/.*|\?.*|)$/s

/**
 * Finds what a request target is for; nothing of ours is under the API's own paths.
 *
 * @param target A path, or a URL as proxies get it (RFC 9112, 3.2.2).
 */
export function findTarget(target: string): Target {
  if (target.startsWith('/')) return findLocal(target)
  const [origin = '', authority] = absoluteForm.exec(target) ?? []
  const local = target.slice(origin.length)
  const found = findLocal(local)
  // The sandbox itself understands an absolute target, and its journal shows what was sent.
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
 * Writes an Error body that is no reply of a sandbox.
 *
 * @param where What a refusal of a control says beyond that.
 */
export function writeError(
  response: ServerResponse,
  status: number,
  message: string,
  where: object = {},
): void {
  const body = toJson({ code: codeOfStatus(status), message, status, ...where })
  const length = Buffer.byteLength(body)
  // By the system's clock, since no sandbox answers.
  response.sendDate = true
  response.writeHead(status, ['Content-Type', 'application/json', 'Content-Length', String(length)])
  response.end(body)
}
