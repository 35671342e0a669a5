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
  /** Name of the server's sandbox to control; the default sandbox if omitted. */
  sandbox: optional(string),
  /** Control token, if the server requires one. */
  token: optional(bearerToken),
  /**
   * Maximum duration of a call, such as `5s` (default: 30 seconds). For `events()`, the maximum time until they begin.
   */
  timeout: withDefault(timeout, defaultTimeoutMs),
})

/** Options of {@link connectSandbox}: the sandbox of the server, the control token and the timeout. */
export interface ConnectOptions extends Input<typeof connectOptions> {}

/**
 * Returns the controls of a sandbox that a server runs; the first call checks that the server is petstore-sandbox.
 *
 * @param url Base URL of the server; an API address that ends in `/v1` or `/_sandbox` works too.
 * @throws {@link InputError} for an invalid address or option.
 */
export function connectSandbox(url: string, options: ConnectOptions = {}): SandboxClient {
  const { sandbox, ...settings } = readInput(connectOptions, options)
  return clientOver(new Remote(controlAddress(url, sandbox), settings))
}
