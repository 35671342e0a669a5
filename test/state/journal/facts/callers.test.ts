import { describe, expect, it } from 'vitest'
import { Callers } from '../../../../src/state/journal/facts/callers.ts'
import { frozenSandbox } from '../../../kit/frozen-sandbox.ts'
import { send } from '../../../kit/send.ts'

describe('Callers', () => {
  it('are 1,000; the one that came first is forgotten first', () => {
    const callers = new Callers()
    for (let number = 1; number <= 1_000; number++) callers.numberOf(`token-${number}`)
    expect([callers.numberOf('token-1'), callers.numberOf('one more')]).toEqual([1, 1_001])
    expect([callers.numberOf('token-2'), callers.numberOf('token-1')]).toEqual([2, 1_002])
  })

  it('keep their numbers over a reset', async () => {
    const sandbox = frozenSandbox()
    await send(sandbox, { key: 'unknown' })
    sandbox.reset()
    await send(sandbox, { key: 'unknown' })
    expect(sandbox.journal.last()?.caller).toBe(1)
  })
})
