import type { SetupWorker } from 'msw/browser'
import { createSandbox } from 'petstore-sandbox'
import { startWorker, type WorkerOptions } from 'petstore-sandbox/msw-worker'

const options: WorkerOptions = {
  baseUrl: 'https://api.shop.test/v1',
  persist: 'session',
  quiet: true,
  serviceWorker: { url: '/mockServiceWorker.js', options: { scope: '/' } },
}

/** Needs a page; elsewhere it is only imported. */
export async function start(): Promise<SetupWorker> {
  // @ts-expect-error: there is no such storage.
  void ({ persist: 'disk' } satisfies WorkerOptions)
  return await startWorker(createSandbox(), options)
}
