import fc from 'fast-check'
import { expect } from 'vitest'
import type { FindingOptions } from '../../src/checks/audit/finding.ts'
import type { RuleName } from '../../src/checks/audit/rules.ts'
import type { FaultSettings } from '../../src/index.ts'
import { parseGaps } from '../../src/mock/api/gaps.ts'
import type { SandboxOptions } from '../../src/mock/state/beginning.ts'
import type { Sandbox } from '../../src/sandbox/sandbox.ts'
import { defaultSeed } from '../../src/sandbox/seed/default-seed.ts'
import { anyGaps } from './arbitraries.ts'
import {
  type ClientTime,
  type Habits,
  Knowledge,
  KnownIds,
  PoliteClient,
  type Send,
} from './polite-client.ts'

/** How a client sends what it has to do. */
type Manner = 'one by one' | 'pool' | 'all at once'

/** What a client has to do. */
export interface Task {
  readonly kind: 'list' | 'create' | 'get'
  readonly client: number
  readonly query: number
  readonly pauseMs: number
  /** What happens to the sandbox before. */
  readonly event: (typeof events)[number] | 'none'
}

/** What tests do to a sandbox. */
const events = [
  'reset',
  'restore',
  'test',
  'pets',
  'key',
  'clock back',
  'clock on',
  'faults',
  'down',
] as const

const anyTask: fc.Arbitrary<Task> = fc.record({
  kind: fc.constantFrom('list', 'list', 'create', 'get'),
  client: fc.nat(2),
  query: fc.oneof(fc.integer({ min: 1, max: 4 }), fc.integer({ min: 1, max: 100 })),
  pauseMs: fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 40_000 })),
  event: fc.oneof(
    { weight: 12, arbitrary: fc.constant('none' as const) },
    { weight: 2, arbitrary: fc.constantFrom(...events) },
  ),
})

export const anyScene = fc.record({
  tasks: fc.array(anyTask, { minLength: 5, maxLength: 16 }),
  manner: fc.constantFrom<Manner>('one by one', 'pool', 'all at once'),
  atOnce: fc.integer({ min: 2, max: 8 }),
  limit: fc.integer({ min: 1, max: 12 }),
  gaps: anyGaps,
  hasFaults: fc.boolean(),
  habits: fc.record<Habits>({
    backoff: fc.constantFrom('steep', 'capped', 'jittered'),
    readsDate: fc.boolean(),
  }),
  /** How far each `Date` is ahead, in milliseconds; 0 for not at all. */
  dateHeaderSkew: fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 100_000 })),
  /** Whether all workers use one key. */
  isOneKey: fc.boolean(),
  /** How many connections a worker has, where it has any. */
  connections: fc.integer({ min: 1, max: 4 }),
  /** Draws the requests that faults strike. */
  randomSeed: fc.nat(),
})

export type Scene = typeof anyScene extends fc.Arbitrary<infer Value> ? Value : never

const keys = ['one-key-1', 'two-key-2', 'three-key-3'] as const

/** More than some of the lists that are asked for hold, and fewer than others. */
const pets = defaultSeed.pets.filter((_, index) => index % 5 === 2)

/** The key of all clients of a scene that have one. */
export const [sharedKey] = keys

export function optionsOf({ limit, gaps, dateHeaderSkew, randomSeed }: Scene): SandboxOptions {
  return {
    randomSeed,
    gaps: {
      ...gaps,
      // Who calls a deprecated operation is told so, however polite.
      deprecationHeaders: 'none',
      dateHeaderSkew: dateHeaderSkew === 0 ? 'none' : dateHeaderSkew,
    },
    seed: {
      pets,
      keys: keys.map((key, index) => ({
        key,
        plan: 'enterprise' as const,
        limits: { minute: limit + index, day: 60 + limit },
      })),
    },
  }
}

function addFaults(sandbox: Sandbox, { canWait }: Stage): void {
  if (canWait) {
    sandbox.faults.add([
      { fault: 'latency', ms: [1, 3_000], probability: 0.1 },
      { fault: 'slow-body', ms: 2_000, probability: 0.05 },
    ])
  }
  sandbox.faults.add([
    // Cuts one body in each scene with faults, so that a few scenes suffice to meet it.
    { fault: 'truncated-body', skip: 3, times: 1 },
    { fault: 'status', status: 503, probability: 0.05 },
    { fault: 'status', status: 503, retryAfter: '7s', probability: 0.05 },
    { fault: 'status', status: 401, probability: 0.02 },
    { fault: 'status', status: 400, probability: 0.02 },
    { fault: 'disconnect', probability: 0.05 },
    // Twenty scenes lose the response to a new pet, whatever else they draw.
    { fault: 'disconnect', operation: 'createPet', probability: 0.3 },
    { fault: 'disconnect', when: 'body', probability: 0.05 },
    { fault: 'truncated-body', probability: 0.1 },
    { fault: 'malformed-json', probability: 0.05 },
    { fault: 'rate-limit', probability: 0.05 },
  ])
}

