import { setImmediate as turn } from 'node:timers/promises'
import { type ApiRequest, loadBuilt, statusFrom } from '../built-sandbox.ts'

// Sends two million requests to one sandbox and writes, as JSON, what memory is in use on the way.
// Run with --expose-gc, in a process of its own.

const checkpoints = [100_000, 1_000_000, 2_000_000]

/** Memory in use after so many requests, garbage collected. */
export interface MemoryReading {
  readonly requests: number
  readonly heapBytes: number
  readonly rssBytes: number
  /** How many replies there were of each status. */
  readonly statuses: Readonly<Record<string, number>>
}

const kinds: readonly (() => ApiRequest)[] = [
  () => get('/v1/pets?limit=20', 'patient-key'),
  () => get('/v1/pets?status=sold&limit=100', 'patient-key'),
  () => get('/v1/pets/7', 'patient-key'),
  () => get(`/v1/pets/${1000 + Math.floor(Math.random() * 1e12)}`, 'patient-key'),
  () => get('/v1/pets', Math.random().toString(36).slice(2)),
  () => get('/v1/pets', 'free-key'),
]

const limits = { minute: 1_000_000_000, day: 1_000_000_000 }
const { createSandbox } = await loadBuilt()
const sandbox = createSandbox({
  seed: {
    keys: [
      { key: 'patient-key', plan: 'enterprise', limits },
      { key: 'free-key', plan: 'free' },
    ],
  },
})
const statuses: Record<string, number> = {}
const readings: MemoryReading[] = []
let requests = 0
for (const checkpoint of checkpoints) {
  while (requests < checkpoint) {
    for (const request of kinds) {
      const status = await statusFrom(sandbox, request())
      statuses[status] = (statuses[status] ?? 0) + 1
      requests++
    }
    // Let timers and promises of the sandbox run, as they do in a server.
    if (requests % 6000 === 0) await turn()
  }
  readings.push(await read())
}
process.stdout.write(JSON.stringify(readings))

function get(url: string, key: string): ApiRequest {
  return { method: 'GET', url, headers: { authorization: `Bearer ${key}` }, body: '' }
}

async function read(): Promise<MemoryReading> {
  for (let pass = 0; pass < 3; pass++) {
    await turn()
    globalThis.gc?.()
  }
  const { heapUsed, rss } = process.memoryUsage()
  return { requests, heapBytes: heapUsed, rssBytes: rss, statuses: { ...statuses } }
}
