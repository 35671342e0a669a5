import fc from 'fast-check'
import { expect } from 'vitest'
import type { GapSettings } from '../../src/mock/api/gaps.ts'
import type { Sandbox } from '../../src/sandbox/sandbox.ts'
import { anyGaps } from './arbitraries.ts'
import { frozenSandbox } from './frozen-sandbox.ts'
import { movedTime, PoliteClient, type Send } from './polite-client.ts'
import { requestOf, type TestRequest } from './send.ts'

/** What a rude client can do. */
export interface RudeClient {
  readonly sandbox: Sandbox
  /** Waits by the sandbox's clock, and then sends a request. */
  ask(request?: TestRequest, afterMs?: number): Promise<void>
  /** Sends a request, and again twice, so many real milliseconds after each response. */
  retry(afterMs: number): Promise<void>
  /** Sends so many different lists at once; the same one again, over a single connection, would look like retries. */
  askAtOnce(count: number): Promise<unknown>
}

/** One manner that is broken, and what has to be found of it, and nothing else. */
export interface Rudeness {
  readonly does: string
  readonly rules: readonly string[]
  readonly gaps?: GapSettings
  readonly act: (client: RudeClient) => Promise<unknown>
}

export const rudeKey = 'rude-key-1'
const rex = '{"name":"Rex","categoryId":1}'
const patient = {
  banAfter: 12,
  quotaWindow: 'calendar',
  countedRequests: 'all',
  rejectsAt: 'zero-left',
} as const
const silent = { deprecationHeaders: 'none', afterSunset: 'keep' } as const

/** A client that retries a rejected request after a pause of its own (S1). */
function impatient(afterMs: number): Rudeness {
  return {
    does: `retries ${afterMs} ms after a 429, whatever Retry-After says`,
    rules: ['retry-too-early'],
    gaps: patient,
    async act({ sandbox, retry }) {
      sandbox.keys.setRemaining(rudeKey, { minute: 0 })
      await retry(afterMs)
    },
  }
}

