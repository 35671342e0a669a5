import { object, optional, withDefault } from '../mock/input/object.ts'
import { type Input, readInput } from '../mock/input/schema.ts'
import { bearerToken, string } from '../mock/input/values.ts'
import { controlAddress, defaultTimeoutMs, Remote, timeout } from './remote.ts'
import { clientOver, type SandboxClient } from './sandbox-client.ts'

export { InputError, NotFoundError } from '../mock/input/input-error.ts'
export type { RequestView } from '../mock/log/request-view.ts'
export type { EventsOptions, SandboxEvents } from './events.ts'
export { RemoteError, type RemoteReason } from './remote.ts'
export type { SandboxClient } from './sandbox-client.ts'

const connectOptions = object({
  /** The name of one of the process's sandboxes; its default one without. */
  sandbox: optional(string),
  /** The control token, where the process asks for one. */
  token: optional(bearerToken),
  /** Maximum time of a call, such as `5s`: 30 seconds by default. For `events()`: the time until they begin. */
  timeout: withDefault(timeout, defaultTimeoutMs),
})

/** Which sandbox of a process to control, and with which token. */
export type ConnectOptions = Input<typeof connectOptions>

/**
 * Returns the controls of a sandbox that a process serves; the first call asks whether one does.
 *
 * @param url Where the process serves; the address of an API, ending in `/v1` or `/_sandbox`, will do too.
 * @throws {@link InputError} for an address or option that can't be used.
 */
export function connectSandbox(url: string, options: ConnectOptions = {}): SandboxClient {
  const { sandbox, ...settings } = readInput(connectOptions, options)
  return clientOver(new Remote(controlAddress(url, sandbox), settings))
}
