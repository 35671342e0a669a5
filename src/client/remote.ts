import { parseJson, toJson } from '../mock/api/json.ts'
import { startTimer, stopTimer } from '../mock/api/real-time.ts'
import {
  FullError,
  InputError,
  NotFoundError,
  type RejectionReason,
  rejectionReasons,
  show,
} from '../mock/input/input-error.ts'
import { isRecord } from '../mock/input/record.ts'
import type { Schema } from '../mock/input/schema.ts'
import { type Duration, durationFrom, formatDuration } from '../mock/input/values.ts'

/** A control request. */
interface RemoteRequest {
  readonly method: string
  /** Encoded path after `/_sandbox`. */
  readonly path: string
  /** `undefined` if the request has no body. */
  readonly body?: unknown
}

interface RemoteSettings {
  readonly token?: string | undefined
  /** Place where the user sets the token, for error messages. */
  readonly tokenName?: string
  /** Maximum duration of a call, in milliseconds; unlimited by default. */
  readonly timeout?: number | undefined
  /** Name of the option that sets the maximum duration, for messages. */
  readonly timeoutName?: string
  /** Whether the page itself was loaded from this address, so that the health check can be skipped. */
  readonly isKnown?: boolean
}

/** Default maximum duration of a call, in milliseconds. */
export const defaultTimeoutMs = 30_000

/** Maximum duration of a call, in the range of a timer. */
export const timeout: Schema<Duration, number> = durationFrom(1, 24 * 86_400_000)

/** Maximum size of a response in bytes: larger than the largest snapshot. */
const maxResponseBytes = 67_108_864

/** A control API at an address. */
export class Remote {
  readonly address: string
  readonly #options: RemoteSettings
  /** Result of the health check, which is sent once. */
  #known: Promise<void> | undefined

  constructor(address: string, options: RemoteSettings = {}) {
    this.address = address
    this.#options = options
    if (options.isKnown) this.#known = Promise.resolve()
  }

  /**
   * Sends a request and returns its response body, with all digits of integers kept.
   *
   * @throws {@link InputError} for a rejected input, {@link RemoteError} for any other failure.
   */
  async call(request: RemoteRequest): Promise<unknown> {
    // Checks first that the server is petstore-sandbox, so that nothing else is changed.
    await this.#expectSandbox()
    return await this.#send(request)
  }

  /**
   * Opens an event stream.
   *
   * @throws The errors of {@link call}.
   */
  async stream(
    path: string,
    headers: Readonly<Record<string, string>>,
    signal: AbortSignal,
  ): Promise<ReadableStream<Uint8Array>> {
    await this.#expectSandbox()
    const accept = 'text/event-stream'
    const limit = this.#timeLimit()
    const either = AbortSignal.any([signal, limit.signal])
    const more = { headers: { ...headers, accept }, signal: either }
    try {
      const response = await this.#fetch({ method: 'GET', path }, more)
      if (!response.ok) throw this.#rejection(response, await this.#read(response))
      const isStream = response.headers.get('content-type')?.startsWith(accept) ?? false
      if (response.body === null || !isStream) throw notASandbox(this.address)
      // Node cancels a body if its response is garbage-collected before the body is read.
      return Object.assign(response.body, { response })
    } finally {
      // The next event may come much later, and a running timer would keep the Node process alive.
      limit.end()
    }
  }

