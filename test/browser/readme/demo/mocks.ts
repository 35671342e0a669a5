import { createSandbox } from 'petstore-sandbox'
import { startWorker } from 'petstore-sandbox/msw-worker'

/** Responds to the page's requests, in the scenario that its address names. */
export async function startMocks(): Promise<void> {
  // The script is beside the page, wherever that is.
  const serviceWorker = { url: `${import.meta.env.BASE_URL}mockServiceWorker.js` }
  await startWorker(createSandbox(), { serviceWorker, onUnhandledRequest: 'bypass' })
}
