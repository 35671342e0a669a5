import { expect, onTestFinished, vi } from 'vitest'
import {
  type ServedExchange,
  type RunningServer,
  type ServerOptions,
  startServer,
} from '../../src/server/start-server.ts'
import { expectConformity } from './conformity.ts'

/** Compares a reply with the description of the API; what a fault made of one is no reply as it describes them. */
function checkExchange({ request, outcome, sandbox }: ServedExchange): void {
  if (outcome.kind === 'reply' && sandbox?.faults.list().length === 0) {
    expectConformity(request, outcome)
  }
}

/**
 * Starts a server on a free port for one test; by its end, nothing may have been written to standard error, and every
 * reply has to be as the API is described.
 */
export async function testServer(options: ServerOptions = {}): Promise<RunningServer> {
  const write = vi.spyOn(process.stderr, 'write')
  const warnings: Error[] = []
  const addWarning = (warning: Error): void => {
    warnings.push(warning)
  }
  process.on('warning', addWarning)
  const oddReplies: unknown[] = []
  const onExchange = (exchange: ServedExchange): void => {
    options.onExchange?.(exchange)
    try {
      checkExchange(exchange)
    } catch (thrown) {
      oddReplies.push(thrown)
    }
  }
  const server = await startServer({ port: 0, ...options, onExchange })
  onTestFinished(async () => {
    await server.close()
    process.off('warning', addWarning)
    const written = write.mock.calls.map(([text]) => String(text))
    write.mockRestore()
    expect([...written, ...warnings, ...oddReplies]).toEqual([])
  })
  return server
}

/** Gets the first pet on a connection of its own, as any client would. */
export async function expectServing({ url }: { readonly url: string }): Promise<void> {
  const reply = await fetch(`${url}/v1/pets?limit=1`, {
    headers: { Authorization: 'Bearer enterprise-key', Connection: 'close' },
  })
  expect({ status: reply.status, pets: await reply.json() }).toEqual({
    status: 200,
    pets: [expect.objectContaining({ id: 1 })],
  })
}
