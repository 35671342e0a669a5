import { createSandbox, type ScenarioName } from 'petstore-sandbox'
import { startWorker } from 'petstore-sandbox/msw-worker'

const sandbox = createSandbox()

export default {
  async beforeAll() {
    await startWorker(sandbox, { onUnhandledRequest: 'bypass', quiet: true })
  },
  beforeEach({ parameters }: { parameters: { scenario?: ScenarioName } }) {
    sandbox.reset()
    if (parameters.scenario !== undefined) sandbox.scenario(parameters.scenario)
  },
}