  async #expectSandbox(): Promise<void> {
    this.#known ??= this.#checkHealth()
    try {
      await this.#known
    } catch (error) {
      // The server may start later.
      this.#known = undefined
      throw error
    }
  }

  async #checkHealth(): Promise<void> {
    const health = await this.#send({ method: 'GET', path: '/health' })
    if (!isRecord(health) || health.status !== 'ok') throw notASandbox(this.address)
  }

  async #send(request: RemoteRequest): Promise<unknown> {
    const { signal, end } = this.#timeLimit()
    try {
      const response = await this.#fetch(request, { signal })
      if (response.status === 204) return undefined
      const parsed = await this.#read(response)
      if (!response.ok) throw this.#rejection(response, parsed)
      return parsed
    } finally {
      end()
    }
  }

  /** Starts the timeout of a call. */
  #timeLimit(): { readonly signal: AbortSignal; readonly end: () => void } {
    const { timeout, timeoutName = 'the option timeout' } = this.#options
    const over = new AbortController()
    if (timeout === undefined) return { signal: over.signal, end: () => {} }
    const message = `Cannot reach ${this.address}: it did not respond within ${formatDuration(timeout)}; allow more time with ${timeoutName}`
    const timer = startTimer(() => over.abort(new RemoteError('unreachable', message)), timeout)
    return { signal: over.signal, end: () => stopTimer(timer) }
  }

  async #fetch({ method, path, body }: RemoteRequest, more: RequestInit): Promise<Response> {
    const headers = new Headers(more.headers)
    if (body !== undefined) headers.set('content-type', 'application/json')
    const { token } = this.#options
    if (token !== undefined) headers.set('authorization', `Bearer ${token}`)
    const sent = body === undefined ? null : jsonOf(body)
    try {
      // The token must not follow a redirect to another address.
      return await fetch(this.address + path, {
        ...more,
        method,
        headers,
        body: sent,
        redirect: 'manual',
      })
    } catch (error) {
      throw unreachable(this.address, error)
    }
  }

  async #read(response: Response): Promise<unknown> {
    const text = await this.#textOf(response).catch((error: unknown) => {
      if (error instanceof RemoteError) throw error
      const message = `Cannot read the response of ${this.address}: it broke off`
      throw new RemoteError('unreachable', message)
    })
    try {
      return parseJson(text)
    } catch {
      throw notASandbox(this.address)
    }
  }

  /**
   * @throws {@link RemoteError} for a response that is too large.
   */
  async #textOf({ body }: Response): Promise<string> {
    if (body === null) return ''
    const decoder = new TextDecoder()
    const reader = body.getReader()
    let text = ''
    let bytes = 0
    for (;;) {
      const { value } = await reader.read()
      if (value === undefined) return text + decoder.decode()
      bytes += value.length
      if (bytes > maxResponseBytes) {
        void reader.cancel().catch(() => {})
        const message = `Cannot read the response of ${this.address}: it is larger than 64 MiB`
        throw new RemoteError('internal-error', message)
      }
      text += decoder.decode(value, { stream: true })
    }
  }

  /** Creates the error for an error response: the error that the typed control would throw, if there is one. */
  #rejection({ status }: Response, parsed: unknown): Error {
    const message = isRecord(parsed) && parsed.status === status ? parsed.message : undefined
    if (typeof message !== 'string' || !isRecord(parsed)) return notASandbox(this.address)
    const path = Array.isArray(parsed.path) ? parsed.path.filter(isPlace) : []
    const reason = isReason(parsed.reason) ? parsed.reason : undefined
    if (status === 404) return new NotFoundError(message, path)
    if (reason === 'limit-reached') return new FullError(message, path)
    if (status === 400 || status === 413) return new InputError(message, path, reason)
    if (status !== 403) return new RemoteError('internal-error', message)
    if (reason !== 'unauthorized') return new RemoteError('forbidden', message)
    return new RemoteError(
      'unauthorized',
      `${message}, as ${this.#options.tokenName ?? 'the option token'} does`,
    )
  }
}

function isPlace(found: unknown): found is string | number {
  return typeof found === 'string' || typeof found === 'number'
}

function isReason(found: unknown): found is RejectionReason {
  return typeof found === 'string' && Object.hasOwn(rejectionReasons, found)
}

/**
 * @throws {@link InputError} for a value that is nested too deeply for the stack.
 */
function jsonOf(body: unknown): string {
  try {
    return toJson(body)
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    throw new InputError('Cannot send the input: it is nested too deeply; use what a sandbox wrote')
  }
}

/**
 * Returns the address of a sandbox's control API.
 *
 * @param url Base URL of the server; an API address that ends in `/v1` or `/_sandbox` works too.
 * @param sandbox Name of one of its sandboxes; `undefined` for the default one.
 * @throws {@link InputError} for an invalid address.
 */
