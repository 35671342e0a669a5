import { controlAddress, Remote } from '../../client/remote.ts'
import { clientOver, type SandboxClient } from '../../client/sandbox-client.ts'
import type { ConsoleClient } from './console-client.ts'
import { followShared } from './stream.ts'

/** Which sandbox of the process that serves the page. */
export interface ConsoleTarget {
  readonly origin: string
  /** `undefined` for the default one. */
  readonly sandbox: string | undefined
  /** The control token, where the process asks for one. */
  readonly token: string | undefined
}

/** Connects the console to a sandbox over HTTP. */
export function connectConsole({
  origin,
  sandbox,
  token,
}: ConsoleTarget): ConsoleClient & Pick<SandboxClient, 'sandboxes'> {
  // The page itself comes from there.
  const remote = new Remote(controlAddress(origin, sandbox), { token, isKnown: true })
  const { events: _, ...controls } = clientOver(remote)
  return {
    ...controls,
    findings: () => controls.audit(),
    follow: (hear, signal) => followShared(remote, hear, signal),
  }
}
