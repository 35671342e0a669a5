import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type ServerProcess, startProcess } from '../child.ts'
import { applyLoad, type Shot } from '../load.ts'
import type { Report } from '../report.ts'
import { createPet, listPets } from '../requests.ts'
import { sandboxCommandWith } from '../sandbox-command.ts'
import { type BenchRequest, requestBytes, send } from '../send.ts'
import { median, medianRatio } from '../statistics.ts'
import type { Benchmark, BenchOptions } from './benchmark.ts'

const few = 10
/** A sandbox holds 100,000; the rest is room for what is created. */
const many = 90_000
const most = 2
const connections = 16
const requestsPerSlice = 4_000
/** The same number of digits at either size. */
const firstId = 1_000_000

/** What is measured. Replies are as long at either size. */
const cases: Readonly<Record<string, (size: number, sent: number) => Shot>> = {
  'list a page': () => shotOf({ ...listPets, url: `/v1/pets?limit=${few}` }, 200),
  'filter a rare status': () => shotOf({ ...listPets, url: '/v1/pets?status=sold' }, 200),
  'get by id': (size, sent) =>
    shotOf({ ...listPets, url: `/v1/pets/${firstId + ((sent * 7_919) % size)}` }, 200),
  create: () => shotOf(createPet, 201),
}

/** Cost of each operation over HTTP with many pets, against the same with few. */
export const scale: Benchmark = {
  name: 'scale',
  round: `${requestsPerSlice} requests of each operation at either size`,
  rounds: 5,
  async run({ rounds, node }: BenchOptions): Promise<Report> {
    const folder = mkdtempSync(join(tmpdir(), 'petstore-sandbox-bench-'))
    const start = (size: number): Promise<ServerProcess> => {
      const file = join(folder, `${size}.json`)
      writeFileSync(file, JSON.stringify({ pets: pets(size) }))
      const options = ['--log', 'silent', '--seed-file', file]
      return startProcess({ ...sandboxCommandWith(...options), node })
    }
    const small = await start(few)
    const large = await start(many)
    try {
      const results = []
      for (const [name, shotAt] of Object.entries(cases)) {
        const times = { small: [] as number[], large: [] as number[] }
        for (let round = -1; round < rounds; round++) {
          const found = {
            small: await cpuUs(small, few, shotAt),
            large: await cpuUs(large, many, shotAt),
          }
          // The first one warms up.
          if (round < 0) continue
          times.small.push(found.small)
          times.large.push(found.large)
        }
        results.push({ name, ...times, ratio: medianRatio(times.large, times.small) })
      }
      return {
        title: `scale: ${rounds} rounds, ${connections} connections, on ${node}`,
        table: [
          ['processor time', `µs at ${few}`, `µs at ${many}`, 'ratio'],
          ...results.map((result) => [
            result.name,
            median(result.small).toFixed(1),
            median(result.large).toFixed(1),
            result.ratio.toFixed(2),
          ]),
        ],
        targets: results.map(({ name, ratio }) => ({
          name: `${name}, many of few`,
          value: ratio,
          bound: 'at most',
          limit: most,
        })),
      }
    } finally {
      await small.stop()
      await large.stop()
      rmSync(folder, { recursive: true })
    }
  },
}

/** Gives the server's processor time for a request. */
async function cpuUs(
  server: ServerProcess,
  size: number,
  shotAt: (size: number, sent: number) => Shot,
): Promise<number> {
  const before = server.cpuMs()
  let sent = 0
  const { replies } = await applyLoad({
    port: server.port,
    connections,
    next: () => (sent < requestsPerSlice ? shotAt(size, sent++) : undefined),
  })
  const us = ((server.cpuMs() - before) * 1000) / replies
  // What was created would make it grow.
  await send(server.port, reset)
  return us
}

const reset: BenchRequest = { method: 'POST', url: '/_sandbox/reset', headers: {}, body: '' }

function shotOf(request: BenchRequest, status: number): Shot {
  return { bytes: requestBytes(request), status }
}

/** Makes pets of which one is sold, the last. */
function pets(
  count: number,
): { id: number; name: string; categoryId: number; status: 'available' | 'sold' }[] {
  return Array.from({ length: count }, (_, index) => ({
    id: firstId + index,
    name: 'Rex',
    categoryId: 1,
    status: index === count - 1 ? 'sold' : 'available',
  }))
}
