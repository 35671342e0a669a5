import { spawn } from 'node:child_process'
import { cpSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, it } from 'vitest'
import { PetClient, PetClientError } from '../../../examples/client/pet-client.ts'
import type { SandboxOptions } from '../../../src/mock/state/beginning.ts'
import type { Sandbox } from '../../../src/sandbox/sandbox.ts'
import { testFolder } from '../../kit/cli-process.ts'
import { frozenSandbox } from '../../kit/frozen-sandbox.ts'
import { runMain } from '../../kit/run-main.ts'
import { testServer } from '../../kit/test-server.ts'

const folder = fileURLToPath(new URL('../../../examples/client/', import.meta.url))
const caller = fileURLToPath(new URL('call_pet_client.py', import.meta.url))

/** A list of all pets, or a pet to add. */
type Call = null | { readonly name: string; readonly categoryId: number }

interface Settings {
  readonly url: string
  readonly key: string
  readonly now: number
  readonly timeLimitMs: number
  readonly calls: readonly Call[]
}

/** What became of a call. */
type Result =
  | { readonly pets: number }
  | { readonly id: string }
  | {
      readonly status: number | null
      readonly retryAfterMs: number | null
      readonly mayBeAdded: boolean
    }

interface Conversation {
  readonly results: readonly Result[]
  /** Milliseconds of each sleep. */
  readonly waits: readonly number[]
}

type Talk = (settings: Settings, sandbox: Sandbox) => Promise<Conversation>

async function talkInTypeScript(settings: Settings, { clock }: Sandbox): Promise<Conversation> {
  const waits: number[] = []
  const client = new PetClient({
    apiUrl: `${settings.url}/v1`,
    apiKey: settings.key,
    timeLimitMs: settings.timeLimitMs,
    now: () => clock.now(),
    sleep: async (ms) => {
      waits.push(ms)
      clock.advance(Math.floor(ms) + 1)
    },
  })
  const results: Result[] = []
  for (const pet of settings.calls) results.push(await resultOf(client, pet))
  return { results, waits }
}

async function resultOf(client: PetClient, pet: Call): Promise<Result> {
  try {
    if (pet === null) return { pets: (await client.listPets()).length }
    const { id } = await client.createPet({ ...pet, categoryId: BigInt(pet.categoryId) })
    return { id: String(id) }
  } catch (error) {
    if (!(error instanceof PetClientError)) throw error
    const { status = null, retryAfterMs = null, mayBeAdded } = error
    return { status, retryAfterMs, mayBeAdded }
  }
}

/** Python, which takes long to start: one process for all tests. */
function createPython() {
  const python = spawn('python3', [caller, folder], { stdio: ['pipe', 'pipe', 'inherit'] })
  const lines = createInterface(python.stdout)[Symbol.asyncIterator]()
  return {
    async talk(settings: Settings): Promise<Conversation> {
      python.stdin.write(`${JSON.stringify(settings)}\n`)
      return JSON.parse((await lines.next()).value)
    },
    end: () => python.stdin.end(),
  }
}

interface Scene {
  readonly calls: readonly Call[]
  readonly options?: SandboxOptions
  readonly key?: string
  readonly timeLimitMs?: number
  prepare?(sandbox: Sandbox): void
}

/** Lets a client talk to a sandbox whose clock stands at the start of a minute and a day, but for the waits. */
async function play(talk: Talk, scene: Scene) {
  const { calls, options = {}, key = 'free-key', timeLimitMs = 5_000 } = scene
  const sandbox = frozenSandbox(options)
  scene.prepare?.(sandbox)
  const { url } = await testServer({ sandbox })
  const now = sandbox.clock.now()
  const conversation = await talk({ url, key, now, timeLimitMs, calls }, sandbox)
  const requests = sandbox.requests.list().map(({ request: { method } }) => method)
  const rexes = await sandbox.pets.query((query) => query.where({ name: 'Rex' }))
  const findings = await sandbox.findings()
  return { ...conversation, requests, rexes: rexes.length, rules: findings.map(({ rule }) => rule) }
}

const rex = { name: 'Rex', categoryId: 1 }
const dayMs = 86_400_000

const python = createPython()
afterAll(() => python.end())

const languages = [
  { language: 'TypeScript', talk: talkInTypeScript },
  { language: 'Python', talk: python.talk },
]

