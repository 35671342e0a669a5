import { createSandbox } from 'petstore-sandbox'
import { startWorker } from 'petstore-sandbox/msw-worker'

/** Answers the page's requests from a pet store within the page, which a reload leaves as it is. */
export async function startMocks(): Promise<void> {
  const sandbox = createSandbox()
  await startWorker(sandbox, { panel: true, persist: 'session', onUnhandledRequest: 'bypass' })
  // To play with on the browser's console, such as `sandbox.scenario('minute-exhausted')`.
  Object.assign(globalThis, { sandbox })
}
