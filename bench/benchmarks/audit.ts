import { type ApiRequest, loadBuilt, statusFrom } from '../built-sandbox.ts'
import type { Report } from '../report.ts'
import { median, medianDifference } from '../statistics.ts'
import type { Benchmark, BenchOptions } from './benchmark.ts'

const maxUs = 20
const requests = 2_000
/** So many rounds of requests come before the first, until the code of both ways is compiled. */
const warmUps = 25
const headers = { authorization: 'Bearer enterprise-key', 'content-type': 'application/json' }
const pet = '{"name":"Rex","categoryId":1}'

const asked: readonly (readonly [path: string, body?: string])[] = [
  ['/pets?limit=5'],
  ['/pets', pet],
  ['/pets/31'],
  ['/pets/999'],
  ['/pets?status=sold'],
]

/** Whether clients are judged, their coverage is recorded, or both. */
const watches = ['off', 'audit', 'coverage', 'both'] as const

type Watch = (typeof watches)[number]

/** What the audit and coverage cost a request. */
export const audit: Benchmark = {
  name: 'audit',
  round: `${8 * 4 * requests} requests in process, with and without audit and coverage`,
  rounds: 5,
  async run({ rounds }: BenchOptions): Promise<Report> {
    const ofRequest = await timeRequests(8 * rounds)
    const added = (watch: Watch): number => medianDifference(ofRequest[watch], ofRequest.off)
    return {
      title: `audit: ${8 * rounds} rounds of ${requests} requests each way`,
      table: [
        ['µs of processor time', 'median', 'least', 'added'],
        ...watches.map((watch) => [
          watch === 'off' ? 'a request in process, off' : `with ${watch}`,
          ...shown(ofRequest[watch]),
          watch === 'off' ? '' : text(added(watch)),
        ]),
      ],
      targets: [
        {
          name: 'microseconds for a request',
          value: added('both'),
          bound: 'at most',
          limit: maxUs,
        },
      ],
    }
  },
}

/** Times requests each way in turns, in another order in every other round; what was found is asked for at the end. */
async function timeRequests(rounds: number): Promise<Readonly<Record<Watch, readonly number[]>>> {
  const { createSandbox } = await loadBuilt()
  const time = async (watch: Watch): Promise<number> => {
    const coverage = watch === 'coverage' || watch === 'both'
    const sandbox = createSandbox({ rateLimits: 'report-only', coverage })
    const isJudged = watch === 'audit' || watch === 'both'
    if (isJudged) await sandbox.findings()
    const before = process.cpuUsage()
    for (let sent = 0; sent < requests; sent++) await statusFrom(sandbox, directly(sent))
    if (isJudged) await sandbox.findings()
    const { user, system } = process.cpuUsage(before)
    return (user + system) / requests
  }
  const times: Record<Watch, number[]> = { off: [], audit: [], coverage: [], both: [] }
  for (let round = -warmUps; round < rounds; round++) {
    const order = round % 2 === 0 ? watches : watches.toReversed()
    for (const watch of order) {
      const us = await time(watch)
      if (round >= 0) times[watch].push(us)
    }
  }
  return times
}

/** A request as a door makes it, of headers of its own. */
function directly(sent: number): ApiRequest {
  const [path, body = ''] = asked[sent % asked.length] ?? ['/pets']
  const method = body === '' ? 'GET' : 'POST'
  return { method, url: `/v1${path}`, headers: { ...headers }, body }
}

function shown(values: readonly number[]): string[] {
  return [text(median(values)), text(Math.min(...values))]
}

function text(value: number): string {
  return value.toFixed(2)
}
