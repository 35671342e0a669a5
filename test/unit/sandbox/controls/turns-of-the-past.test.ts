import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { Auditor } from '../../../../src/checks/audit/auditor.ts'
import type { Sandbox } from '../../../../src/sandbox/sandbox.ts'
import { frozenSandbox } from '../../../kit/frozen-sandbox.ts'
import { requestOf } from '../../../kit/send.ts'

async function sandboxWith(requests: number): Promise<Sandbox> {
  const sandbox = frozenSandbox({ rateLimits: 'report-only' })
  for (let sent = 0; sent < requests; sent++) {
    await sandbox.handle(requestOf({ url: '/v1/pets/1' }))
  }
  return sandbox
}

/** Makes each verdict take as long as that on a very large body. */
function judgeSlowly(): void {
  const { record } = Auditor.prototype
  const slow = vi.spyOn(Auditor.prototype, 'record').mockImplementation(function (
    this: Auditor,
    one,
  ) {
    const endsAt = performance.now() + 2
    while (performance.now() < endsAt);
    record.call(this, one)
  })
  onTestFinished(() => slow.mockRestore())
}

describe('what looks at the past', () => {
  it('lets others have their turn while the past is judged, and judges what comes meanwhile', async () => {
    const sandbox = await sandboxWith(80)
    judgeSlowly()
    let isOver = false
    const audit = sandbox.findings().finally(() => {
      isOver = true
    })
    let turns = 0
    while (!isOver) {
      await new Promise((resolve) => setImmediate(resolve))
      turns++
      if (turns === 2) await sandbox.handle(requestOf({ url: '/v1/pets?key=pro-key' }))
    }
    // After each eight of them.
    expect(turns).toBeGreaterThanOrEqual(10)
    const found = { rule: 'key-in-url', requests: [81] }
    expect(await audit).toContainEqual(expect.objectContaining(found))
    expect(sandbox.resultSoFar()?.requests).toBe(81)
  })
})
