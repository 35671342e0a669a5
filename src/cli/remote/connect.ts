import { controlAddress, Remote, RemoteError } from '../../client/remote.ts'
import { clientOver, type SandboxClient } from '../../client/sandbox-client.ts'
import { basePath } from '../../contract/endpoints.ts'
import { keyView } from '../../control/keys.ts'
import { list } from '../../input/collections.ts'
import { InputError, MissingError } from '../../input/input-error.ts'
import { show } from '../../input/show.ts'
import { CliError } from '../cli-error.ts'
import { defaultUrl, type RemoteOptions } from '../options.ts'

export type Client = SandboxClient

/** Where a running sandbox is. */
export type RemotePlace = Pick<RemoteOptions, 'url' | 'sandbox' | 'control-token'>

/**
 * Does something at a running sandbox.
 *
 * @throws {@link CliError} with the sandbox's refusal, or why it can't be reached; {@link InputError} for an address
 * that can't be one.
 */
export async function atSandbox<Result>(
  place: RemotePlace,
  act: (client: Client) => Promise<Result>,
): Promise<Result> {
  const client = connect(place)
  try {
    return await act(client)
  } catch (error) {
    throw await failureOf(error, place)
  }
}

function connect({ url = defaultUrl, sandbox, 'control-token': token }: RemotePlace): Client {
  try {
    const options = { token, tokenName: '--control-token' }
    return clientOver(new Remote(controlAddress(url, sandbox), options))
  } catch (error) {
    throw error instanceof MissingError ? new CliError(error.message, 1) : error
  }
}

/** Puts a failure into the words of the command line. */
async function failureOf(error: unknown, place: RemotePlace): Promise<unknown> {
  if (error instanceof MissingError && (await isMissing(place))) return missingSandbox(place)
  if (error instanceof InputError) return new CliError(error.message, 1)
  if (!(error instanceof RemoteError)) return error
  const { reason, message } = error
  if (reason === 'unreachable') {
    return new CliError(
      `${message}; start a sandbox with petstore-sandbox, or name one with --url`,
      1,
    )
  }
  if (reason === 'not-a-sandbox') return new CliError(`${message}; name one with --url`, 1)
  return new CliError(message, 1)
}

async function isMissing({ sandbox, ...process }: RemotePlace): Promise<boolean> {
  if (sandbox === undefined) return false
  try {
    const others = await connect({ ...process, sandbox: undefined }).sandboxes.list()
    return !others.some(({ name }) => name === sandbox)
  } catch {
    return false
  }
}

function missingSandbox({ sandbox }: RemotePlace): CliError {
  return new CliError(
    `Cannot find sandbox ${show(sandbox)}: no sandbox has this name; make it with petstore-sandbox sandboxes create ${sandbox}, or start with --auto-create`,
    1,
  )
}

/** How long the completion asks for keys: on a busy machine, the process needs its time. */
const quickMs = 2_000

/** Gives the keys of a running sandbox; none if it can't be reached quickly. */
export async function keysAt({
  url = defaultUrl,
  sandbox,
  'control-token': token,
}: RemotePlace): Promise<string[]> {
  try {
    const reply = await fetch(`${controlAddress(url, sandbox)}/keys`, {
      headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
      signal: AbortSignal.timeout(quickMs),
    })
    return keyList.read(await reply.json()).map(({ key }) => key)
  } catch {
    return []
  }
}

const keyList = list(keyView)

/** Where the API of a running sandbox is. */
export function apiAddress({ url = defaultUrl, sandbox }: RemotePlace): string {
  return controlAddress(url, sandbox).replace(/\/_sandbox$/, basePath)
}
