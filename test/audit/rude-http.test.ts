import { Agent } from 'node:http'
import fc from 'fast-check'
import { describe, it, onTestFinished } from 'vitest'
import { sendOverHttp, settled, watchStalls } from '../kit/client-doors.ts'
import { httpDoors } from '../kit/http-doors.ts'
import { anyCircumstances, expectJustDeserts, rudenesses, rudeSandbox } from '../kit/rudenesses.ts'

describe('a client that breaks one manner over HTTP', () => {
  it.each(Object.entries(httpDoors))('gets just what it has earned: %s', async (_, serve) => {
    const seed = Date.now() % 2 ** 31
    const stalls = watchStalls()
    onTestFinished(() => stalls.end())
    // All at the same time: what they do most is wait.
    const plays = rudenesses.map(async (rudeness, index) => {
      const [circumstances] = fc.sample(anyCircumstances, { numRuns: 1, seed: seed + index })
      if (circumstances === undefined) throw new TypeError('Cannot play: there is no sample')
      const sandbox = await rudeSandbox(rudeness, circumstances)
      const served = await serve(sandbox)
      const agent = new Agent({ keepAlive: true, maxSockets: 1 })
      const stage = { sandbox, send: sendOverHttp(served.port, agent), rest: settled }
      const context = { does: rudeness.does, seed, circumstances }
      const judged = expectJustDeserts(rudeness, circumstances, stage, context)
      await judged.finally(() => {
        agent.destroy()
        return served.close()
      })
    })
    await Promise.all(plays)
  })
})