export const rudenesses: readonly Rudeness[] = [
  ...[0, 30, 100, 249, 251].map(impatient),
  {
    does: 'retries 50 ms after a 503, whatever Retry-After says',
    rules: ['retry-too-early'],
    async act({ sandbox, retry }) {
      sandbox.faults.add({ fault: 'status', status: 503, retryAfter: '1h', key: rudeKey })
      await retry(50)
    },
  },
  {
    does: 'comes back before Retry-After has passed',
    rules: ['retry-too-early'],
    gaps: patient,
    async act({ sandbox, ask }) {
      sandbox.keys.setRemaining(rudeKey, { minute: 0 })
      await ask()
      await ask({}, 10_000)
    },
  },
  {
    does: 'takes the milliseconds of Retry-After for seconds, twice',
    rules: ['retry-after-misread'],
    gaps: { retryAfterFormat: 'milliseconds', retryAfterPadding: 'none' },
    async act({ sandbox, ask }) {
      for (const retryAfter of ['3ms', '2ms']) {
        sandbox.faults.add({ fault: 'status', status: 503, retryAfter, key: rudeKey, times: 1 })
      }
      await ask()
      await ask({}, 3_000)
      await ask({}, 2_000)
    },
  },
  {
    does: 'loses its key where it is redirected',
    rules: ['redirect-lost-authorization'],
    gaps: { trailingSlash: 'redirect-308' },
    async act({ ask }) {
      await ask({ url: '/v1/pets/?limit=3' })
      await ask({ url: '/v1/pets?limit=3', key: null })
    },
  },
  {
    does: 'turns a POST into a GET where it is redirected, twice',
    rules: ['redirect-changed-method'],
    gaps: { trailingSlash: 'redirect-301', maxNameLength: 1_000 },
    async act({ ask }) {
      for (let sent = 0; sent < 2; sent++) {
        await ask({ method: 'POST', url: '/v1/pets/', json: rex })
        await ask({ url: '/v1/pets' })
      }
    },
  },
  {
    does: 'sends something else instead',
    rules: ['request-while-limited'],
    gaps: patient,
    async act({ sandbox, ask }) {
      sandbox.keys.setRemaining(rudeKey, { minute: 0 })
      await ask()
      await ask({ url: '/v1/pets?limit=3' }, 10_000)
    },
  },
  {
    does: 'goes on while it is banned',
    rules: ['request-while-banned'],
    gaps: { ...patient, banAfter: 0, banDuration: '1h' },
    async act({ sandbox, ask }) {
      sandbox.keys.setRemaining(rudeKey, { minute: 0 })
      await ask()
      await ask({}, 600_000)
    },
  },
  {
    does: 'hammers until it is banned',
    rules: ['retry-too-early', 'retried-until-banned'],
    gaps: { ...patient, banAfter: 3 },
    async act({ sandbox, ask }) {
      sandbox.keys.setRemaining(rudeKey, { minute: 0 })
      for (let sent = 0; sent < 4; sent++) await ask({}, 100)
    },
  },
  {
    does: 'sends seventy-five at once',
    rules: ['burst-until-banned'],
    gaps: { ...patient, banAfter: 10 },
    act: ({ askAtOnce }) => askAtOnce(75),
  },
  {
    does: 'goes on after the last request',
    rules: ['request-with-none-remaining'],
    gaps: { ...patient, reportedWindow: 'minute' },
    async act({ sandbox, ask }) {
      sandbox.keys.setRemaining(rudeKey, { minute: 1 })
      await ask()
      await ask({ url: '/v1/pets?limit=3' }, 1_000)
    },
  },
  {
    does: 'tries again without backoff',
    rules: ['no-backoff'],
    async act({ sandbox, ask }) {
      sandbox.faults.add({ fault: 'status', status: 503, key: rudeKey })
      // Long enough that a machine which stands still for a second makes no other interval of it.
      for (let sent = 0; sent < 5; sent++) await ask({}, 30_000)
    },
  },
  {
    does: 'never gives up',
    rules: ['endless-retries'],
    async act({ sandbox, ask }) {
      sandbox.faults.add({ fault: 'disconnect', key: rudeKey })
      for (let sent = 0; sent < 10; sent++) await ask({}, 1_000 * 1.4 ** sent)
    },
  },
  {
    does: 'sends what is invalid again and again',
    rules: ['retried-permanent-error'],
    async act({ ask }) {
      for (let sent = 0; sent < 3; sent++) await ask({ json: '{"name":7}' }, 2_000 * sent)
    },
  },
  {
    does: 'sends an invalid key again and again',
    rules: ['retried-permanent-error'],
    async act({ ask }) {
      for (let sent = 0; sent < 3; sent++) await ask({ key: 'nobody-knows-it' }, 2_000 * sent)
    },
  },
  {
    does: 'sends a pet again whose answer was lost',
    rules: ['duplicate-create'],
    gaps: { maxNameLength: 1_000 },
    async act({ sandbox, ask }) {
      sandbox.faults.add({ fault: 'disconnect', key: rudeKey, times: 1 })
      await ask({ json: rex })
      await ask({ json: rex }, 1_000)
    },
  },
  {
    does: 'sends a pet again after 503',
    rules: ['unsafe-create-retry'],
    gaps: { maxNameLength: 1_000 },
    async act({ sandbox, ask }) {
      sandbox.faults.add({ fault: 'status', status: 503, key: rudeKey, times: 1 })
      await ask({ json: rex })
      await ask({ json: rex }, 1_000)
    },
  },
  {
    does: 'gets a pet by the deprecated operation',
    rules: ['deprecated-operation'],
    gaps: { deprecationHeaders: 'standard', afterSunset: 'gone' },
    act: ({ ask }) => ask({ url: '/v1/pets/1' }),
  },
  {
    does: 'gets a pet by the removed operation',
    rules: ['removed-operation'],
    gaps: { afterSunset: 'not-found' },
    async act({ sandbox, ask }) {
      sandbox.clock.set('2031-01-01')
      await ask({ url: '/v1/pets/1' })
    },
  },
  {
    does: 'puts its key into the URL',
    rules: ['key-in-url'],
    gaps: { unknownQuery: 'ignore' },
    act: ({ ask }) => ask({ url: `/v1/pets?api_key=${rudeKey}` }),
  },
  {
    does: 'puts its key into a header of its own',
    rules: ['key-outside-authorization'],
    act: ({ ask }) => ask({ headers: { 'x-api-key': rudeKey } }),
  },
  {
    does: 'reads ids as doubles',
    rules: ['id-precision-loss'],
    gaps: { ...silent, idSequence: 'sequential' },
    async act({ sandbox, ask }) {
      sandbox.pets.create({ id: 2n ** 53n + 1n, name: 'Rex', categoryId: 1 })
      await ask({ url: '/v1/pets?limit=100' })
      await ask({ url: `/v1/pets/${2n ** 53n}` })
    },
  },
  {
    does: 'fetches the pets of a list one by one',
    rules: ['n-plus-one'],
    gaps: { ...silent, listOrder: 'id-ascending' },
    async act({ ask }) {
      await ask()
      for (const id of [1, 2, 3, 4, 5]) await ask({ url: `/v1/pets/${id}` }, 10)
    },
  },
  {
    does: 'polls more often than its plan allows',
    rules: ['polling-over-quota'],
    gaps: patient,
    async act({ ask }) {
      for (let sent = 0; sent < 11; sent++) await ask({}, 30_000)
    },
  },
]

