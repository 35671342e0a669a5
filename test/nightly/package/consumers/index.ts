import {
  type ApiRequest,
  createSandbox,
  type GapSettings,
  InputError,
  type KeySettings,
  type Pet,
  type RequestView,
  type Sandbox,
  type SandboxOptions,
  type Snapshot,
} from 'petstore-sandbox'

const pets: readonly Pet[] = [{ id: 9223372036854775807n, name: 'Bella', categoryId: 1 }]
const keys: readonly KeySettings[] = [{ key: 'my-key', plan: 'pro' }]
const gaps: GapSettings = { retryAfterFormat: 'http-date', banAfter: 'never' }
const options: SandboxOptions = {
  seed: { pets, keys },
  gaps,
  clock: { now: '2026-01-01', mode: 'frozen' },
}
const sandbox: Sandbox = createSandbox(options)
const request: ApiRequest = {
  method: 'GET',
  url: '/v1/pets',
  headers: { authorization: 'Bearer my-key' },
  body: '',
}

const outcome = await sandbox.handle(request)
if (outcome.kind !== 'response' || !outcome.body.includes('9223372036854775807')) {
  throw new Error(`Cannot list the pets: found ${outcome.kind}`)
}
sandbox.clock.advance('61s')
sandbox.faults.add({ fault: 'status', status: 503, times: 1 })
const entry: RequestView | undefined = sandbox.requests.last({ status: 200 })
const found: Pet[] = await sandbox.pets.query((query) => query.where({ name: 'Bella' }))
const snapshot: Snapshot = sandbox.snapshot()
sandbox.restore(snapshot)
if (entry === undefined || found.length !== 1) throw new Error('Cannot find what was done')

// @ts-expect-error: there is no such plan.
const wrong: KeySettings = { key: 'my-key', plan: 'gold' }
try {
  createSandbox({ seed: { keys: [wrong] } })
  throw new Error('Cannot go on: a wrong plan was taken')
} catch (error) {
  if (!(error instanceof InputError)) throw error
}