describe.each(languages)('the client to copy in $language', ({ talk }) => {
  it.each(['seconds', 'http-date'] as const)(
    'waits as long as Retry-After says in %s',
    async (retryAfterFormat) => {
      const { results, waits, requests, rules } = await play(talk, {
        options: { gaps: { retryAfterFormat } },
        calls: [null],
        prepare: ({ keys }) => keys.setRemaining('free-key', { minute: 0 }),
      })
      expect(results).toEqual([{ pets: 30 }])
      expect(waits).toHaveLength(1)
      expect(waits[0]).toBeGreaterThanOrEqual(60_000)
      expect(waits[0]).toBeLessThan(61_000)
      expect(requests).toHaveLength(2)
      expect(rules).toEqual([])
    },
  )

  it('tells the caller of a long wait, and sends nothing before its end', async () => {
    const { results, waits, requests, rules } = await play(talk, {
      calls: [null, null, rex],
      prepare: ({ keys }) => keys.setRemaining('free-key', { day: 0 }),
    })
    expect(results).toEqual([
      { status: 429, retryAfterMs: dayMs, mayBeAdded: false },
      { status: null, retryAfterMs: dayMs, mayBeAdded: false },
      { status: null, retryAfterMs: dayMs, mayBeAdded: false },
    ])
    expect(waits).toEqual([])
    expect(requests).toEqual(['GET'])
    expect(rules).toEqual([])
  })

  it('waits for the reset after the last request of a minute', async () => {
    const { results, waits, rules } = await play(talk, {
      calls: [null, null],
      prepare: ({ keys }) => keys.setRemaining('free-key', { minute: 1 }),
    })
    expect(results).toEqual([{ pets: 30 }, { pets: 30 }])
    expect(waits).toHaveLength(1)
    expect(waits[0]).toBeGreaterThanOrEqual(60_000)
    expect(rules).toEqual([])
  })

  it('waits for a minute after 429 without Retry-After', async () => {
    const { results, waits } = await play(talk, {
      calls: [null],
      prepare: ({ faults }) => faults.add({ fault: 'status', status: 429, times: 1 }),
    })
    expect(results).toEqual([{ pets: 30 }])
    expect(waits[0]).toBeGreaterThanOrEqual(60_000)
  })

  it('stops on 401', async () => {
    const { results, waits, requests } = await play(talk, {
      calls: [null, rex],
      key: 'revoked-key',
    })
    const failed = { status: 401, retryAfterMs: null, mayBeAdded: false }
    expect(results).toEqual([failed, failed])
    expect({ waits, requests }).toEqual({ waits: [], requests: ['GET'] })
  })

  it('does not send again what the service calls wrong', async () => {
    const { results, waits, requests } = await play(talk, {
      calls: [{ name: '', categoryId: 1 }],
      options: { gaps: { emptyName: 'reject' } },
    })
    expect(results).toMatchObject([{ status: 400, mayBeAdded: false }])
    expect({ waits, requests }).toEqual({ waits: [], requests: ['POST'] })
  })

  it('gives up after four tries with growing waits', async () => {
    const { results, waits, rules } = await play(talk, {
      calls: [null],
      prepare: ({ faults }) => faults.add({ fault: 'status', status: 503 }),
    })
    expect(results).toEqual([{ status: 503, retryAfterMs: null, mayBeAdded: false }])
    expect(waits).toHaveLength(3)
    for (const [index, ms] of waits.entries()) {
      expect(ms).toBeGreaterThanOrEqual(500 * 2 ** index)
      expect(ms).toBeLessThanOrEqual(1_000 * 2 ** index)
    }
    expect(rules).toEqual([])
  })

  it('asks again if no response comes in time', async () => {
    const { results, requests } = await play(talk, {
      calls: [null],
      timeLimitMs: 300,
      prepare: ({ faults }) => faults.add({ fault: 'timeout', times: 1 }),
    })
    expect({ results, requests }).toEqual({ results: [{ pets: 30 }], requests: ['GET', 'GET'] })
  })

  it.each([
    { fault: 'disconnect', times: 1 },
    { fault: 'malformed-json', times: 1 },
  ] as const)(
    'finds a pet that was added although its response was lost: $fault',
    async (fault) => {
      const { results, requests, rexes, rules } = await play(talk, {
        calls: [rex],
        prepare: ({ faults }) => faults.add({ ...fault, operation: 'createPet' }),
      })
      expect(results).toEqual([{ id: '31' }])
      expect({ requests, rexes }).toEqual({ requests: ['POST', 'GET'], rexes: 1 })
      expect(rules).toEqual([])
    },
  )

  it('looks for several seconds, since a list may show a new pet late', async () => {
    const { results, waits, requests, rexes } = await play(talk, {
      calls: [rex],
      options: { gaps: { newPetListed: '5s' } },
      prepare: ({ faults }) =>
        faults.add({ fault: 'disconnect', operation: 'createPet', times: 1 }),
    })
    expect(results).toEqual([{ id: '31' }])
    expect({ requests, rexes }).toEqual({ requests: ['POST', 'GET', 'GET', 'GET'], rexes: 1 })
    expect(waits).toEqual([1_000, 2_000, 4_000])
  })

  it('adds a pet again if it is not found', async () => {
    const { results, requests, rexes, rules } = await play(talk, {
      // The first has the same name and category, and is not taken for the second.
      calls: [rex, rex],
      prepare: ({ faults }) =>
        faults.add({ fault: 'status', status: 503, operation: 'createPet', skip: 1, times: 1 }),
    })
    expect(results).toEqual([{ id: '31' }, { id: '32' }])
    expect(requests).toEqual(['POST', 'POST', 'GET', 'GET', 'GET', 'POST'])
    expect({ rexes, rules }).toEqual({ rexes: 2, rules: [] })
  })

  it('adds a pet again without a look once Retry-After of a 503 is over', async () => {
    const { waits, requests, rexes, rules } = await play(talk, {
      calls: [rex],
      prepare: ({ faults }) =>
        faults.add({ fault: 'status', status: 503, retryAfter: '7s', times: 1 }),
    })
    expect({ requests, rexes, rules }).toEqual({ requests: ['POST', 'POST'], rexes: 1, rules: [] })
    expect(waits[0]).toBeGreaterThanOrEqual(7_000)
  })

  it('tells the caller that a pet may have been added where a full list does not show it', async () => {
    const pets = Array.from({ length: 120 }, (_, index) => ({
      ...{ name: `Pet ${index}`, categoryId: 1 },
    }))
    const { results, requests, rexes } = await play(talk, {
      calls: [rex],
      options: { seed: { pets } },
      prepare: ({ faults }) =>
        faults.add({ fault: 'disconnect', operation: 'createPet', times: 1 }),
    })
    expect(results).toEqual([{ status: null, retryAfterMs: null, mayBeAdded: true }])
    expect({ requests, rexes }).toEqual({ requests: ['POST', 'GET'], rexes: 1 })
  })

  it('tells the caller that a pet may have been added where it cannot look', async () => {
    const { results, requests } = await play(talk, {
      calls: [rex],
      prepare({ faults }) {
        faults.add({ fault: 'disconnect', operation: 'createPet', times: 1 })
        faults.add({ fault: 'status', status: 503, operation: 'listPets' })
      },
    })
    expect(results).toEqual([{ status: null, retryAfterMs: null, mayBeAdded: true }])
    expect(requests).toEqual(['POST', 'GET', 'GET', 'GET', 'GET'])
  })

  it('keeps every digit of an id', async () => {
    const { results } = await play(talk, {
      calls: [rex, rex],
      options: { gaps: { idSequence: 'large' } },
    })
    expect(results).toEqual([{ id: '9007199254740993' }, { id: '9007199254740995' }])
  })
})

