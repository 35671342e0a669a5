import { createSandbox, type Sandbox } from 'petstore-sandbox'
import { type RunningServer, startServer } from 'petstore-sandbox/server'

/** What a client sends. */
interface Asked {
  readonly path?: string
  readonly key?: string
  readonly json?: unknown
}

/** Serves a sandbox that a shop, a script and a tester have been at; the same each time, but for the port. */
export async function serveBusySandbox(): Promise<RunningServer> {
  const sandbox = createSandbox({
    clock: { now: '2026-11-21T14:02:20Z', mode: 'frozen' },
    coverage: true,
  })
  const server = await startServer({ port: 0, sandbox })
  await sandbox.findings()
  const ask = (asked: Asked): Promise<void> => send(server, asked)
  await shop(sandbox, ask)
  await script(sandbox, ask)
  await tester(sandbox, ask)
  return server
}

/** A shop: lists, looks at pets, adds some. */
async function shop(sandbox: Sandbox, ask: (asked: Asked) => Promise<void>): Promise<void> {
  for (const [count, status] of ['available', 'pending', 'sold', 'available'].entries()) {
    await ask({ path: `/pets?status=${status}&limit=10`, key: 'pro-key' })
    sandbox.clock.advance('1400ms')
    await ask({ path: `/pets/${3 * count + 1}`, key: 'pro-key' })
    sandbox.clock.advance('900ms')
  }
  await ask({ path: '/pets', key: 'pro-key', json: { name: 'Zoë', categoryId: 3 } })
  await ask({ path: '/pets', key: 'pro-key', json: { name: 'Rex', categoryId: 2n ** 53n + 1n } })
  await ask({ path: '/pets', key: 'pro-key', json: { name: 7, categoryId: 1 } })
  await ask({ path: '/pets?limit=500', key: 'pro-key' })
}

/** A script that doesn't wait, and is banned for it. */
async function script(sandbox: Sandbox, ask: (asked: Asked) => Promise<void>): Promise<void> {
  sandbox.keys.update('free-key', { remaining: { minute: 9 } })
  for (let asked = 0; asked < 21; asked++) {
    await ask({ path: '/pets?limit=1' })
    sandbox.clock.advance(asked < 9 ? '1200ms' : '300ms')
  }
  await ask({ path: '/pets', key: 'expired-key' })
  await ask({ path: '/store/orders', key: 'business-key' })
}

/** A tester, who brings about what goes wrong seldom. */
async function tester(sandbox: Sandbox, ask: (asked: Asked) => Promise<void>): Promise<void> {
  sandbox.clock.advance('8s')
  sandbox.faults.add({ fault: 'status', status: 503, times: 2, operation: 'listPets' })
  await ask({ path: '/pets?status=sold', key: 'business-key' })
  sandbox.clock.advance('4s')
  sandbox.faults.add({ fault: 'latency', ms: '1s-3s', key: 'enterprise-key' })
  sandbox.setGaps({ banAfter: 5 })
  await ask({ path: '/pets/31', key: 'business-key' })
  await ask({ path: '/pets', key: 'minute-exhausted-key' })
  sandbox.clock.advance('2s')
  await ask({ path: '/pets?limit=3', key: 'pro-key' })
}

async function send({ url }: RunningServer, { path, key, json }: Asked): Promise<void> {
  const headers: Record<string, string> = {
    authorization: `Bearer ${key ?? 'free-key'}`,
    'user-agent': 'shop/1.4',
  }
  const body = json === undefined ? undefined : bodyOf(json)
  if (body !== undefined) headers['content-type'] = 'application/json'
  const init = body === undefined ? { headers } : { method: 'POST', headers, body }
  await (await fetch(`${url}/v1${path ?? '/pets'}`, init)).text()
}

/** JSON with integers of any size. */
function bodyOf(json: unknown): string {
  const text = JSON.stringify(json, (_, value) =>
    typeof value === 'bigint' ? `int ${value}` : value,
  )
  return text.replace(/"int (\d+)"/g, '$1')
}
