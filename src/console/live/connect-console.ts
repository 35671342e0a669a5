import { clientOver } from '../../client/client-over.ts'
import { controlAddress } from '../../client/control-address.ts'
import { Remote } from '../../client/remote.ts'
import type { ConsoleClient } from './console-client.ts'
import { readLatest } from './stream/read-latest.ts'
import { followShared } from './stream/shared-stream.ts'

/** Which sandbox of the process that serves the page. */
export interface ConsoleTarget {
  readonly origin: string
  /** `undefined` for the default one. */
  readonly sandbox: string | undefined
  /** The control token, where the process asks for one. */
  readonly token: string | undefined
}

/** Connects the console to a sandbox over HTTP. */
export function connectConsole({ origin, sandbox, token }: ConsoleTarget): ConsoleClient {
  // The page itself comes from there.
  const remote = new Remote(controlAddress(origin, sandbox), token, 'known')
  const { events: _, ...controls } = clientOver(remote)
  return {
    ...controls,
    latest: (limit, signal) => readLatest(remote, limit, signal),
    follow: (hear, signal) => followShared(remote, hear, signal),
  }
}
