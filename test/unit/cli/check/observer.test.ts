import { describe, expect, it } from 'vitest'
import { observeRun } from '../../../../src/cli/check/observer.ts'
import { createSandbox } from '../../../../src/sandbox/sandbox.ts'
import { frozenSandbox } from '../../../kit/frozen-sandbox.ts'
import { requestOf } from '../../../kit/send.ts'

/** Sends the same request at some times on the sandbox's clock; the first ones get 503 with a wait of two seconds. */
async function earlyAt(times: readonly number[], rejected: number) {
  const sandbox = frozenSandbox()
  const resultOf = await observeRun(sandbox, { excepted: new Set() })
  if (rejected > 0) {
    sandbox.faults.add({ fault: 'status', status: 503, retryAfter: '2s', times: rejected })
  }
  let now = 0
  for (const at of times) {
    sandbox.clock.advance(at - now)
    now = at
    await sandbox.handle(requestOf({}))
  }
  const { sandboxes } = await resultOf({})
  return sandboxes.flatMap(({ early }) => [...early.values()].flat())
}

describe('observeRun()', () => {
  it.each([
    { what: 'a client that waits', times: [0, 2_000], rejected: 1, early: 0 },
    { what: 'a timer that fires a little early', times: [0, 1_950], rejected: 1, early: 0 },
    { what: 'a client that does not wait', times: [0, 30, 60], rejected: 2, early: 2 },
    // The second one is the first request of another client.
    { what: 'two clients that wait', times: [0, 1_500, 2_000, 3_500], rejected: 2, early: 1 },
    { what: 'a client that no response asks to wait', times: [0, 10, 20], rejected: 0, early: 0 },
  ])('counts $early early repetitions of $what', async ({ times, rejected, early }) => {
    expect(await earlyAt(times, rejected)).toHaveLength(early)
  })

  it('says how early a request came', async () => {
    expect(await earlyAt([0, 30], 1)).toMatchObject([
      { call: 'GET /v1/pets', status: 503, isBan: false, retryAfter: '2' },
    ])
  })

  // A client that hedges sends two at once when it has waited.
  it.each([
    { times: [0, 30], isKnowing: true },
    { times: [0, 2_000, 2_000], isKnowing: false },
    { times: [0, 2_000, 2_250], isKnowing: true },
  ])('says whether it was sent because of the rejection: $times', async ({ times, isKnowing }) => {
    expect(await earlyAt(times, 2)).toMatchObject([{ isKnowing }])
  })

  it('tells when a suite has reset the sandbox or frozen its clock', async () => {
    const sandbox = createSandbox()
    const told: string[] = []
    await observeRun(sandbox, {
      ...{ excepted: new Set(), onReset: () => told.push('reset') },
      onFreeze: () => told.push('frozen'),
    })
    sandbox.clock.setSpeed(2)
    sandbox.clock.freeze()
    sandbox.reset()
    await Promise.resolve()
    expect(told).toEqual(['frozen', 'reset'])
  })
})
