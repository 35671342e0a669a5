import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { Report, Target } from '../report.ts'
import { median } from '../statistics.ts'
import type { Benchmark, BenchOptions } from './benchmark.ts'
import type { MemoryReading } from './memory-run.ts'

const script = fileURLToPath(new URL('memory-run.ts', import.meta.url))
const mostGrowth = 0.05

/** A reading for each of the checkpoints. */
type Readings = readonly [tenth: MemoryReading, million: MemoryReading, second: MemoryReading]

/** Memory in use while millions of requests come that leave nothing behind. */
export const memory: Benchmark = {
  name: 'memory',
  round: 'two million requests in a new process',
  rounds: 1,
  async run({ rounds }: BenchOptions): Promise<Report> {
    const runs: Readings[] = []
    for (let round = 0; round < rounds; round++) runs.push(await runOnce())
    const rows = runs.flatMap((readings) =>
      readings.map(({ requests, heapBytes, rssBytes, statuses }) => [
        `after ${requests} requests`,
        mebibytes(heapBytes),
        mebibytes(rssBytes),
        Object.entries(statuses)
          .map(([status, count]) => `${status}: ${count}`)
          .join(', '),
      ]),
    )
    return {
      title: `memory: ${rounds} rounds in process`,
      table: [['memory', 'heap MiB', 'rss MiB', 'replies'], ...rows],
      targets: [
        targetOf('heap, from 100,000 requests to a million', runs, ([tenth, million]) => [
          tenth.heapBytes,
          million.heapBytes,
        ]),
        // V8 drops what it needed to warm up somewhere between, which could hide a small leak.
        targetOf('heap, from a million to two', runs, ([, million, second]) => [
          million.heapBytes,
          second.heapBytes,
        ]),
        // V8 takes memory from the system until its own areas are as large as it wants them.
        targetOf('rss, from a million to two', runs, ([, million, second]) => [
          million.rssBytes,
          second.rssBytes,
        ]),
      ],
    }
  },
}

async function runOnce(): Promise<Readings> {
  const running = promisify(execFile)(process.execPath, ['--expose-gc', script])
  const kill = (): boolean => running.child.kill()
  process.once('exit', kill)
  const { stdout } = await running
  process.off('exit', kill)
  return JSON.parse(stdout)
}

function targetOf(
  name: string,
  runs: readonly Readings[],
  fromTo: (readings: Readings) => readonly [from: number, to: number],
): Target {
  const growth = median(
    runs.map((readings) => {
      const [from, to] = fromTo(readings)
      return to / from - 1
    }),
  )
  return {
    name: `growth of ${name}`,
    value: growth,
    bound: 'at most',
    limit: mostGrowth,
  }
}

function mebibytes(bytes: number): string {
  return (bytes / 2 ** 20).toFixed(1)
}
