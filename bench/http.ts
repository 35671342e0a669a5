import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { type Contestants, createPet, listPets, recordContestants } from './contestants.ts'
import { applyLoad, repeat } from './load.ts'
import { type Benchmark, median, medianRatio, percentile, type Report } from './report.ts'
import { requestBytes, send } from './send.ts'
import { type ServerProcess, startProcess } from './server-process.ts'

const connections = 16
const sliceMs = 1000

/** The operations, and the targets: shares of what the two references serve, which look nothing up and check nothing. */
const operations = [
  { name: 'GET', status: 200, request: listPets, minOfBare: 0.5, minOfExpress: 1.15 },
  { name: 'POST', status: 201, request: createPet, minOfBare: 0.55, minOfExpress: 1.05 },
] as const

type Operation = (typeof operations)[number]
type ContestantName = keyof Contestants['commands']

/** How the contestants are called in the report. */
const titles: Readonly<Record<ContestantName, string>> = {
  bare: 'bare node:http',
  express: 'Express 5, no logic',
  silent: 'petstore-sandbox --log silent',
  logging: 'petstore-sandbox',
}

/** A second of load. */
interface Slice {
  readonly perSecond: number
  /** Responses for a second of the server's own processor time; `NaN` where the system doesn't tell it. */
  readonly perCpuSecond: number
  /** Milliseconds in which 99 of 100 requests were answered. */
  readonly p99: number
}

type Slices = Readonly<Record<ContestantName, Slice[]>>

/** Throughput and slowest responses of the server against a bare server with the same bytes, and a bare Express app. */
export const http: Benchmark = {
  name: 'http',
  round: 'a second of load on each server',
  rounds: 5,
  async run({ rounds, node }): Promise<Report> {
    const folder = mkdtempSync(join(tmpdir(), 'petstore-sandbox-bench-'))
    const servers: [ContestantName, ServerProcess][] = []
    try {
      const { commands, pets } = await recordContestants(folder)
      for (const name of Object.keys(titles) as ContestantName[]) {
        servers.push([name, await startProcess({ ...commands[name], node })])
      }
      for (const [name, { port }] of servers) {
        const { body } = await send(port, listPets)
        if (isDeepStrictEqual(JSON.parse(body), pets)) continue
        throw new Error(
          `Cannot compare ${titles[name]}: it lists other pets: ${body.slice(0, 200)}`,
        )
      }
      const results: { readonly operation: Operation; readonly slices: Slices }[] = []
      for (const operation of operations) {
        results.push({ operation, slices: await race(servers, operation, rounds) })
      }
      return {
        title: `http: ${rounds} rounds, ${connections} connections, on ${node}`,
        table: [
          [
            'server',
            ...operations.flatMap(({ name }) => [`${name}/s`, 'of bare', 'cpu', 'p99 ms']),
          ],
          ...servers.map(([name]) => [
            titles[name],
            ...results.flatMap(({ slices }) => cells(slices[name], slices.bare)),
          ]),
        ],
        targets: results.flatMap(({ operation, slices }) => targetsOf(operation, slices)),
      }
    } finally {
      for (const [, server] of servers) await server.stop()
      rmSync(folder, { recursive: true })
    }
  },
}

/** Loads the servers in turn, round after round; the round before the first only warms up. */
async function race(
  servers: readonly (readonly [ContestantName, ServerProcess])[],
  operation: Operation,
  rounds: number,
): Promise<Slices> {
  const slices: Slices = { bare: [], express: [], silent: [], logging: [] }
  for (let round = 0; round <= rounds; round++) {
    for (const [name, server] of servers) {
      if (name === 'silent' || name === 'logging') await reset(server)
      const slice = await load(server, operation)
      if (round > 0) slices[name].push(slice)
    }
  }
  return slices
}

async function load(server: ServerProcess, { request, status }: Operation): Promise<Slice> {
  const latencies: number[] = []
  const cpuBeforeMs = server.cpuMs()
  const { replies, seconds } = await applyLoad({
    port: server.port,
    connections,
    next: repeat({ bytes: requestBytes(request), status }, sliceMs),
    onReply: (ms) => latencies.push(ms),
  })
  return {
    perSecond: replies / seconds,
    perCpuSecond: (replies / (server.cpuMs() - cpuBeforeMs)) * 1000,
    p99: percentile(latencies, 0.99),
  }
}

/** Removes the pets of the rounds before: a full sandbox rejects new ones, which costs less than adding them. */
async function reset({ port }: ServerProcess): Promise<void> {
  const { status } = await fetch(`http://127.0.0.1:${port}/_sandbox/reset`, { method: 'POST' })
  if (status !== 204) throw new Error(`Cannot go on: found status ${status} of a reset, not 204`)
}

function of(slices: readonly Slice[], what: keyof Slice): number[] {
  return slices.map((slice) => slice[what])
}

function cells(own: readonly Slice[], bare: readonly Slice[]): string[] {
  return [
    median(of(own, 'perSecond')).toFixed(0),
    medianRatio(of(own, 'perSecond'), of(bare, 'perSecond')).toFixed(2),
    medianRatio(of(own, 'perCpuSecond'), of(bare, 'perCpuSecond')).toFixed(2),
    median(of(own, 'p99')).toFixed(2),
  ]
}

function targetsOf(
  { name, minOfBare, minOfExpress }: Operation,
  { bare, express, silent, logging }: Slices,
): Report['targets'] {
  const cpu = (own: readonly Slice[], other: readonly Slice[]): number =>
    medianRatio(of(own, 'perCpuSecond'), of(other, 'perCpuSecond'))
  const atLeast = (what: string, value: number, limit: number) =>
    ({ name: `${name} ${what}`, value, bound: 'at least', limit }) as const
  return [
    atLeast('of bare node:http', cpu(silent, bare), minOfBare),
    atLeast('of bare Express', cpu(silent, express), minOfExpress),
    atLeast('with the default log, of --log silent', cpu(logging, silent), 0.8),
    {
      name: `${name}: p99, of bare node:http`,
      value: medianRatio(of(silent, 'p99'), of(bare, 'p99')),
      bound: 'at most',
      limit: 10,
    },
  ]
}
