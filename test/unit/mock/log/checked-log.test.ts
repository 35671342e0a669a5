import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { checkState } from '../../../../src/mock/state/state.ts'
import { SandboxPool } from '../../../../src/sandbox/sandbox-pool.ts'
import { draws } from '../../../kit/draws.ts'
import { requestOf } from '../../../kit/send.ts'
import { Sometimes } from '../../../kit/sometimes.ts'

const anyStep = fc.record({
  of: fc.nat(2),
  does: fc.constantFrom(
    'send',
    'send',
    'send',
    'large',
    'abort',
    'faulty',
    'clear',
    'reset',
    'restore',
    'pets',
  ),
})

describe('the logs of several sandboxes', () => {
  it('hold what they promise after each step, whatever is done to them', async () => {
    const sometimes = new Sometimes('a dropped request', 'a cut body', 'a reset', 'a restore')
    await fc.assert(
      fc.asyncProperty(fc.array(anyStep, { maxLength: 60, size: 'max' }), async (steps) => {
        const pool = new SandboxPool({ limits: { requestLogBytes: 100_000 } })
        const clock = { now: 0, mode: 'frozen' } as const
        const sandboxes = [3, 1_000, 0].map(
          (maxRequests) => pool.create({ maxRequests, clock, rateLimits: 'report-only' }).sandbox,
        )
        for (const { of, does } of steps) {
          const sandbox = sandboxes[of]
          if (sandbox === undefined) throw new RangeError('Cannot find the sandbox')
          const { arrivals } = sandbox
          const arrived = arrivals.arrive('server', 1)
          const json = JSON.stringify({
            name: 'x'.repeat(does === 'large' ? 20_000 : 9),
            categoryId: 1,
          })
          if (does === 'send' || does === 'large') {
            await sandbox.handle(requestOf({ json }), undefined, arrived)
          } else if (does === 'abort') {
            await sandbox.handle(requestOf({}), undefined, arrived)
            arrivals.abort(arrived)
          } else if (does === 'faulty') {
            sandbox.faults.add({ fault: 'truncated-body', times: 1 })
            await sandbox.handle(requestOf({}), undefined, arrived)
          } else if (does === 'clear') sandbox.requests.clear()
          else if (does === 'reset') sandbox.reset()
          else if (does === 'restore') sandbox.restore(sandbox.snapshot())
          else sandbox.pets.clear()
          arrivals.close(arrived)
          sometimes.meet({
            'a dropped request':
              sandbox.requests.list()[0]?.id !== 1 && sandbox.requests.position.id > 1,
            'a cut body': does === 'faulty',
            'a reset': does === 'reset',
            'a restore': does === 'restore',
          })
          for (const one of sandboxes) checkState(one.state())
          expect(pool.memory.used.requests).toBeLessThanOrEqual(100_000)
        }
        for (const name of pool.names()) pool.delete(name)
        expect(pool.memory.used).toEqual({ requests: 0, tokens: 0, names: 0 })
      }),
      { numRuns: draws(60) },
    )
    sometimes.expectAllMet()
  })
})
