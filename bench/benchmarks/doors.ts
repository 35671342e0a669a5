import { HttpResponse, http } from 'msw'
import { setupServer } from 'msw/node'
import { loadBuilt } from '../built-sandbox.ts'
import type { Report } from '../report.ts'
import { median, medianRatio } from '../statistics.ts'
import type { Benchmark, BenchOptions } from './benchmark.ts'

const most = 1.3
const mostMs = 1
const batch = 100
const address = 'http://api.test/v1/pets?limit=20'

/** What a `fetch` through MSW costs with the sandbox's handlers, against one handler that returns fixed JSON. */
export const doors: Benchmark = {
  name: 'doors',
  round: `${batch} fetches through either handler`,
  rounds: 40,
  async run({ rounds }: BenchOptions): Promise<Report> {
    const { createSandbox } = await loadBuilt()
    const { createHandlers } = await loadHandlers()
    const sandbox = createSandbox({ rateLimit: 'reported' })
    const server = setupServer()
    server.listen({ onUnhandledFrame: 'error' })
    const ours = createHandlers(sandbox, { baseUrl: 'http://api.test/v1' })
    server.use(...ours)
    const fixed: unknown = await (await fetchPets()).json()
    const trivial = [http.get('http://api.test/v1/pets', () => HttpResponse.json(fixed as []))]
    const [ourUs, trivialUs]: [number[], number[]] = [[], []]
    for (let round = -5; round < rounds; round++) {
      const first = await microseconds(server, trivial)
      const second = await microseconds(server, ours)
      if (round < 0) continue
      trivialUs.push(first)
      ourUs.push(second)
    }
    server.close()
    const ratio = medianRatio(ourUs, trivialUs)
    const makeMs = milliseconds(() => createSandbox())
    const resetMs = milliseconds(() => sandbox.reset())
    return {
      title: `doors: ${rounds} rounds of ${batch} fetches`,
      table: [
        ['what', 'µs'],
        ['a fixed reply through MSW', median(trivialUs).toFixed(1)],
        ['the sandbox through MSW', median(ourUs).toFixed(1)],
        ['createSandbox()', (makeMs * 1000).toFixed(1)],
        ['reset()', (resetMs * 1000).toFixed(1)],
      ],
      targets: [
        {
          name: 'the sandbox of a fixed reply, through MSW',
          value: ratio,
          bound: 'at most',
          limit: most,
        },
        { name: 'milliseconds for a new sandbox', value: makeMs, bound: 'at most', limit: mostMs },
        { name: 'milliseconds for a reset', value: resetMs, bound: 'at most', limit: mostMs },
      ],
    }
  },
}

async function loadHandlers(): Promise<typeof import('../../src/adapters/msw.ts')> {
  return await import(new URL('../../dist/msw.js', import.meta.url).href)
}

async function fetchPets(): Promise<Response> {
  return await fetch(address, { headers: { authorization: 'Bearer enterprise-key' } })
}

type Server = ReturnType<typeof setupServer>

async function microseconds(server: Server, handlers: Parameters<Server['use']>): Promise<number> {
  server.resetHandlers(...handlers)
  const beginAt = performance.now()
  for (let count = 0; count < batch; count++) await (await fetchPets()).text()
  return ((performance.now() - beginAt) * 1000) / batch
}

/** The median time of something that takes less than a timer can tell: of many, a hundred at a time. */
function milliseconds(run: () => void): number {
  const each = Array.from({ length: 30 }, () => {
    const beginAt = performance.now()
    for (let count = 0; count < 100; count++) run()
    return (performance.now() - beginAt) / 100
  })
  return median(each.slice(5))
}
