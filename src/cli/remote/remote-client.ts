import { parseJson, toJson } from '../../contract/int64.ts'
import { isRecord, show } from '../../input/input-error.ts'
import { CliError } from '../terminal/cli-error.ts'

/** Which running sandbox a command is for. */
export interface RemoteOptions {
  /** Where the process serves, such as `http://127.0.0.1:7387`. */
  readonly url: string
  /** The name of one of its sandboxes; its default one without. */
  readonly sandbox?: string | undefined
  readonly 'control-token'?: string | undefined
}

/** What is asked of a control API. */
export interface ControlRequest {
  readonly method?: string
  /** What comes after `/_sandbox`. */
  readonly path: string
  readonly body?: unknown
  /** Ends the request, and the reading of its answer. */
  readonly signal?: AbortSignal
}

/**
 * Makes sure that a URL is that of a running sandbox.
 *
 * @throws {@link CliError} when it can't be reached, there is none of its name, or something else answers.
 */
export async function expectSandbox(options: RemoteOptions): Promise<void> {
  const health = await callControl(options, { path: '/health' })
  if (!isRecord(health) || health.status !== 'ok') throw notASandbox(options)
}

/**
 * Sends a request to a control API and reads its answer, integers digit for digit.
 *
 * @throws {@link CliError} with what the API says, or why it can't be reached.
 */
export async function callControl(
  options: RemoteOptions,
  request: ControlRequest,
): Promise<unknown> {
  const response = await fetchControl(options, request)
  const text = await readText(response, options)
  if (response.status === 204) return undefined
  const value = readAnswer(text, options)
  if (response.ok) return value
  if (isRecord(value) && typeof value.message === 'string') throw refusal(value.message)
  throw notASandbox(options)
}

async function readText(response: Response, options: RemoteOptions): Promise<string> {
  try {
    return await response.text()
  } catch {
    throw new CliError(`Cannot read the answer of ${controlUrl(options)}: it broke off`, 1)
  }
}

function readAnswer(text: string, options: RemoteOptions): unknown {
  try {
    return parseJson(text)
  } catch {
    throw notASandbox(options)
  }
}

function refusal(message: string): CliError {
  const hint = message.includes('control token') ? ', as --control-token does' : ''
  return new CliError(message + hint, 1)
}

function notASandbox(options: RemoteOptions): CliError {
  const url = controlUrl(options)
  return new CliError(`Cannot use ${url}: what answers there is no petstore-sandbox`, 1)
}

/**
 * Sends a request to a control API.
 *
 * @throws {@link CliError} when it can't be reached.
 */
export async function fetchControl(
  options: RemoteOptions,
  { method = 'GET', path, body, signal }: ControlRequest,
): Promise<Response> {
  const url = controlUrl(options)
  const token = options['control-token']
  const text = body === undefined ? undefined : jsonOf(body)
  try {
    return await fetch(url + path, {
      method,
      headers: {
        ...(text === undefined ? {} : { 'content-type': 'application/json' }),
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      },
      ...(text === undefined ? {} : { body: text }),
      ...(signal === undefined ? {} : { signal }),
      // A token is for the address that was given.
      redirect: 'manual',
    })
  } catch (error) {
    throw new CliError(
      `Cannot reach ${url}: ${whyUnreachable(error)}; start a sandbox with petstore-sandbox, or name one with --url`,
      1,
    )
  }
}

/** @throws {@link CliError} for what is nested deeper than the stack. */
function jsonOf(body: unknown): string {
  try {
    return toJson(body)
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    throw new CliError(
      'Cannot send the input: it is nested too deeply; use what a command wrote',
      1,
    )
  }
}

/**
 * Writes a name as a part of a URL's path.
 *
 * @throws {@link CliError} for one that a URL would take for a step up or down.
 */
export function inPath(name = ''): string {
  if (!/^\.{0,2}$/.test(name)) return encodeURIComponent(name)
  throw new CliError(`Cannot find ${show(name)}: nothing can have this name`, 1)
}

/** The address of a sandbox's control API; that of the API does, too. */
function controlUrl({ url, sandbox }: RemoteOptions): string {
  const { protocol, username, origin, pathname } = URL.canParse(url) ? new URL(url) : noUrl
  if (!/^https?:$/.test(protocol) || username !== '') {
    throw new CliError(
      `Cannot use ${show(url)} as the address of a sandbox: use one such as http://127.0.0.1:7387`,
      2,
    )
  }
  const root = pathname.replace(/\/+$/, '').replace(/\/(?:v1|_sandbox)$/, '')
  const prefix = sandbox === undefined ? '' : `/sandboxes/${inPath(sandbox)}`
  return `${origin}${root}${prefix}/_sandbox`
}

const noUrl = { protocol: '', username: '', origin: '', pathname: '' }

const unreachable: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there',
  ECONNRESET: 'it closed the connection',
  UND_ERR_SOCKET: 'it closed the connection',
  ENOTFOUND: 'there is no such host',
  EAI_AGAIN: 'there is no such host',
}

/** Why a request had no answer, in words; fetch keeps that in the cause of its error. */
function whyUnreachable(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
  if (!(cause instanceof Error)) return String(cause)
  const code = 'code' in cause ? String(cause.code) : ''
  return unreachable[code] ?? (cause.message === '' ? code : cause.message)
}
