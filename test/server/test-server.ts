import { expect, onTestFinished, vi } from 'vitest'
import {
  type RunningServer,
  type ServerOptions,
  startServer,
} from '../../src/server/start-server.ts'

/** Starts a server on a free port for one test; by its end, nothing may have been written to standard error. */
export async function testServer(options: ServerOptions = {}): Promise<RunningServer> {
  const write = vi.spyOn(process.stderr, 'write')
  const warnings: Error[] = []
  const addWarning = (warning: Error): void => {
    warnings.push(warning)
  }
  process.on('warning', addWarning)
  const server = await startServer({ port: 0, ...options })
  onTestFinished(async () => {
    await server.close()
    process.off('warning', addWarning)
    const written = write.mock.calls.map(([text]) => String(text))
    write.mockRestore()
    expect([...written, ...warnings]).toEqual([])
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
