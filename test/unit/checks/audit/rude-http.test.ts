import { Agent } from 'node:http'
import fc from 'fast-check'
import { describe, inject, it } from 'vitest'
import { httpAdapters, playSteadily, sendOverHttp, settled } from '../../../kit/client-adapters.ts'
import {
  anyCircumstances,
  expectJustDeserts,
  rudenesses,
  rudeSandbox,
} from '../../../kit/rudenesses.ts'

const seed = inject('testSeed')

// All at the same time: what they do most is wait.
describe.concurrent('a client that breaks one manner over HTTP', { timeout: 300_000 }, () => {
  it.each(Object.entries(httpAdapters))('gets just what it has earned: %s', async (name, serve) => {
    // The audit sees connections, whatever serves them.
    const some = rudenesses.filter((_, index) => name === 'the process' || index % 4 === 0)
    await playSteadily(
      some.map((rudeness, index) => async (timed) => {
        const [circumstances] = fc.sample(anyCircumstances, { numRuns: 1, seed: seed + index })
        if (circumstances === undefined) throw new TypeError('Cannot play: there is no sample')
        const sandbox = await rudeSandbox(rudeness, circumstances)
        const served = await serve(sandbox)
        const agent = new Agent({ keepAlive: true, maxSockets: 1 })
        const send = timed(sendOverHttp(served.port, agent))
        const stage = { sandbox, send, rest: settled }
        const context = { does: rudeness.does, seed, circumstances }
        const checked = expectJustDeserts(rudeness, circumstances, stage, context)
        await checked.finally(() => {
          agent.destroy()
          return served.close()
        })
      }),
    )
  })
})