/** How rude clients send, and how long they turn to something else between two requests. */
export interface RudeStage {
  readonly sandbox: Sandbox
  readonly send: Send
  rest(): Promise<void>
}

/** What a rude client meets, whatever it does. */
export const anyCircumstances: fc.Arbitrary<Circumstances> = fc.record({
  gaps: anyGaps,
  names: fc.uniqueArray(fc.stringMatching(/^[a-z]{3,9}$/), { maxLength: 5 }),
})

export interface Circumstances {
  readonly gaps: GapSettings
  /** Of the pets that a polite client adds meanwhile. */
  readonly names: readonly string[]
}

/** Makes the sandbox that a rude client asks. */
export async function rudeSandbox({ gaps }: Rudeness, others: Circumstances): Promise<Sandbox> {
  const sandbox = frozenSandbox({ gaps: { ...others.gaps, ...gaps } })
  sandbox.keys.issue({ key: rudeKey, plan: 'free' })
  await sandbox.findings()
  return sandbox
}

/** Lets a client break a manner, and expects that just this is found. */
export async function expectJustDeserts(
  { rules, act }: Rudeness,
  { names }: Circumstances,
  { sandbox, send, rest }: RudeStage,
  context?: unknown,
): Promise<void> {
  const behave = async (): Promise<void> => {
    const client = new PoliteClient('business-key', send, movedTime(sandbox))
    for (const name of names) await client.create(name)
  }
  await behave()
  await act({
    sandbox,
    async ask(request = {}, afterMs = 0) {
      if (afterMs > 0) sandbox.clock.advance(Math.round(afterMs))
      await rest()
      await send(requestOf({ key: rudeKey, ...request }))
      await rest()
    },
    async retry(afterMs) {
      await rest()
      for (let sent = 0; sent < 3; sent++) {
        if (sent > 0) await new Promise((resolve) => setTimeout(resolve, afterMs))
        await send(requestOf({ key: rudeKey }))
      }
      await rest()
    },
    askAtOnce: (count) =>
      Promise.all(
        Array.from({ length: count }, (_, index) =>
          send(requestOf({ key: rudeKey, url: `/v1/pets?limit=${index + 1}` })),
        ),
      ),
  })
  await behave()
  // Each key is one client's, which goes on over another connection when one was broken.
  const found = (await sandbox.findings({ oneClient: true })).filter(
    ({ severity }) => severity !== 'info',
  )
  // What is first a warning may then be an error, too.
  const hint = 'of warnings and errors, this client gets just those of its rules'
  const text = [hint, ...(context === undefined ? [] : [JSON.stringify(context)])].join(': ')
  expect([...new Set(found.map(({ rule }) => rule))], text).toEqual(rules)
}

/** Lets the event loop turn a few times, as any client in the process does that waits for something. */
export async function turn(): Promise<void> {
  for (let turns = 0; turns < 4; turns++) await new Promise(setImmediate)
}
