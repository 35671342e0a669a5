import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import type { SandboxPool } from '../../src/index.ts'
import { statusFrom } from '../built-sandbox.ts'
import type { Report } from '../report.ts'
import { median, medianRatio } from '../statistics.ts'
import type { Benchmark, BenchOptions } from './benchmark.ts'

const count = 1_000
const batch = 500
const request = {
  method: 'GET',
  url: '/v1/pets?limit=20',
  headers: { authorization: 'Bearer enterprise-key' },
  body: '',
}

/** What a thousand named sandboxes cost: to make, to keep, and to ask one of them. */
export const named: Benchmark = {
  name: 'named',
  round: `${batch} requests to one of ${count} sandboxes and to the only one`,
  rounds: 40,
  async run({ rounds }: BenchOptions): Promise<Report> {
    const { SandboxPool } = await loadPool()
    const alone = new SandboxPool({ defaults: { rateLimit: 'reported' } })
    alone.create({ name: 'only' })
    collectGarbage()
    const before = process.memoryUsage().heapUsed
    const many = new SandboxPool({ defaults: { rateLimit: 'reported' } })
    const makeMs = Array.from({ length: count }, (_, index) =>
      timeOf(() => many.create({ name: `s${index}` })),
    )
    collectGarbage()
    const keptKb = (process.memoryUsage().heapUsed - before) / count / 1024
    const [oneUs, manyUs]: [number[], number[]] = [[], []]
    for (let round = -10; round < rounds; round++) {
      const first = await microseconds(alone, 'only')
      const second = await microseconds(many, `s${(round + 10) % count}`)
      if (round < 0) continue
      oneUs.push(first)
      manyUs.push(second)
    }
    return {
      title: `named: ${count} sandboxes with the default seed, ${rounds} rounds of requests`,
      table: [
        ['what', 'figure'],
        ['make one, ms', median(makeMs).toFixed(3)],
        ['keep one, KB of heap', keptKb.toFixed(1)],
        ['a request to the only one, µs', median(oneUs).toFixed(2)],
        [`a request to one of ${count}, µs`, median(manyUs).toFixed(2)],
      ],
      targets: [
        { name: 'milliseconds to make one', value: median(makeMs), bound: 'at most', limit: 2 },
        { name: 'KB to keep one', value: keptKb, bound: 'at most', limit: 200 },
        {
          name: 'a request to one of many, of one to the only one',
          value: medianRatio(manyUs, oneUs),
          bound: 'at most',
          limit: 1.2,
        },
      ],
    }
  },
}

async function loadPool(): Promise<typeof import('../../src/index.ts')> {
  return await import(new URL('../../dist/index.js', import.meta.url).href)
}

function collectGarbage(): void {
  setFlagsFromString('--expose-gc')
  runInNewContext('gc')()
}

function timeOf(run: () => void): number {
  const beginAt = performance.now()
  run()
  return performance.now() - beginAt
}

async function microseconds(pool: SandboxPool, name: string): Promise<number> {
  const beginAt = performance.now()
  for (let sent = 0; sent < batch; sent++) await statusFrom(pool.get(name), request)
  return ((performance.now() - beginAt) * 1000) / batch
}