/** How often what breaks rejections off strikes, so that one after the other does. */
const rejectedAndBroken: readonly FaultSettings[] = [
  { fault: 'status', status: 401, times: 3, probability: 0.3 },
  { fault: 'truncated-body', times: 2 },
]

/** Changes the world of a client, as tests do. */
function happen({ event, query }: Task, sandbox: Sandbox, ids: KnownIds): void {
  if (event === 'reset') {
    sandbox.reset()
    // A test that begins anew knows no id of what was before.
    ids.clear()
  }
  if (event === 'restore') sandbox.restore(sandbox.snapshot())
  if (event === 'test') sandbox.tests.start('Another test')
  if (event === 'down') {
    if (query % 2 === 0) sandbox.faults.add({ fault: 'status', status: 500, times: 8 })
    else sandbox.faults.add(rejectedAndBroken)
  }
  if (event === 'pets') {
    const id = 2n ** 53n + BigInt(query % 10)
    if (!sandbox.pets.list().some((pet) => pet.id === id)) {
      sandbox.pets.create({ id, name: 'Known to the test', categoryId: 1 })
    }
    ids.add(`${id}`)
  }
  if (event === 'key') sandbox.keys.setRemaining(keys[0], { minute: 1 })
  if (event === 'clock back') sandbox.clock.set(Math.max(0, sandbox.clock.now() - 30_000))
  if (event === 'clock on') sandbox.clock.advance('45s')
  if (event === 'faults') sandbox.faults.clear()
}

/** How the workers of a scene send, and how they wait. */
export interface Stage {
  readonly time: ClientTime
  /** Gives a worker its way to send. */
  connect(): Send
  /** Whether the workers are processes of their own, which can't tell each other what a key was told. */
  readonly isApart: boolean
  /** Whether its clients let time go on while they wait for an answer. */
  readonly canWait?: true
}

/** Lets polite clients do what they have to do. */
export async function play(scene: Scene, sandbox: Sandbox, stage: Stage): Promise<void> {
  const { tasks, manner, atOnce, hasFaults, isOneKey } = scene
  const habits = { ...scene.habits, forms: parseGaps(sandbox.gaps) }
  const { time } = stage
  if (hasFaults) addFaults(sandbox, stage)
  const shared = new Knowledge()
  const ids = new KnownIds()
  const clients = keys.map((key) => {
    const known = isOneKey && !stage.isApart ? shared : new Knowledge()
    return new PoliteClient(isOneKey ? sharedKey : key, stage.connect(), time, known, habits, ids)
  })
  const run = async (task: Task): Promise<void> => {
    const { kind, client, query, pauseMs } = task
    happen(task, sandbox, ids)
    await time.sleep(pauseMs)
    if (kind === 'list') await clients[client]?.list(`?limit=${query}`)
    else if (kind === 'get') await clients[client]?.get(query)
    // Two tasks that add the same pet can't be told from one that adds it again.
    else await clients[client]?.create(`pet ${query} of task ${tasks.indexOf(task)}`)
  }
  const todo = [...tasks]
  if (manner === 'all at once') {
    while (todo.length > 0) await Promise.all(todo.splice(0, atOnce).map(run))
    return
  }
  const workers = manner === 'pool' ? atOnce : 1
  await Promise.all(
    Array.from({ length: workers }, async () => {
      for (let task = todo.shift(); task !== undefined; task = todo.shift()) await run(task)
    }),
  )
}

/**
 * Expects that a sandbox has found no error and no warning; who reads a `Date` that is ahead may be warned, but must be told
 * that it is that.
 *
 * @param excused A rule whose warnings don't count.
 */
export async function expectNoComplaint(
  sandbox: Sandbox,
  context: unknown = {},
  options: FindingOptions = {},
  excused?: RuleName,
): Promise<void> {
  const complaints = (await sandbox.findings(options)).filter(
    ({ rule, severity, message }) =>
      severity === 'error' ||
      (severity === 'warning' && rule !== excused && !message.includes('dateHeaderSkew')),
  )
  if (complaints.length === 0) return
  const story = sandbox.requests.list().map(({ id, at, why, sequence, request }) => ({
    id,
    at,
    why,
    order: sequence,
    url: request.url,
  }))
  const hint =
    'a client that keeps to the spec gets a warning or an error: the rule must not report it'
  expect(complaints, `${hint}\n${JSON.stringify({ context, story }, undefined, 1)}`).toEqual([])
}
