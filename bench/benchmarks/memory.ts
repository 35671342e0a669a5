import { startProcess } from '../child.ts'
import { type BenchRequest, requestBytes } from '../exchange.ts'
import { applyLoad, type Shot } from '../load.ts'
import type { Report } from '../report.ts'
import { listPets } from '../requests.ts'
import { sandboxCommand } from '../sandbox-command.ts'
import { median, medianRatio } from '../statistics.ts'
import type { Benchmark, BenchOptions } from './benchmark.ts'

const connections = 16
const checkpoints = [100_000, 1_000_000] as const
/** What is in use goes up and down with the collection of garbage; a leak would raise the least of it too. */
const readings = 40
const requestsPerReading = 5_000
const mostGrowth = 0.05

/** Memory of the process while a million requests come that leave nothing behind. */
export const memory: Benchmark = {
  name: 'memory',
  round: '1.2 million requests to a new process',
  rounds: 3,
  async run({ rounds }: BenchOptions): Promise<Report> {
    const runs: number[][] = []
    for (let round = 0; round < rounds; round++) runs.push(await runOnce())
    const sizesAt = (index: number): number[] => runs.map((run) => run[index] ?? Number.NaN)
    return {
      title: `memory: ${rounds} rounds, ${connections} connections`,
      table: [
        ['requests', 'rss MiB'],
        ...checkpoints.map((count, index) => [
          String(count),
          (median(sizesAt(index)) / 2 ** 20).toFixed(1),
        ]),
      ],
      targets: targetsOf(medianRatio(sizesAt(1), sizesAt(0))),
    }
  },
}

/** There is nothing to compare where the system doesn't tell the memory of a process. */
function targetsOf(growth: number): Report['targets'] {
  if (Number.isNaN(growth)) return []
  const name = `memory after ${checkpoints[1]} requests, of that after ${checkpoints[0]}`
  return [{ name, value: growth, bound: 'at most', limit: 1 + mostGrowth }]
}

/** Gives the memory in use from each checkpoint on, in bytes. */
async function runOnce(): Promise<number[]> {
  const server = await startProcess(sandboxCommand)
  try {
    const sizes: number[] = []
    let sent = 0
    const sendUntil = async (end: number): Promise<void> => {
      const next = (): Shot | undefined => (sent < end ? shotAt(sent++) : undefined)
      await applyLoad({ port: server.port, connections, next })
    }
    for (const checkpoint of checkpoints) {
      await sendUntil(checkpoint)
      const found: number[] = []
      while (found.length < readings) {
        await sendUntil(sent + requestsPerReading)
        found.push(server.rssBytes())
      }
      sizes.push(Math.min(...found))
    }
    return sizes
  } finally {
    await server.stop()
  }
}

/** One of a mix of requests: pages, a pet, pets that are not there, and keys that nobody has. */
function shotAt(index: number): Shot {
  const at = (url: string): BenchRequest => ({ ...listPets, url })
  switch (index % 5) {
    case 0:
      return shotOf(listPets, 200)
    case 1:
      return shotOf(at('/v1/pets?status=sold&limit=100'), 200)
    case 2:
      return shotOf(at('/v1/pets/7'), 200)
    case 3:
      return shotOf(at(`/v1/pets/${1_000_000 + index}`), 404)
    default:
      return shotOf({ ...listPets, headers: { Authorization: `Bearer nobody-${index}` } }, 401)
  }
}

function shotOf(request: BenchRequest, status: number): Shot {
  return { bytes: requestBytes(request), status }
}
