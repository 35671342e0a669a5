import { parseJson, toJson } from '../contract/int64.ts'
import { CliError } from './cli-error.ts'

/** Which running sandbox a command is for. */
export interface RemoteOptions {
  /** Where the process serves, such as `http://127.0.0.1:7387`. */
  readonly url: string
  /** The name of one of its sandboxes; its default one without. */
  readonly sandbox?: string | undefined
  readonly 'control-token'?: string | undefined
}

/** The address of a sandbox's control API. */
export function controlUrl({ url, sandbox }: RemoteOptions): string {
  const root = url.replace(/\/+$/, '').replace(/\/(?:v1|_sandbox)$/, '')
  const prefix = sandbox === undefined ? '' : `/sandboxes/${encodeURIComponent(sandbox)}`
  return `${root}${prefix}/_sandbox`
}

/**
 * Sends a request to a control API and reads its answer, integers digit for digit.
 *
 * @throws {@link CliError} with what the API says, or why it can't be reached.
 */
export async function callControl(
  options: RemoteOptions,
  method: string,
  path: string,
  body?: unknown,
): Promise<unknown> {
  const response = await fetchControl(options, method, path, body)
  const text = await response.text()
  const value = text === '' ? undefined : readAnswer(text, options)
  if (response.ok) return value
  const { message } = (value ?? {}) as { readonly message?: unknown }
  throw new CliError(String(message ?? `The sandbox answers ${response.status}`), 1)
}

function readAnswer(text: string, options: RemoteOptions): unknown {
  try {
    return parseJson(text)
  } catch {
    throw new CliError(
      `Cannot read the answer of ${controlUrl(options)}: it is no JSON; is it a petstore-sandbox?`,
      1,
    )
  }
}

/**
 * Sends a request to a control API.
 *
 * @throws {@link CliError} when it can't be reached.
 */
export async function fetchControl(
  options: RemoteOptions,
  method: string,
  path: string,
  body?: unknown,
): Promise<Response> {
  const url = `${controlUrl(options)}${path}`
  const token = options['control-token']
  try {
    return await fetch(url, {
      method,
      headers: {
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      },
      ...(body === undefined ? {} : { body: toJson(body) }),
    })
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
    const code = cause instanceof Error && 'code' in cause ? String(cause.code) : String(cause)
    throw new CliError(
      `Cannot reach ${controlUrl(options)} (${code}): start a sandbox with petstore-sandbox, or name one with --url`,
      1,
    )
  }
}
