import { createSandbox } from 'petstore-sandbox'
import { createHandlers } from 'petstore-sandbox/msw'

export default {
  beforeEach({ msw, parameters: { scenario } }) {
    const sandbox = createSandbox()
    if (scenario !== undefined) sandbox.scenario(scenario)
    msw.use(...createHandlers(sandbox))
  },
}
