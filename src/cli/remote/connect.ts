import { controlAddress, defaultTimeoutMs, Remote, RemoteError } from '../../client/remote.ts'
import { clientOver, type SandboxClient } from '../../client/sandbox-client.ts'
import { basePath } from '../../mock/api/endpoints.ts'
import { InputError, NotFoundError } from '../../mock/input/input-error.ts'
import { readInput } from '../../mock/input/schema.ts'
import { bearerToken } from '../../mock/input/values.ts'
import { CliError } from '../cli-error.ts'
import { defaultUrl, type RemoteOptions } from '../options.ts'
import { programLine } from '../program.ts'
import { expectVariables } from '../serve/serve-settings.ts'

export type Client = SandboxClient

/** Address of a running sandbox, and how to reach it. */
export type Target = Pick<RemoteOptions, 'url' | 'sandbox' | 'control-token'> &
  Partial<Pick<RemoteOptions, 'timeout'>>

/**
 * Calls a running sandbox.
 *
 * @throws {@link CliError} with the sandbox's error, or the reason why it can't be reached; {@link InputError} for an
 * invalid address.
 */
export async function atSandbox<Result>(
  place: Target,
  act: (client: Client) => Promise<Result>,
): Promise<Result> {
  const client = connect(place)
  try {
    return await act(client)
  } catch (error) {
    throw failureOf(error)
  }
}

function connect(place: Target): Client {
  // A misspelt variable would leave out the address or the token.
  expectVariables(process.env)
  const { timeout = defaultTimeoutMs } = place
  const token = place['control-token'] ?? tokenInEnvironment()
  try {
    const options = { token, tokenName: '--control-token', timeout, timeoutName: '--timeout' }
    return clientOver(new Remote(addressOf(place), options))
  } catch (error) {
    throw error instanceof NotFoundError ? new CliError(error.message, 1) : error
  }
}

/** @throws {@link CliError} for a token that a header can't contain. */
function tokenInEnvironment(): string | undefined {
  const name = 'PETSTORE_SANDBOX_CONTROL_TOKEN'
  const token = process.env[name]
  // An empty variable counts as unset.
  if (!token) return undefined
  try {
    return readInput(bearerToken, token, name)
  } catch (error) {
    if (!(error instanceof InputError)) throw error
    throw new CliError(error.message, 2)
  }
}

/** Returns advice for a running sandbox that can't be reached. */
function hintFor(reason: RemoteError['reason']): string {
  if (reason === 'not-a-sandbox') return '; name one with --url'
  if (reason !== 'unreachable') return ''
  return `; start a sandbox with ${programLine('')}, or name one with --url`
}

/** Rewrites an error in the terms of the command line. */
function failureOf(error: unknown): unknown {
  if (error instanceof InputError) {
    const create = programLine('sandboxes create NAME')
    return new CliError(error.message.replace('POST /_sandbox/sandboxes', create), 1)
  }
  if (!(error instanceof RemoteError)) return error
  return new CliError(error.message + hintFor(error.reason), 1)
}

/** Returns the keys of a running sandbox; empty if it can't be reached quickly. */
export async function keysAt(place: Target): Promise<string[]> {
  try {
    const keys = await connect({ ...place, timeout: 2_000 }).keys.list()
    return keys.map(({ key }) => key)
  } catch {
    return []
  }
}

/** Returns the address of a running sandbox's API. */
export function apiAddress(place: Target): string {
  return addressOf(place).replace(/\/_sandbox$/, basePath)
}

function addressOf({ url, sandbox }: Target): string {
  return controlAddress(url ?? (process.env.PETSTORE_SANDBOX_URL || defaultUrl), sandbox)
}
