import { getResponse } from 'msw'
import { describe, expect, it } from 'vitest'
import { createFetchHandler } from '../../src/adapters/fetch.ts'
import { createHandlers } from '../../src/adapters/msw.ts'
import type { ApiRequest, Reply } from '../../src/contract/message.ts'
import { createSandbox, type Sandbox } from '../../src/sandbox.ts'
import { SandboxPool } from '../../src/sandbox-pool.ts'
import { startServer } from '../../src/server/start-server.ts'
import { frozenSandbox, startAt } from '../kit/frozen-sandbox.ts'
import { requestOf } from '../kit/send.ts'
import { uncollected } from '../kit/uncollected.ts'

const many = 1_000

const newPet: ApiRequest = requestOf({ json: '{"name":"Rex","categoryId":1}' })
const listing: ApiRequest = requestOf({})

async function answerOf(sandbox: Sandbox, request: ApiRequest): Promise<Reply> {
  const outcome = await sandbox.handle(request)
  if (outcome.kind !== 'reply') throw new Error(`Cannot give the reply: found ${outcome.kind}`)
  return outcome
}

/** The instant at which a numbered sandbox stands: a window of its own. */
const instantOf = (number: number): number => startAt + number * 60_000

describe(`${many} sandboxes side by side`, () => {
  const sandboxes = Array.from({ length: many }, (_, number) =>
    createSandbox({ clock: { now: instantOf(number), mode: 'frozen' } }),
  )

  /** Sends a request to all at once, to each as often as it says. */
  async function sendToEach(request: ApiRequest, timesOf: (number: number) => number) {
    return await Promise.all(
      sandboxes.map(async (sandbox, number) => {
        const replies: Reply[] = []
        while (replies.length < timesOf(number)) replies.push(await answerOf(sandbox, request))
        return replies
      }),
    )
  }

  it('each have their own time, quota and pets', async () => {
    await sendToEach(newPet, (number) => number % 5)
    const replies = await sendToEach(listing, () => 1)
    for (const [number, [reply]] of replies.entries()) {
      expect(sandboxes[number]?.pets.size).toBe(30 + (number % 5))
      expect(reply?.headers).toMatchObject({
        date: new Date(instantOf(number)).toUTCString(),
        'x-ratelimit-remaining': String(60 - (number % 5) - 1),
        'x-ratelimit-reset': String(Math.floor(instantOf(number) / 60_000) * 60 + 60),
      })
    }
    for (const sandbox of sandboxes.filter((_, number) => number % 2 === 0)) {
      sandbox.clock.advance('60s')
      sandbox.setGaps({ omittedStatus: 'sold' })
      sandbox.pets.clear()
    }
    const later = await sendToEach(listing, () => 1)
    for (const [number, [reply]] of later.entries()) {
      const isMoved = number % 2 === 0
      const remaining = isMoved ? 59 : 60 - (number % 5) - 2
      expect(reply?.headers['x-ratelimit-remaining']).toBe(String(remaining))
      expect(reply?.body === '[]').toBe(isMoved)
      expect(sandboxes[number]?.gaps.omittedStatus).toBe(isMoved ? 'sold' : 'available')
    }
  })
})

/** What becomes of a sandbox before it is dropped. */
const lives: readonly { readonly after: string; live(sandbox: Sandbox): unknown }[] = [
  { after: 'nothing', live() {} },
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
    after: 'a listener to its journal',
    live: (sandbox) => sandbox.journal.subscribe(() => sandbox.reset()),
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
    after: 'a request through Fetch',
    live: (sandbox) => createFetchHandler(sandbox)(fetchRequest()),
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
    journal: [sandbox.journal.entries(), sandbox.journal.last(), await sandbox.journal.har()],
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
    // A journal holds messages, which are read-only, as they are.
    const sandbox = frozenSandbox({ journalSize: 0 })
    const objects = changeable(await givenOut(sandbox))
    const before = JSON.stringify(sandbox.snapshot())
    for (const one of objects)
      for (const name of Object.keys(one)) Reflect.deleteProperty(one, name)
    expect(JSON.stringify(sandbox.snapshot())).toBe(before)
  })
})
