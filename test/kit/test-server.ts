import { expect, inject, onTestFinished, vi } from 'vitest'
import type { ApiRequest, Outcome } from '../../src/mock/api/message.ts'
import { SandboxPool, type SandboxPoolOptions } from '../../src/sandbox/sandbox-pool.ts'
import type { Bounds } from '../../src/server/server-options.ts'
import {
  type RunningServer,
  type ServedRequest,
  type ServerOptions,
  serveSandbox,
} from '../../src/server/start-server.ts'
import { expectConformity } from './conformity.ts'
import { optionsOf } from './frozen-sandbox.ts'
import { type HostEvent, startRemoteServer } from './remote-server.ts'

/** How to serve in a test. */
export interface TestServerOptions extends Omit<ServerOptions, 'pool'> {
  /** The named sandboxes, or how they are made. */
  readonly pool?: SandboxPool | SandboxPoolOptions | undefined
  /** What clients may take of it, where that is not to take half a minute. */
  readonly bounds?: Partial<Bounds> | undefined
}

/** The Node that servers run on; `undefined` for the process of the tests. */
const node = inject('serverNode')

/**
 * Starts a server on a free port for one test; by its end, nothing may have been written to standard error, and every
 * reply has to be as the API is described.
 *
 * In the projects `server on Node …` it is the built package that serves, in a process on that Node. What its
 * `sandbox` and `pool` are asked is then done when it is awaited.
 */
export function testServer(options: TestServerOptions = {}): Promise<RunningServer> {
  return node === undefined ? serveHere(options) : serveOn(node, options)
}

async function serveHere({ pool, bounds, ...options }: TestServerOptions): Promise<RunningServer> {
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
      const { sandbox } = served
      const hasFaults = sandbox === undefined || sandbox.faults.list().length > 0
      surprises.push(...oddReplies({ ...served, hasFaults }))
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

/** A request, as it comes from another process. */
interface ServedThere extends Pick<ServedRequest, 'request' | 'outcome' | 'at' | 'durationMs'> {
  readonly hasFaults: boolean
}

async function serveOn(node: string, options: TestServerOptions): Promise<RunningServer> {
  const { sandbox, pool, onRequest, onError, save, ...data } = options
  if (pool instanceof SandboxPool) {
    throw new TypeError('Cannot serve a pool of this process on another Node: give its options')
  }
  const surprises: unknown[] = []
  const hear = (event: HostEvent, value: unknown): void => {
    if (event === 'save') save?.()
    else if (event === 'bug' && onError !== undefined) onError(value)
    else if (event === 'request') {
      const served = value as ServedThere
      onRequest?.({ ...served, sandbox: undefined })
      surprises.push(...oddReplies(served))
    } else surprises.push(value)
  }
  const given = {
    port: 0,
    ...data,
    pool,
    hasSave: save !== undefined,
    sandbox: sandbox && { options: optionsOf(sandbox), snapshot: sandbox.snapshot() },
  }
  const server = await startRemoteServer(node, given, hear)
  onTestFinished(async () => {
    await server.close()
    server.forget()
    expect([...surprises, ...server.notDone]).toEqual([])
  })
  return server
}

/** What is wrong with a reply by the description of the API; what a fault made of one is no reply as it describes them. */
function oddReplies(served: {
  readonly request: ApiRequest
  readonly outcome: Outcome
  readonly hasFaults: boolean
}): unknown[] {
  const { request, outcome, hasFaults } = served
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
