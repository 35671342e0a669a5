import { fileURLToPath } from 'node:url'
import { type ServerCommand, startProcess } from '../child.ts'
import type { Report } from '../report.ts'
import { listPets } from '../requests.ts'
import { sandboxCommand, sandboxCommandWith } from '../sandbox-command.ts'
import { median, medianRatio } from '../statistics.ts'
import type { Benchmark, BenchOptions } from './benchmark.ts'

const helloCommand: ServerCommand = {
  args: (port) => [fileURLToPath(new URL('../servers/hello.js', import.meta.url)), String(port)],
  probe: listPets,
}

/** The sandbox with either seed, and how many times as long as the bare server it may take. */
const starts = [
  { name: 'petstore-sandbox', most: 1.8, command: sandboxCommand },
  {
    name: 'petstore-sandbox --pets 1000',
    most: 2.5,
    command: sandboxCommandWith('--log', 'silent', '--pets', '1000'),
  },
] as const

/** Time from the start of the process to its first 200, against a bare server that says hello. */
export const startup: Benchmark = {
  name: 'startup',
  round: 'a start of each',
  rounds: 25,
  async run({ rounds, node }: BenchOptions): Promise<Report> {
    const bareMs: number[] = []
    const ours = starts.map((start) => ({ ...start, ms: [] as number[] }))
    // The first round only brings the files into memory.
    for (let round = 0; round <= rounds; round++) {
      const bare = await startMs(helloCommand, node)
      if (round > 0) bareMs.push(bare)
      for (const { command, ms } of ours) {
        const taken = await startMs(command, node)
        if (round > 0) ms.push(taken)
      }
    }
    return {
      title: `startup: ${rounds} rounds on ${node}`,
      table: [
        ['process', 'ms', 'of bare'],
        ['bare node:http', median(bareMs).toFixed(0), '1.00'],
        ...ours.map(({ name, ms }) => [
          name,
          median(ms).toFixed(0),
          medianRatio(ms, bareMs).toFixed(2),
        ]),
      ],
      targets: ours.map(({ name, ms, most }) => ({
        name: `start of ${name} to its first 200, of bare`,
        value: medianRatio(ms, bareMs),
        bound: 'at most',
        limit: most,
      })),
    }
  },
}

async function startMs(command: ServerCommand, node: string): Promise<number> {
  const server = await startProcess({ ...command, node })
  await server.stop()
  return server.startMs
}
