import type { Sandbox } from '../src/index.ts'

/** A request as the engine reads it. */
export type ApiRequest = Parameters<Sandbox['handle']>[0]

/** Loads the package's main entry as its users get it: built. */
export async function loadBuilt(): Promise<typeof import('../src/index.ts')> {
  return await import(new URL('../dist/index.js', import.meta.url).href)
}

/**
 * Sends a request and gives the status of its reply.
 *
 * @throws Error when it is answered by a broken connection.
 */
export async function statusFrom(sandbox: Sandbox, request: ApiRequest): Promise<number> {
  const outcome = await sandbox.handle(request)
  if (outcome.kind === 'response') return outcome.status
  throw new Error(`Cannot go on: found ${outcome.kind}, not a reply, to ${request.url}`)
}
