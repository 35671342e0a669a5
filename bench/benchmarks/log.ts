import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type ServerProcess, startProcess } from '../child.ts'
import { applyLoad, repeat } from '../load.ts'
import type { Report } from '../report.ts'
import { listPets } from '../requests.ts'
import { sandboxCommandWith } from '../sandbox-command.ts'
import { requestBytes } from '../send.ts'
import { median, medianRatio } from '../statistics.ts'
import type { Benchmark, BenchOptions } from './benchmark.ts'

const least = 0.87
const connections = 16
const sliceMs = 1000

/** How many keys the sandbox has: those of `fixtures/`, or so many of which one is the benchmark's. */
const keyCounts = [9, 1_000] as const

/** Throughput of the process with its default log, written to a file, against that with none. */
export const log: Benchmark = {
  name: 'log',
  round: 'a second of load with each log, with few and with many keys',
  rounds: 8,
  async run({ rounds, node }: BenchOptions): Promise<Report> {
    const folder = mkdtempSync(join(tmpdir(), 'petstore-sandbox-bench-'))
    try {
      const results: Comparison[] = []
      for (const keys of keyCounts) results.push(await compare(keys, { rounds, node, folder }))
      return reportOf(results, rounds, node)
    } finally {
      rmSync(folder, { recursive: true })
    }
  },
}

/** Of each round. */
interface Slice {
  readonly perSecond: number
  /** Microseconds of the server's processor time for a request; `NaN` where the system doesn't tell it. */
  readonly cpuUs: number
}

interface Comparison {
  readonly keys: number
  readonly silent: readonly Slice[]
  readonly pretty: readonly Slice[]
}

interface Setting {
  readonly rounds: number
  readonly node: string
  readonly folder: string
}

async function compare(keys: number, { rounds, node, folder }: Setting): Promise<Comparison> {
  const seed = seedWith(keys, folder)
  const silentCommand = { ...sandboxCommandWith(...seed, '--log', 'silent'), node }
  const output = join(folder, 'log')
  const prettyCommand = { ...sandboxCommandWith(...seed), node, output }
  const silent = await startProcess(silentCommand)
  const pretty = await startProcess(prettyCommand)
  try {
    const slices: { silent: Slice; pretty: Slice }[] = []
    // The first two only warm up.
    for (let round = -2; round < rounds; round++) {
      const slice = { silent: await load(silent), pretty: await load(pretty) }
      if (round >= 0) slices.push(slice)
    }
    return {
      keys,
      silent: slices.map((slice) => slice.silent),
      pretty: slices.map((slice) => slice.pretty),
    }
  } finally {
    await silent.stop()
    await pretty.stop()
  }
}

/** The options for a seed with so many keys. */
function seedWith(count: number, folder: string): readonly string[] {
  if (count === keyCounts[0]) return []
  const file = join(folder, 'seed.json')
  const others = Array.from({ length: count - 1 }, (_, index) => ({
    key: `key-${index}-of-many`,
    plan: 'free',
  }))
  const own = {
    key: 'enterprise-key',
    plan: 'enterprise',
    limits: { minute: 5_000, day: 1_000_000 },
  }
  writeFileSync(file, JSON.stringify({ keys: [...others, own] }))
  return ['--seed-file', file]
}

const bytes = requestBytes(listPets)

async function load(server: ServerProcess): Promise<Slice> {
  const before = server.cpuMs()
  const { replies, seconds } = await applyLoad({
    port: server.port,
    connections,
    next: repeat({ bytes, status: 200 }, sliceMs),
  })
  return { perSecond: replies / seconds, cpuUs: ((server.cpuMs() - before) * 1000) / replies }
}

function reportOf(results: readonly Comparison[], rounds: number, node: string): Report {
  const of = (slices: readonly Slice[], what: keyof Slice) => slices.map((slice) => slice[what])
  const share = ({ pretty, silent }: Comparison): number =>
    medianRatio(of(pretty, 'perSecond'), of(silent, 'perSecond'))
  const cpuShare = ({ pretty, silent }: Comparison): number =>
    medianRatio(of(silent, 'cpuUs'), of(pretty, 'cpuUs'))
  return {
    title: `log: ${rounds} rounds, ${connections} connections, on ${node}`,
    table: [
      ['keys', 'silent/s', 'pretty/s', 'share', 'silent cpu us', 'pretty cpu us', 'cpu share'],
      ...results.map((result) => [
        String(result.keys),
        median(of(result.silent, 'perSecond')).toFixed(0),
        median(of(result.pretty, 'perSecond')).toFixed(0),
        share(result).toFixed(2),
        median(of(result.silent, 'cpuUs')).toFixed(1),
        median(of(result.pretty, 'cpuUs')).toFixed(1),
        cpuShare(result).toFixed(2),
      ]),
    ],
    targets: results.map((result) => ({
      name: `by processor time, throughput with the default log, of that with none, with ${result.keys} keys`,
      value: cpuShare(result),
      bound: 'at least',
      limit: least,
    })),
  }
}
