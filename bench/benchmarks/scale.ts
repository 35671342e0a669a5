import type { Sandbox } from '../../src/index.ts'
import { type ApiRequest, loadBuilt, statusFrom } from '../built-sandbox.ts'
import type { Report } from '../report.ts'
import { median, medianRatio } from '../statistics.ts'
import type { Benchmark, BenchOptions } from './benchmark.ts'

const few = 10
const many = 100_000
const most = 1.5
/** Requests in a row before the other sandbox has its turn. */
const batch = 250
/** The same number of digits at either size. */
const firstId = 1_000_000

const headers = { authorization: 'Bearer enterprise-key', 'content-type': 'application/json' }

/** What is measured: the requests of a batch, in a store of so many pets. Replies are as long at either size. */
const cases: Readonly<Record<string, (size: number) => ApiRequest[]>> = {
  'list a page': () => repeat({ method: 'GET', url: `/v1/pets?limit=${few}`, headers, body: '' }),
  'filter a rare status': () =>
    repeat({ method: 'GET', url: '/v1/pets?status=sold', headers, body: '' }),
  'get by id': (size) =>
    Array.from({ length: batch }, (_, index) => {
      const id = firstId + Math.floor((index * size) / batch)
      return { method: 'GET', url: `/v1/pets/${id}`, headers, body: '' }
    }),
  create: () =>
    repeat({ method: 'POST', url: '/v1/pets', headers, body: '{"name":"Rex","categoryId":1}' }),
}

/** Cost of each operation in process with many pets, against the same with few. */
export const scale: Benchmark = {
  name: 'scale',
  round: `${batch} requests twice at either size`,
  rounds: 60,
  async run({ rounds }: BenchOptions): Promise<Report> {
    const { createSandbox } = await loadBuilt()
    const small = createSandbox({ seed: { pets: pets(few) }, rateLimit: 'reported' })
    const large = createSandbox({ seed: { pets: pets(many) }, rateLimit: 'reported' })
    const results = []
    for (const [name, requestsAt] of Object.entries(cases)) {
      results.push({ name, ...(await compare(small, large, requestsAt, rounds)) })
    }
    return {
      title: `scale: ${rounds} rounds in process`,
      table: [
        ['operation', `µs at ${few}`, `µs at ${many}`, 'ratio'],
        ...results.map(({ name, smallUs, largeUs, ratio }) => [
          name,
          smallUs.toFixed(2),
          largeUs.toFixed(2),
          ratio.toFixed(2),
        ]),
      ],
      targets: results.map(({ name, ratio }) => ({
        name: `${name}, many of few`,
        value: ratio,
        bound: 'at most',
        limit: most,
      })),
    }
  },
}

interface Comparison {
  /** Microseconds for one request. */
  readonly smallUs: number
  readonly largeUs: number
  readonly ratio: number
}

/** Takes the sizes in the order few, many, many, few, so that a drift falls on both. */
async function compare(
  small: Sandbox,
  large: Sandbox,
  requestsAt: (size: number) => ApiRequest[],
  rounds: number,
): Promise<Comparison> {
  const smallRequests = requestsAt(few)
  const largeRequests = requestsAt(many)
  const smallUs: number[] = []
  const largeUs: number[] = []
  const timeSmall = async (): Promise<number> => {
    const us = await microseconds(small, smallRequests)
    // What was created would make it grow.
    small.reset()
    return us
  }
  const warmUpRounds = 10
  for (let round = -warmUpRounds; round < rounds; round++) {
    const first = await timeSmall()
    const second = await microseconds(large, largeRequests)
    const third = await microseconds(large, largeRequests)
    const fourth = await timeSmall()
    if (round < 0) continue
    smallUs.push((first + fourth) / 2)
    largeUs.push((second + third) / 2)
  }
  return {
    smallUs: median(smallUs),
    largeUs: median(largeUs),
    ratio: medianRatio(largeUs, smallUs),
  }
}

async function microseconds(sandbox: Sandbox, requests: readonly ApiRequest[]): Promise<number> {
  const beginAt = performance.now()
  for (const request of requests) {
    const status = await statusFrom(sandbox, request)
    if (status >= 300) throw new Error(`Cannot go on: found status ${status} of ${request.url}`)
  }
  return ((performance.now() - beginAt) * 1000) / requests.length
}

function repeat(request: ApiRequest): ApiRequest[] {
  return Array.from({ length: batch }, () => request)
}

/** Makes pets of which one is sold, the last. */
function pets(
  count: number,
): { id: number; name: string; categoryId: number; status: 'available' | 'sold' }[] {
  return Array.from({ length: count }, (_, index) => ({
    id: firstId + index,
    name: 'Rex',
    categoryId: 1,
    status: index === count - 1 ? 'sold' : 'available',
  }))
}
