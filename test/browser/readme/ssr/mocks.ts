import { network } from 'virtual:msw'
import { createSandbox } from 'petstore-sandbox'
import { createHandlers } from 'petstore-sandbox/msw'

const sandbox = createSandbox()

network.configure({
  handlers: createHandlers(sandbox, { baseUrl: 'https://api.example.com/v1' }),
  onUnhandledFrame: 'bypass',
})
await network.enable()