export function controlAddress(url: string, sandbox: string | undefined): string {
  const { protocol, username, origin, pathname } = URL.canParse(url) ? new URL(url) : noUrl
  if (!/^https?:$/.test(protocol) || username !== '') {
    // An environment variable that isn't set is `undefined`.
    const more = typeof url === 'string' ? '' : ', which exec sets as PETSTORE_SANDBOX_URL'
    throw new InputError(
      `Cannot use ${show(url)} as the address of a sandbox: use one such as http://127.0.0.1:7387${more}`,
      ['url'],
    )
  }
  const root = pathname.replace(/\/+$/, '').replace(/\/(?:v1|_sandbox)$/, '')
  const prefix = sandbox === undefined ? '' : `/sandboxes/${inPath(sandbox)}`
  return `${origin}${root}${prefix}/_sandbox`
}

const noUrl = { protocol: '', username: '', origin: '', pathname: '' }

/**
 * Encodes a name or id as a path segment of a URL.
 *
 * @throws {@link NotFoundError} for a dot segment or an empty name.
 */
export function inPath(name: unknown): string {
  const text = String(name)
  if (!/^\.{0,2}$/.test(text)) return encodeURIComponent(text)
  throw new NotFoundError(`Cannot find ${show(text)}: nothing can have this name`)
}

/** Reason why a call to a sandbox failed, other than the errors that the typed controls throw in process too. */
export type RemoteReason =
  /** No server listens there, or the connection broke. */
  | 'unreachable'
  /** The certificate of the server isn't trusted. */
  | 'untrusted'
  /** The server at this address isn't petstore-sandbox. */
  | 'not-a-sandbox'
  /** The control token is missing or wrong. */
  | 'unauthorized'
  /** The request comes from a page of another site, or is for another host. */
  | 'forbidden'
  /** The sandbox failed, for example to write a file. */
  | 'internal-error'
  /** Events were lost while the connection was down. */
  | 'events-lost'

/** Failure of a sandbox or of the connection to it. */
export class RemoteError extends Error {
  /** Name of the class. */
  override readonly name = 'RemoteError'
  /** Machine-readable reason, such as `unreachable`; the message explains it to people. */
  readonly reason: RemoteReason

  constructor(reason: RemoteReason, message: string) {
    super(message)
    this.reason = reason
  }
}

function notASandbox(address: string): RemoteError {
  return new RemoteError(
    'not-a-sandbox',
    `Cannot use ${address}: the server there is not petstore-sandbox`,
  )
}

/** Creates the error for a request without a response; Node puts the reason into the `cause` of its error. */
function unreachable(address: string, error: unknown): RemoteError {
  if (error instanceof RemoteError) return error
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
  if (!(cause instanceof Error)) {
    return new RemoteError('unreachable', `Cannot reach ${address}: ${cause}`)
  }
  const { name, message } = cause
  const code = 'code' in cause ? String(cause.code) : ''
  if (untrusted.includes(code)) {
    return new RemoteError(
      'untrusted',
      `Cannot reach ${address}: its certificate is not trusted; name that of its authority in NODE_EXTRA_CA_CERTS`,
    )
  }
  const why = causes[name] ?? causes[message] ?? causes[code] ?? (message || code)
  return new RemoteError('unreachable', `Cannot reach ${address}: ${why}`)
}

/** Node's error codes for a certificate that it can't trace to a trusted authority. */
const untrusted: readonly string[] = [
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
]

/** Reasons for a failed request, by the name, message or code of the error. */
const causes: Readonly<Record<string, string>> = {
  // `fetch` blocks some ports, such as 1 or 6000.
  'bad port': 'fetch blocks this port; use another one',
  ECONNREFUSED: 'nothing listens there',
  ECONNRESET: 'it closed the connection',
  UND_ERR_SOCKET: 'it closed the connection',
  ENOTFOUND: 'no such host',
  EAI_AGAIN: 'no such host',
}
