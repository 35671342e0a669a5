import { createSandbox } from 'petstore-sandbox'
import { startWorker } from 'petstore-sandbox/msw-worker'

const sandbox = createSandbox()
sandbox.pets.update(1, { name: 'Within the page' })
await startWorker(sandbox, { panel: 'always', quiet: true, onUnhandledRequest: 'bypass' })
const reply = await fetch('/v1/pets?limit=1', { headers: { authorization: 'Bearer free-key' } })
const pre = document.createElement('pre')
pre.textContent = await reply.text()
document.body.append(pre)
