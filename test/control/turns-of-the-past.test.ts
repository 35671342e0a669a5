import { describe, expect, it, onTestFinished, vi } from 'vitest'
import type { Sandbox } from '../../src/sandbox.ts'
import { frozenSandbox } from '../kit/frozen-sandbox.ts'
import { requestOf } from '../kit/send.ts'

/** As if each look at the clock came ten milliseconds after the one before. */
vi.mock('../../src/state/clock/real-time.ts', async (load) => {
  let now = 0
  return { ...(await load<object>()), realNow: () => (now += 10) }
})

/** Counts the turns of the event loop while something is done. */
async function turnsDuring(act: () => Promise<unknown>): Promise<number> {
  let turns = 0
  let next = setImmediate(function count() {
    turns++
    next = setImmediate(count)
  })
  onTestFinished(() => clearImmediate(next))
  await act()
  clearImmediate(next)
  return turns
}

async function sandboxWith(requests: number): Promise<Sandbox> {
  const sandbox = frozenSandbox({ rateLimit: 'reported' })
  for (let sent = 0; sent < requests; sent++) await sandbox.handle(requestOf({ url: '/v1/pets/1' }))
  return sandbox
}

describe('what looks at the past', () => {
  it('lets others have their turn while the past is judged, and judges what comes meanwhile', async () => {
    const sandbox = await sandboxWith(400)
    let findings: unknown[] = []
    const turns = await turnsDuring(async () => {
      const audit = sandbox.audit()
      await new Promise((resolve) => setImmediate(resolve))
      await sandbox.handle(requestOf({ url: '/v1/pets?key=pro-key' }))
      findings = await audit
    })
    expect(turns).toBeGreaterThan(400 / 8)
    expect(findings).toContainEqual(
      expect.objectContaining({ rule: 'key-in-url', exchanges: [401] }),
    )
    expect(sandbox.judgementSoFar()?.judged).toBe(401)
  })

  it('lets others have their turn at each step of a capture: for its keys, its texts, and to replay it', async () => {
    const sandbox = await sandboxWith(100)
    expect(await turnsDuring(() => sandbox.capture())).toBeGreaterThan(250)
  })
})
