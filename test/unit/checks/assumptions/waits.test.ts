import { describe, expect, it } from 'vitest'
import { waitsOf } from '../../../../src/checks/assumptions/observation.ts'
import type { Sandbox } from '../../../../src/sandbox/sandbox.ts'
import { frozenSandbox } from '../../../kit/frozen-sandbox.ts'
import { send } from '../../../kit/send.ts'

function waitsIn({ requests, clock }: Sandbox) {
  return waitsOf(requests.list(), clock.now())
}

describe('waitsOf()', () => {
  it('knows the wait that is not over, and of which its client keeps to', async () => {
    const sandbox = frozenSandbox()
    sandbox.keys.update('free-key', { ban: '90s' })
    await send(sandbox)
    expect(waitsIn(sandbox)).toEqual({ longestMs: 90_000, openMs: 90_000, areKept: true })
    sandbox.clock.advance('89s')
    expect(waitsIn(sandbox).openMs).toBe(90_000)
    sandbox.clock.advance('1s')
    expect(waitsIn(sandbox)).toEqual({ longestMs: 90_000, openMs: 0, areKept: true })
    await send(sandbox)
    expect(waitsIn(sandbox)).toEqual({ longestMs: 90_000, openMs: 0, areKept: true })
  })

  it('tells who comes back too early from who sends something else, or sent it at the same time', async () => {
    const sandbox = frozenSandbox()
    sandbox.keys.update('free-key', { ban: '1h' })
    await Promise.all([send(sandbox), send(sandbox)])
    sandbox.clock.advance('1s')
    await send(sandbox, { url: '/v1/pets/1' })
    expect(waitsIn(sandbox).areKept).toBe(true)
    sandbox.clock.advance('1s')
    await send(sandbox, { url: '/v1/pets/1' })
    expect(waitsIn(sandbox).areKept).toBe(false)
  })

  it('knows of no wait where nothing was rejected', async () => {
    const sandbox = frozenSandbox()
    await send(sandbox)
    await send(sandbox, { url: '/v1/pets/999' })
    expect(waitsIn(sandbox)).toEqual({ longestMs: 0, openMs: 0, areKept: true })
  })
})
