import { setupServer } from 'msw/node'
import type { Sandbox } from '../../src/index.ts'
import { type ApiRequest, loadBuilt, statusFrom } from '../built-sandbox.ts'
import type { Report } from '../report.ts'
import { median, medianRatio } from '../statistics.ts'
import type { Benchmark, BenchOptions } from './benchmark.ts'

const mostRatio = 1.03
const mostUs = 1
const tests = 100
const requests = 2_000
const address = 'http://api.test/v1'
const headers = { authorization: 'Bearer enterprise-key', 'content-type': 'application/json' }
const pet = '{"name":"Rex","categoryId":1}'

/** What a test of the suite asks, as a client's test would. */
const asked: readonly (readonly [path: string, body?: string])[] = [
  ['/pets?limit=5'],
  ['/pets', pet],
  ['/pets/31'],
  ['/pets/999'],
  ['/pets?status=sold'],
]

/** Whether clients are judged, and what they face is counted. */
type Watch = 'off' | 'on'

/** What the audit and coverage cost a suite through MSW, and what they cost a request. */
export const audit: Benchmark = {
  name: 'audit',
  round: `${tests} tests through MSW, and ${requests} requests, without and with audit and coverage`,
  rounds: 20,
  async run({ rounds }: BenchOptions): Promise<Report> {
    const { createSandbox } = await loadBuilt()
    const { createHandlers } = await loadHandlers()
    const make = (watch: Watch): Sandbox =>
      createSandbox({ rateLimit: 'reported', coverage: watch === 'on' })
    const server = setupServer()
    server.listen({ onUnhandledFrame: 'error' })
    const suite = async (watch: Watch): Promise<number> => {
      const before = process.cpuUsage()
      for (let test = 0; test < tests; test++) {
        const sandbox = make(watch)
        if (watch === 'on') await sandbox.audit()
        server.resetHandlers(...createHandlers(sandbox, { baseUrl: address }))
        for (const [path, body] of asked) await ask(path, body)
        if (watch === 'on') await sandbox.audit()
      }
      return cpuUs(before) / tests
    }
    const request = async (watch: Watch): Promise<number> => {
      const sandbox = make(watch)
      if (watch === 'on') await sandbox.audit()
      const before = process.cpuUsage()
      for (let sent = 0; sent < requests; sent++) await statusFrom(sandbox, directly(sent))
      return cpuUs(before) / requests
    }
    const ofSuite = await inTurns(suite, rounds)
    const ofRequest = await inTurns(request, rounds)
    server.close()
    const addedUs = median(ofRequest.on.map((us, round) => us - (ofRequest.off[round] ?? us)))
    const ratio = medianRatio(ofSuite.on, ofSuite.off)
    return {
      title: `audit: ${rounds} rounds of ${tests} tests and of ${requests} requests`,
      table: [
        ['what', 'off, µs of cpu', 'on, µs of cpu'],
        ['a test of five fetches through MSW', text(ofSuite.off), text(ofSuite.on)],
        ['a request in process', text(ofRequest.off), text(ofRequest.on)],
      ],
      targets: [
        {
          name: 'a suite with audit and coverage',
          value: ratio,
          bound: 'at most',
          limit: mostRatio,
        },
        { name: 'microseconds for a request', value: addedUs, bound: 'at most', limit: mostUs },
      ],
    }
  },
}

async function loadHandlers(): Promise<typeof import('../../src/adapters/msw.ts')> {
  return await import(new URL('../../dist/msw.js', import.meta.url).href)
}

async function ask(path: string, body: string | undefined): Promise<void> {
  const init = body === undefined ? { headers } : { method: 'POST', headers, body }
  await (await fetch(`${address}${path}`, init)).text()
}

/** The processor time since then, which holds when other programs want the processors too. */
function cpuUs(before: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(before)
  return user + system
}

/** A request as a door makes it, of headers of its own. */
function directly(sent: number): ApiRequest {
  const [path, body = ''] = asked[sent % asked.length] ?? ['/pets']
  const method = body === '' ? 'GET' : 'POST'
  return { method, url: `/v1${path}`, headers: { ...headers }, body }
}

/** Times both in turns, the first of them each the first in every other round; the first five rounds warm up. */
async function inTurns(
  time: (watch: Watch) => Promise<number>,
  rounds: number,
): Promise<Readonly<Record<Watch, readonly number[]>>> {
  const times: Record<Watch, number[]> = { off: [], on: [] }
  for (let round = -5; round < rounds; round++) {
    const order: readonly Watch[] = round % 2 === 0 ? ['off', 'on'] : ['on', 'off']
    for (const watch of order) {
      const us = await time(watch)
      if (round >= 0) times[watch].push(us)
    }
  }
  return times
}

function text(values: readonly number[]): string {
  return median(values).toFixed(2)
}
