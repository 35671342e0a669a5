import { once } from 'node:events'
import { createServer } from 'node:net'

/** The ports that no system gives to whoever asks for any, or to a client's end of a connection. */
const [first, last] = [10_000, 32_000] as const

/**
 * Finds a free port at which a test can listen again later: nobody is given it meanwhile, as may happen to one that a
 * server on port 0 had.
 */
export async function lastingPort(): Promise<number> {
  for (;;) {
    const port = first + Math.floor(Math.random() * (last - first))
    const server = createServer().listen(port, '127.0.0.1')
    const isFree = await once(server, 'listening').then(
      () => true,
      () => false,
    )
    if (!isFree) continue
    server.close()
    await once(server, 'close')
    return port
  }
}
