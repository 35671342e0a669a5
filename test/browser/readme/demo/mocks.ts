import { createSandbox, type ScenarioName } from 'petstore-sandbox'
import { startWorker } from 'petstore-sandbox/msw-worker'

/** Responds to the page's requests, in the scenario that its address names. */
export async function startMocks(): Promise<void> {
  const sandbox = createSandbox()
  // The script is beside the page, wherever that is.
  const serviceWorker = { url: `${import.meta.env.BASE_URL}mockServiceWorker.js` }
  await startWorker(sandbox, { serviceWorker, onUnhandledRequest: 'bypass' })
  const scenario = new URLSearchParams(location.search).get('scenario')
  if (scenario !== null) sandbox.scenario(scenario as ScenarioName)
}
