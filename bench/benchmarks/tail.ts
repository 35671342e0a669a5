import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type ServerCommand, type ServerProcess, startProcess } from '../child.ts'
import { record } from '../contestant-files.ts'
import { bareCommand } from '../contestants.ts'
import { applyLoad, type Shot } from '../load.ts'
import type { Report } from '../report.ts'
import { createPet, listPets } from '../requests.ts'
import { sandboxCommandWith } from '../sandbox-command.ts'
import { requestBytes } from '../send.ts'
import { median, medianRatio, percentile } from '../statistics.ts'
import type { Benchmark, BenchOptions } from './benchmark.ts'

const connections = 16
/** Until then both are compiled, whatever the machine does. */
const warmUpRequests = 40_000
const slices = 10
const requestsPerSlice = 5_000

const lists: readonly Shot[] = [{ bytes: requestBytes(listPets), status: 200 }]
const creates: readonly Shot[] = [{ bytes: requestBytes(createPet), status: 201 }]

/** A load on fresh processes, and how many times as long as with a bare server the slowest hundredth may take. */
interface Load {
  readonly name: string
  /** What is sent in turn. */
  readonly shots: readonly Shot[]
  readonly options: readonly string[]
  readonly most: number
}

const loads: readonly Load[] = [
  { name: 'lists', shots: lists, options: [], most: 2.5 },
  { name: 'new pets', shots: creates, options: [], most: 3 },
  // The larger seed brings faker and its garbage with it.
  {
    name: 'both, --pets 1000',
    shots: [...lists, ...creates],
    options: ['--pets', '1000'],
    most: 3,
  },
]

/** A fresh process of each kind under the same load. */
interface Pair {
  readonly bare: Tail
  readonly sandbox: Tail
}

/** For each slice. */
interface Tail {
  /** Milliseconds in which 99 of 100 requests were answered. */
  readonly p99: number[]
  /** Microseconds of the server's processor time for a request; `NaN` where the system doesn't tell it. */
  readonly cpuUs: number[]
}

/** How long the slowest requests take in fresh processes, against a bare server that answers the same bytes. */
export const tail: Benchmark = {
  name: 'tail',
  round: `${slices * requestsPerSlice} requests to a fresh process of each, for each load`,
  rounds: 10,
  async run({ rounds, node }: BenchOptions): Promise<Report> {
    const results: (Load & { readonly pairs: readonly Pair[] })[] = []
    for (const load of loads) {
      results.push({ ...load, pairs: await comparePairs(load, rounds, node) })
    }
    return {
      title: `tail: ${rounds} fresh processes for each load, ${connections} connections, on ${node}`,
      table: [
        ['load', 'p99 ms', 'bare', 'of bare', 'range', 'cpu us', 'most', 'bare'],
        ...results.map(({ name, pairs }) => [name, ...cells(pairs)]),
      ],
      targets: results.map(({ name, pairs, most }) => ({
        name: `p99 of ${name}, of bare node:http, in the median process`,
        value: median(pairs.map(ratioOf)),
        bound: 'at most',
        limit: most,
      })),
    }
  },
}

async function comparePairs(
  { shots, options }: Load,
  rounds: number,
  node: string,
): Promise<Pair[]> {
  const folder = mkdtempSync(join(tmpdir(), 'petstore-sandbox-bench-'))
  try {
    const command = sandboxCommandWith('--log', 'silent', ...options)
    const recording = join(folder, 'recording.json')
    writeFileSync(recording, JSON.stringify(await record(command)))
    const pairs: Pair[] = []
    while (pairs.length < rounds) {
      pairs.push(
        await comparePair({ ...bareCommand(recording), node }, { ...command, node }, shots),
      )
    }
    return pairs
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** Loads one of each in turn, so that a busy moment of the machine meets both. */
async function comparePair(
  bare: ServerCommand,
  sandbox: ServerCommand,
  shots: readonly Shot[],
): Promise<Pair> {
  const pair = { bare: await startWarm(bare, shots), sandbox: await startWarm(sandbox, shots) }
  const result: Pair = { bare: { p99: [], cpuUs: [] }, sandbox: { p99: [], cpuUs: [] } }
  try {
    for (let slice = 0; slice < slices; slice++) {
      await measure(pair.bare, shots, result.bare)
      await measure(pair.sandbox, shots, result.sandbox)
    }
    return result
  } finally {
    await pair.bare.stop()
    await pair.sandbox.stop()
  }
}

async function measure(
  server: ServerProcess,
  shots: readonly Shot[],
  { p99, cpuUs }: Tail,
): Promise<void> {
  const before = server.cpuMs()
  const found = await latencies(server, shots, requestsPerSlice)
  p99.push(percentile(found, 0.99))
  cpuUs.push(((server.cpuMs() - before) * 1000) / found.length)
}

/** Starts a process under load, so that its first collections of garbage fall into it. */
async function startWarm(command: ServerCommand, shots: readonly Shot[]): Promise<ServerProcess> {
  const server = await startProcess(command)
  await latencies(server, shots, warmUpRequests)
  return server
}

/** Sends so many requests; gives how long each took, in milliseconds. */
async function latencies(
  { port }: ServerProcess,
  shots: readonly Shot[],
  requests: number,
): Promise<number[]> {
  const found: number[] = []
  let sent = 0
  await applyLoad({
    port,
    connections,
    next: () => (sent < requests ? shots[sent++ % shots.length] : undefined),
    onReply: (ms) => found.push(ms),
  })
  return found
}

function ratioOf({ bare, sandbox }: Pair): number {
  return medianRatio(sandbox.p99, bare.p99)
}

function cells(pairs: readonly Pair[]): string[] {
  const row = (kind: keyof Pair, what: keyof Tail): number[] =>
    pairs.map((pair) => median(pair[kind][what]))
  const ratios = pairs.map(ratioOf)
  return [
    median(row('sandbox', 'p99')).toFixed(2),
    median(row('bare', 'p99')).toFixed(2),
    median(ratios).toFixed(2),
    `${Math.min(...ratios).toFixed(2)}-${Math.max(...ratios).toFixed(2)}`,
    median(row('sandbox', 'cpuUs')).toFixed(1),
    Math.max(...row('sandbox', 'cpuUs')).toFixed(1),
    median(row('bare', 'cpuUs')).toFixed(1),
  ]
}
