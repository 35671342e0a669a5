import { fileURLToPath } from 'node:url'
import { type ServerCommand, startProcess } from '../child.ts'
import type { Report } from '../report.ts'
import { listPets } from '../requests.ts'
import { sandboxCommand } from '../sandbox-command.ts'
import { median, medianRatio } from '../statistics.ts'
import type { Benchmark, BenchOptions } from './benchmark.ts'

const most = 1.8

const helloCommand: ServerCommand = {
  args: (port) => [fileURLToPath(new URL('../servers/hello.js', import.meta.url)), String(port)],
  probe: listPets,
}

/** Time from the start of the process to its first 200, against a bare server that says hello. */
export const startup: Benchmark = {
  name: 'startup',
  round: 'a start of each',
  rounds: 25,
  async run({ rounds, node }: BenchOptions): Promise<Report> {
    const bareMs: number[] = []
    const sandboxMs: number[] = []
    // The first pair only brings the files into memory.
    for (let round = 0; round <= rounds; round++) {
      const bare = await startMs(helloCommand, node)
      const sandbox = await startMs(sandboxCommand, node)
      if (round === 0) continue
      bareMs.push(bare)
      sandboxMs.push(sandbox)
    }
    const ratio = medianRatio(sandboxMs, bareMs)
    return {
      title: `startup: ${rounds} pairs on ${node}`,
      table: [
        ['process', 'ms', 'of bare'],
        ['bare node:http', median(bareMs).toFixed(0), '1.00'],
        ['petstore-sandbox', median(sandboxMs).toFixed(0), ratio.toFixed(2)],
      ],
      targets: [
        {
          name: 'start of the process to its first 200, of bare',
          value: ratio,
          bound: 'at most',
          limit: most,
        },
      ],
    }
  },
}

async function startMs(command: ServerCommand, node: string): Promise<number> {
  const server = await startProcess({ ...command, node })
  await server.stop()
  return server.startMs
}