describe('the client to copy in TypeScript', () => {
  it('lets parallel calls wait together', async () => {
    const { results, rules } = await play(
      async ({ url, key, calls }, { clock }) => {
        const now = (): number => clock.now()
        const sleep = async (ms: number) => clock.advance(Math.ceil(ms))
        const client = new PetClient({ apiUrl: `${url}/v1`, apiKey: key, now, sleep })
        return { results: await Promise.all(calls.map((pet) => resultOf(client, pet))), waits: [] }
      },
      {
        calls: Array.from({ length: 6 }, () => null),
        prepare: ({ keys }) => keys.setRemaining('free-key', { minute: 2 }),
      },
    )
    expect(results).toEqual(Array.from({ length: 6 }, () => ({ pets: 30 })))
    expect(rules).toEqual([])
  })
})

describe('check of examples/client', () => {
  it.each([
    {
      ...{ language: 'TypeScript', suite: [process.execPath, 'pet-client.test.ts'] },
      only: 'minute-limit,key-expired,late-list,lost-response,retry-after',
    },
    {
      ...{ language: 'Python', suite: ['python3', '-m', 'unittest'] },
      only: 'day-limit,late-list,no-response,invalid-json,large-ids,clock-behind',
    },
  ])('has nothing to fix and nothing to review in $language', async ({ suite, only }) => {
    const cwd = testFolder()
    cpSync(folder, cwd, { recursive: true })
    const options = ['--only', `baseline,${only}`, '--fail-on', 'warning', '--report', 'json']
    const { code, stdout } = await runMain(['check', ...options, '--', ...suite], { cwd })
    const { items, conditions } = JSON.parse(stdout)
    const worst = items.filter(({ grade }: { grade: string }) => grade !== 'info')
    expect({ code, worst }).toEqual({ code: 0, worst: [] })
    const states = conditions.map(({ state }: { state: string }) => state)
    expect(new Set(states)).toEqual(new Set(['passed']))
  })
})
