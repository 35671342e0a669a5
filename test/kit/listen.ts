import { onTestFinished } from 'vitest'
import { openServer } from './open-server.ts'

/** Serves what a test says until it ends; see {@link openServer}. */
export async function listen(...given: Parameters<typeof openServer>) {
  const server = await openServer(...given)
  onTestFinished(server.close)
  return server
}
