import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { type ApiRequest, loadBuilt, statusFrom } from '../built-sandbox.ts'
import type { Report } from '../report.ts'
import { median } from '../statistics.ts'
import type { Benchmark, BenchOptions } from './benchmark.ts'

const mebibyte = 1_048_576
const sandboxes = 1_000
const maxSandboxBytes = 100_000_000
const logBytes = 64 * mebibyte
/** How many times as much as it counts a log may take. */
const maxOfCounted = 1.5
/** With the new ones, as many as a sandbox holds. */
const pets = 87_000
/** Fills two of the segments that captures replay, so that the state is copied more than once. */
const creates = 13_000
const maxMs = 5

const headers = { authorization: 'Bearer enterprise-key', 'content-type': 'application/json' }
const create: ApiRequest = {
  method: 'POST',
  url: '/v1/pets',
  headers,
  body: '{"name":"Rex","categoryId":1}',
}

/** What a process takes at its limits: memory, and the slowest request. */
export const limits: Benchmark = {
  name: 'limits',
  round: `${sandboxes} sandboxes, a full log, and ${creates} new pets beside ${pets}`,
  rounds: 3,
  async run({ rounds }: BenchOptions): Promise<Report> {
    const found = {
      sandboxBytes: [] as number[],
      ofCounted: [] as number[],
      slowestMs: [] as number[],
    }
    for (let round = 0; round < rounds; round++) {
      found.sandboxBytes.push(await bytesOf(makeSandboxes))
      found.ofCounted.push((await bytesOf(fillLog)) / logBytes)
      found.slowestMs.push(await slowestCreate())
    }
    const [sandboxBytes, ofCounted, slowestMs] = [
      median(found.sandboxBytes),
      median(found.ofCounted),
      median(found.slowestMs),
    ]
    return {
      title: `limits: ${rounds} rounds in process`,
      table: [
        ['', 'found', 'range'],
        [
          `${sandboxes} named sandboxes, MB`,
          ...cells(found.sandboxBytes.map((bytes) => bytes / 1e6)),
        ],
        ['a full log, of what it counts', ...cells(found.ofCounted)],
        [`slowest of ${creates} creates, ms`, ...cells(found.slowestMs)],
      ],
      targets: [
        {
          name: 'megabytes of 1,000 sandboxes',
          value: sandboxBytes / 1e6,
          bound: 'at most',
          limit: maxSandboxBytes / 1e6,
        },
        {
          name: 'a full log, of what it counts',
          value: ofCounted,
          bound: 'at most',
          limit: maxOfCounted,
        },
        {
          name: 'milliseconds of the slowest create',
          value: slowestMs,
          bound: 'at most',
          limit: maxMs,
        },
      ],
    }
  },
}

function cells(values: readonly number[]): string[] {
  return [
    median(values).toFixed(2),
    `${Math.min(...values).toFixed(2)}-${Math.max(...values).toFixed(2)}`,
  ]
}

/** Gives the memory that something keeps after a garbage collection. */
async function bytesOf(make: () => Promise<unknown>): Promise<number> {
  const before = usedBytes()
  const made = await make()
  const after = usedBytes()
  // Until here it must not be collected.
  if (made === undefined) throw new TypeError('Cannot measure: nothing was made')
  return after - before
}

function usedBytes(): number {
  setFlagsFromString('--expose-gc')
  const collect: () => void = runInNewContext('gc')
  collect()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

async function makeSandboxes(): Promise<unknown> {
  const { SandboxPool } = await loadBuilt()
  const pool = new SandboxPool()
  for (let made = 0; made < sandboxes; made++) {
    const { sandbox } = pool.create({ name: `team-${made}` })
    await statusFrom(sandbox, { ...create })
  }
  return pool
}

/** Sends requests with bodies of 4 KiB until the log has as many as it counts bytes for. */
async function fillLog(): Promise<unknown> {
  const { createSandbox } = await loadBuilt()
  const sandbox = createSandbox({ rateLimits: 'report-only', maxRequests: 1_000_000 })
  const name = 'x'.repeat(900)
  // Each counts more than 4,000 bytes.
  for (let sent = 0; sent < logBytes / 4_000; sent++) {
    const body = JSON.stringify({ name, categoryId: sent })
    await statusFrom(sandbox, { ...create, headers: { ...headers }, body })
    if (sandbox.pets.size > 1_000) sandbox.pets.clear()
  }
  return sandbox
}

async function slowestCreate(): Promise<number> {
  const { createSandbox } = await loadBuilt()
  const seeded = Array.from({ length: pets }, (_, index) => ({
    id: index + 1,
    name: 'Rex',
    categoryId: 1,
  }))
  const sandbox = createSandbox({ rateLimits: 'report-only', seed: { pets: seeded } })
  let slowest = 0
  for (let sent = 0; sent < creates; sent++) {
    const beganAt = performance.now()
    await statusFrom(sandbox, { ...create })
    slowest = Math.max(slowest, performance.now() - beganAt)
  }
  return slowest
}
