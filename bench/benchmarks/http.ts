import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { type ServerProcess, startProcess } from '../child.ts'
import { type ContestantFiles, writeContestantFiles } from '../contestant-files.ts'
import { type Contestant, contestants, expressName } from '../contestants.ts'
import { applyLoad, repeat } from '../load.ts'
import type { Report } from '../report.ts'
import { createPet, listPets } from '../requests.ts'
import { requestBytes, send } from '../send.ts'
import { median, medianRatio } from '../statistics.ts'
import type { Benchmark, BenchOptions } from './benchmark.ts'

const connections = 16
const sliceMs = 1000

/** The two operations, and the goals: shares of what the two references serve, which look nothing up and check nothing. */
const operations = [
  { name: 'GET', status: 200, request: listPets, minOfBare: 0.55, minOfExpress: 1.4 },
  { name: 'POST', status: 201, request: createPet, minOfBare: 0.6, minOfExpress: 1.5 },
] as const

type Operation = (typeof operations)[number]

interface Runner {
  readonly contestant: Contestant
  readonly server: ServerProcess
  readonly results: Record<Operation['name'], Results>
}

/** For each round. */
interface Results {
  readonly perSecond: number[]
  /** Replies in a second of the server's own processor time; `NaN` where the system doesn't tell it. */
  readonly perCpuSecond: number[]
}

/** Throughput of the process against a bare server that answers the same bytes, and against a bare Express app. */
export const http: Benchmark = {
  name: 'http',
  round: 'a second of load on each server',
  rounds: 5,
  async run({ rounds }: BenchOptions): Promise<Report> {
    const folder = mkdtempSync(join(tmpdir(), 'petstore-sandbox-bench-'))
    const runners: Runner[] = []
    try {
      const { files, pets } = await writeContestantFiles(folder)
      for (const contestant of contestants) runners.push(await startRunner(contestant, files))
      for (const runner of runners) await checkList(runner, pets)
      for (const operation of operations) await race(runners, operation, rounds)
    } finally {
      for (const { server } of runners) await server.stop()
      rmSync(folder, { recursive: true })
    }
    return reportOf(runners, rounds)
  },
}

async function startRunner(contestant: Contestant, files: ContestantFiles): Promise<Runner> {
  const server = await startProcess({
    args: (port) => contestant.args(port, files),
    probe: listPets,
  })
  const results = {
    GET: { perSecond: [], perCpuSecond: [] },
    POST: { perSecond: [], perCpuSecond: [] },
  }
  return { contestant, server, results }
}

/** Throws if a server returns another response. */
async function checkList({ contestant, server }: Runner, pets: unknown): Promise<void> {
  const { body } = await send(server.port, listPets)
  if (isDeepStrictEqual(JSON.parse(body), pets)) return
  throw new Error(`Cannot compare ${contestant.name}: it lists other pets: ${body.slice(0, 200)}`)
}

/** Loads the servers in turn, round after round; the round before the first only warms up. */
async function race(
  runners: readonly Runner[],
  operation: Operation,
  rounds: number,
): Promise<void> {
  for (let round = 0; round <= rounds; round++) {
    for (const { contestant, server, results } of runners) {
      if (contestant.kind === 'ours') await reset(server)
      const bytes = requestBytes(operation.request)
      const cpuBeforeMs = server.cpuMs()
      const { replies, seconds } = await applyLoad({
        port: server.port,
        connections,
        next: repeat({ bytes, status: operation.status }, sliceMs),
      })
      if (round === 0) continue
      const { perSecond, perCpuSecond } = results[operation.name]
      perSecond.push(replies / seconds)
      perCpuSecond.push((replies / (server.cpuMs() - cpuBeforeMs)) * 1000)
    }
  }
}

/** Takes away the pets of the rounds before: a fast machine would add more than a sandbox holds. */
async function reset({ port }: ServerProcess): Promise<void> {
  const { status } = await fetch(`http://127.0.0.1:${port}/_sandbox/reset`, { method: 'POST' })
  if (status !== 204) throw new Error(`Cannot go on: found status ${status} of a reset, not 204`)
}

function reportOf(runners: readonly Runner[], rounds: number): Report {
  const [bare] = runners
  if (bare === undefined) throw new RangeError('Cannot compare: there are no contestants')
  const head = operations.flatMap(({ name }) => [`${name}/s`, 'of bare', 'range', 'cpu'])
  const rows = runners.map(({ contestant, results }) => [
    contestant.name,
    ...operations.flatMap(({ name }) => cells(results[name], bare.results[name])),
  ])
  const ours = runners.filter(({ contestant }) => contestant.kind === 'ours')
  const express = runners.find(({ contestant }) => contestant.name === expressName)
  if (express === undefined) throw new RangeError(`Cannot compare: ${expressName} is missing`)
  return {
    title: `http: ${rounds} rounds, ${connections} connections`,
    table: [['server', ...head], ...rows],
    targets: ours.flatMap(({ results }) =>
      operations.flatMap(({ name, minOfBare, minOfExpress }) => [
        {
          name: `${name} of bare node:http`,
          value: medianRatio(results[name].perCpuSecond, bare.results[name].perCpuSecond),
          bound: 'at least' as const,
          limit: minOfBare,
        },
        {
          name: `${name} of ${expressName}`,
          value: medianRatio(results[name].perCpuSecond, express.results[name].perCpuSecond),
          bound: 'at least' as const,
          limit: minOfExpress,
        },
      ]),
    ),
  }
}

function cells(own: Results, bare: Results): string[] {
  const ratios = own.perSecond.map((rate, round) => rate / (bare.perSecond[round] ?? Number.NaN))
  return [
    median(own.perSecond).toFixed(0),
    median(ratios).toFixed(2),
    `${Math.min(...ratios).toFixed(2)}-${Math.max(...ratios).toFixed(2)}`,
    medianRatio(own.perCpuSecond, bare.perCpuSecond).toFixed(2),
  ]
}
