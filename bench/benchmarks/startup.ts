import { fileURLToPath } from 'node:url'
import { type ServerCommand, startProcess } from '../child.ts'
import { type CopiedPackages, copyPackages } from '../copied-package.ts'
import type { Report } from '../report.ts'
import { listPets } from '../requests.ts'
import { sandboxCommand, sandboxCommandIn, sandboxCommandWith } from '../sandbox-command.ts'
import { median, medianRatio } from '../statistics.ts'
import type { Benchmark, BenchOptions } from './benchmark.ts'

const helloCommand: ServerCommand = {
  args: (port) => [fileURLToPath(new URL('../servers/hello.js', import.meta.url)), String(port)],
  probe: listPets,
}

/** The sandbox with either seed, and how many times as long as the bare server it may take. */
const starts = [
  { name: 'petstore-sandbox', most: 3, command: sandboxCommand },
  {
    name: 'petstore-sandbox --pets 1000',
    most: 3,
    command: sandboxCommandWith('--log', 'silent', '--pets', '1000'),
  },
] as const

/** How many times as long as without the console's files a start with them may take. */
const mostWithConsole = 1.03

/** Time from the start of the process to its first 200, against a bare server that says hello. */
export const startup: Benchmark = {
  name: 'startup',
  round: 'a start of each',
  rounds: 25,
  async run({ rounds, node }: BenchOptions): Promise<Report> {
    await using packages = await copyPackages()
    const bareMs: number[] = []
    const copies = { whole: [] as number[], withoutConsole: [] as number[] }
    const ours = starts.map((start) => ({ ...start, ms: [] as number[] }))
    // The first round only brings the files into memory.
    for (let round = 0; round <= rounds; round++) {
      const bare = await startMs(helloCommand, node)
      if (round > 0) bareMs.push(bare)
      for (const { command, ms } of ours) {
        const taken = await startMs(command, node)
        if (round > 0) ms.push(taken)
      }
      for (const name of inTurns(round)) {
        const taken = await startMs(sandboxCommandIn(packages[name], '--log', 'silent'), node)
        if (round > 0) copies[name].push(taken)
      }
    }
    const withConsole = medianRatio(copies.whole, copies.withoutConsole)
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
        ['the same without the files of the console', median(copies.withoutConsole).toFixed(0), ''],
        ['with them, of without', '', withConsole.toFixed(3)],
      ],
      targets: [
        ...ours.map(
          ({ name, ms, most }) =>
            ({
              name: `start of ${name} to its first 200, of bare`,
              value: medianRatio(ms, bareMs),
              bound: 'at most',
              limit: most,
            }) as const,
        ),
        {
          name: 'start with the files of the console, of without',
          value: withConsole,
          bound: 'at most',
          limit: mostWithConsole,
        },
      ],
    }
  },
}

/** Both copies; the one that went first goes second in the next round. */
function inTurns(round: number): readonly Exclude<keyof CopiedPackages, symbol>[] {
  return round % 2 === 0 ? ['whole', 'withoutConsole'] : ['withoutConsole', 'whole']
}

async function startMs(command: ServerCommand, node: string): Promise<number> {
  const server = await startProcess({ ...command, node })
  await server.stop()
  return server.startMs
}
