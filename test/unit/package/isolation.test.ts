import { getResponse } from 'msw'
import { describe, expect, it } from 'vitest'
import { createFetchHandler } from '../../../src/adapters/fetch.ts'
import { createHandlers } from '../../../src/adapters/msw.ts'
import type { ApiRequest } from '../../../src/mock/api/message.ts'
import { createSandbox, type Sandbox } from '../../../src/sandbox/sandbox.ts'
import { SandboxPool } from '../../../src/sandbox/sandbox-pool.ts'
import { startServer } from '../../../src/server/start-server.ts'
import { frozenSandbox } from '../../kit/frozen-sandbox.ts'
import { requestOf } from '../../kit/send.ts'
import { uncollected } from '../../kit/uncollected.ts'

const newPet: ApiRequest = requestOf({ json: '{"name":"Rex","categoryId":1}' })
const listing: ApiRequest = requestOf({})

/** What becomes of a sandbox before it is dropped. */
const lives: readonly { readonly after: string; live(sandbox: Sandbox): unknown }[] = [
  {
    after: 'requests',
    live: (sandbox) => Promise.all([newPet, listing].map((request) => sandbox.handle(request))),
  },
  {
    after: 'requests of the control API',
    live: (sandbox) => sandbox.handleControl(requestOf({ url: '/_sandbox/snapshot' })),
  },
  {
    after: 'a query of its pets',
    live: (sandbox) => sandbox.pets.query((query) => query.where({ status: 'sold' })),
  },
  {
    after: 'a reset and a restored snapshot',
    live(sandbox) {
      sandbox.reset()
      sandbox.restore(sandbox.snapshot())
    },
  },
  {
    after: 'a listener to its request log',
    live: (sandbox) => sandbox.requests.onRequest(() => sandbox.reset()),
  },
  {
    after: 'a request that waits on its frozen clock',
    live(sandbox) {
      sandbox.clock.freeze()
      sandbox.faults.add({ fault: 'latency', ms: 60_000 })
      void sandbox.handle(listing)
    },
  },
  {
    after: 'a request that is never answered',
    live(sandbox) {
      sandbox.faults.add({ fault: 'timeout' })
      void createFetchHandler(sandbox)(fetchRequest())
    },
  },
  {
    after: 'a request through MSW',
    live: (sandbox) => getResponse(createHandlers(sandbox), fetchRequest()),
  },
  {
    after: 'a name in a pool that goes on',
    live() {
      const pool = new SandboxPool()
      pool.create({ name: 'one' })
      pool.delete('one')
    },
  },
  {
    after: 'a server that has ended',
    async live(sandbox) {
      const server = await startServer({ port: 0, sandbox })
      await fetch(`${server.url}/v1/pets`, { headers: listing.headers })
      await server.close()
    },
  },
]

function fetchRequest(): Request {
  return new Request('https://api.shop.test/v1/pets', { headers: listing.headers })
}

describe('a sandbox that nobody has any more', () => {
  it.each(lives)('is collected after $after', async ({ live }) => {
    const references: WeakRef<Sandbox>[] = []
    while (references.length < 20) references.push(await dropAfter(live))
    expect(await uncollected(references)).toBe(0)
  })
})

async function dropAfter(live: (sandbox: Sandbox) => unknown): Promise<WeakRef<Sandbox>> {
  const sandbox = createSandbox()
  await live(sandbox)
  return new WeakRef(sandbox)
}

/** Everything that a sandbox gives out as data. */
async function givenOut(sandbox: Sandbox): Promise<unknown> {
  sandbox.faults.add({ fault: 'latency', ms: 1, operation: 'createPet' })
  const urls = ['/v1/pets', '/v1/pets/1', '/v1/none', '/v1/store/orders']
  const control = ['/_sandbox/keys', '/_sandbox/gaps', '/_sandbox/none']
  return {
    outcomes: await Promise.all(urls.map((url) => sandbox.handle(requestOf({ url })))),
    controlReplies: await Promise.all(
      control.map((url) => sandbox.handleControl(requestOf({ url }))),
    ),
    pets: [sandbox.pets.list(), sandbox.pets.get(1), await sandbox.pets.query((query) => query)],
    keys: sandbox.keys.list(),
    faults: sandbox.faults.list(),
    log: [sandbox.requests.list(), sandbox.requests.last(), await sandbox.requests.har()],
    rest: [sandbox.gaps, sandbox.clock.read(), sandbox.snapshot()],
  }
}

/** Lists the objects in some data that somebody could change. */
function changeable(value: unknown, found = new Set<object>()): Set<object> {
  if (typeof value !== 'object' || value === null || found.has(value)) return found
  if (!Object.isFrozen(value)) found.add(value)
  for (const one of Object.values(value)) changeable(one, found)
  return found
}

describe('what a sandbox gives out', () => {
  it('shares no object with what another gives out', async () => {
    const [one, other] = await Promise.all([
      givenOut(createSandbox()).then((value) => changeable(value)),
      givenOut(createSandbox()).then((value) => changeable(value)),
    ])
    expect(one?.size).toBeGreaterThan(200)
    expect([...(one ?? [])].filter((value) => other?.has(value))).toEqual([])
  })

  it('changes nothing when it is changed itself', async () => {
    // A request log holds messages, which are read-only, as they are.
    const sandbox = frozenSandbox({ maxRequests: 0 })
    const objects = changeable(await givenOut(sandbox))
    const before = JSON.stringify(sandbox.snapshot())
    for (const one of objects)
      for (const name of Object.keys(one)) Reflect.deleteProperty(one, name)
    expect(JSON.stringify(sandbox.snapshot())).toBe(before)
  })
})
