import { Agent } from 'node:http'
import fc from 'fast-check'
import { describe, expect, inject, it, onTestFinished } from 'vitest'
import { startServer } from '../../../../src/server/start-server.ts'
import { httpAdapters, playSteadily, sendOverHttp, settled } from '../../../kit/client-adapters.ts'
import { frozenSandbox } from '../../../kit/frozen-sandbox.ts'
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

it('is warned of a retry over a connection that its tests have opened for control calls', async () => {
  const sandbox = frozenSandbox()
  await sandbox.findings()
  const server = await startServer({ sandbox, port: 0 })
  const agents = [1, 2].map(() => new Agent({ keepAlive: true, maxSockets: 1 }))
  onTestFinished(() => {
    for (const agent of agents) agent.destroy()
    return server.close()
  })
  const sends = agents.map((agent) => sendOverHttp(server.port, agent))
  const get = { method: 'GET', headers: { authorization: 'Bearer free-key' }, body: '' }
  for (const send of sends) await send({ ...get, url: '/_sandbox/clock' })
  sandbox.keys.setRemaining('free-key', { minute: 0 })
  for (const send of sends) {
    expect(await send({ ...get, url: '/v1/pets' })).toMatchObject({ status: 429 })
    await new Promise(setImmediate)
  }
  const findings = await sandbox.findings()
  expect(findings.map(({ severity, rule }) => `${severity} ${rule}`)).toContain(
    'warning retry-too-early',
  )
})
