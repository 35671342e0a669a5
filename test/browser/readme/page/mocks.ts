import { createSandbox } from 'petstore-sandbox'
import { startWorker } from 'petstore-sandbox/msw-worker'

/** Responds to the page's requests from a pet store inside the page. */
export async function startMocks(): Promise<void> {
  const sandbox = createSandbox()
  await startWorker(sandbox, { panel: true, persist: 'session', onUnhandledRequest: 'bypass' })
  // For the browser's console: `sandbox.scenario('minute-exhausted')`.
  Object.assign(globalThis, { sandbox })
}
