import { expect, onTestFinished, vi } from 'vitest'
import { SandboxPool, type SandboxPoolOptions } from '../../src/sandbox/sandbox-pool.ts'
import type { Bounds } from '../../src/server/server-options.ts'
import {
  type RunningServer,
  type ServedRequest,
  type ServerOptions,
  serveSandbox,
} from '../../src/server/start-server.ts'
import { expectConformity } from './conformity.ts'

/** How to serve in a test. */
export interface TestServerOptions extends Omit<ServerOptions, 'pool'> {
  /** The named sandboxes, or how they are made. */
  readonly pool?: SandboxPool | SandboxPoolOptions | undefined
  /** What clients may take of it, where that is not to take half a minute. */
  readonly bounds?: Partial<Bounds> | undefined
}

/**
 * Starts a server on a free port for one test; by its end, nothing may have been written to standard error, and every
 * reply has to be as the API is described.
 */
export async function testServer({
  pool,
  bounds,
  ...options
}: TestServerOptions = {}): Promise<RunningServer> {
  const write = vi.spyOn(process.stderr, 'write')
  const surprises: unknown[] = []
  const addWarning = (warning: Error): void => {
    surprises.push(warning)
  }
  process.on('warning', addWarning)
  const given: ServerOptions = {
    port: 0,
    ...options,
    ...(pool === undefined
      ? {}
      : { pool: pool instanceof SandboxPool ? pool : new SandboxPool(pool) }),
    onRequest(served) {
      options.onRequest?.(served)
      surprises.push(...oddReplies(served))
    },
  }
  const server = await serveSandbox(given, { bounds })
  onTestFinished(async () => {
    await server.close()
    process.off('warning', addWarning)
    const written = write.mock.calls.map(([text]) => String(text))
    write.mockRestore()
    expect([...written, ...surprises]).toEqual([])
  })
  return server
}

/** What is wrong with a reply by the description of the API; what a fault made of one is no reply as it describes them. */
function oddReplies({ request, outcome, sandbox }: ServedRequest): unknown[] {
  const hasFaults = sandbox === undefined || sandbox.faults.list().length > 0
  if (outcome.kind !== 'response' || hasFaults) return []
  try {
    expectConformity(request, outcome)
    return []
  } catch (thrown) {
    return [thrown]
  }
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
