import { helloCommand, sandboxCommand } from './contestants.ts'
import { type Benchmark, median, medianRatio, type Report } from './report.ts'
import { startProcess } from './server-process.ts'

/** The bare server first, then the sandbox with either seed, and how much it may take of the bare one. */
const starts = [
  { name: 'bare node:http', command: helloCommand, most: 1 },
  { name: 'petstore-sandbox', command: sandboxCommand('--log', 'silent'), most: 2.5 },
  {
    name: 'petstore-sandbox --pets 1000',
    command: sandboxCommand('--log', 'silent', '--pets', '1000'),
    // Two thirds of what it takes beyond the other is the import of faker, which makes up the names.
    most: 3.5,
  },
] as const

/** Processor time from the start of the process to its first 200, against a bare server that says hello. */
export const startup: Benchmark = {
  name: 'startup',
  round: 'a start of each',
  rounds: 25,
  async run({ rounds, node }): Promise<Report> {
    const found = starts.map((start) => ({
      ...start,
      ms: [] as number[],
      cpuMs: [] as number[],
    }))
    // The first round only brings the files into memory.
    for (let round = 0; round <= rounds; round++) {
      for (const { command, ms, cpuMs } of found) {
        const server = await startProcess({ ...command, node })
        const taken = server.cpuMs()
        await server.stop()
        if (round === 0) continue
        ms.push(server.startMs)
        cpuMs.push(taken)
      }
    }
    const [bare, ...ours] = found
    if (bare === undefined) throw new RangeError('Cannot compare: there is no bare server')
    return {
      title: `startup: ${rounds} rounds on ${node}`,
      table: [
        ['process', 'ms', 'of bare', 'cpu ms', 'of bare'],
        ...found.map(({ name, ms, cpuMs }) => [
          name,
          median(ms).toFixed(0),
          medianRatio(ms, bare.ms).toFixed(2),
          median(cpuMs).toFixed(0),
          medianRatio(cpuMs, bare.cpuMs).toFixed(2),
        ]),
      ],
      targets: ours.map(({ name, cpuMs, most }) => ({
        name: `processor time of a start of ${name} to its first 200, of bare`,
        value: medianRatio(cpuMs, bare.cpuMs),
        bound: 'at most',
        limit: most,
      })),
    }
  },
}
