import { describe, expect, it } from 'vitest'
import { SandboxPool } from '../../../../src/sandbox-pool.ts'
import { Callers } from '../../../../src/state/journal/facts/callers.ts'
import { SharedBytes } from '../../../../src/state/memory/shared-bytes.ts'
import { send } from '../../../kit/send.ts'

describe('Callers', () => {
  it('share bytes with those of other sandboxes; the one that came first goes first', () => {
    const shared = new SharedBytes(1_000)
    const [one, other] = [new Callers(), new Callers()]
    for (const callers of [one, other]) callers.join(shared)
    const token = (letter: string): string => letter.repeat(100)
    expect([one.numberOf(token('a')), other.numberOf(token('a'))]).toEqual([1, 1])
    expect([one.numberOf(token('b')), one.numberOf(token('a'))]).toEqual([2, 3])
    expect([one.numberOf(token('b')), other.numberOf(token('a'))]).toEqual([2, 2])
    expect(shared.used).toBeLessThanOrEqual(1_000)
  })

  it('take 160 bytes each, and two for each character', () => {
    const shared = new SharedBytes(10_000)
    const callers = new Callers()
    callers.numberOf('before')
    callers.join(shared)
    callers.numberOf('')
    callers.numberOf('before')
    expect(shared.used).toBe(2 * 160 + 2 * 6)
  })

  it('take no bytes once their sandbox is deleted', async () => {
    const pool = new SandboxPool()
    const { sandbox, name } = pool.create()
    await send(sandbox, { key: 'stranger' })
    const { used } = pool.memory.callers
    expect(used).toBeGreaterThan(0)
    pool.delete(name)
    expect(pool.memory.callers.used).toBe(0)
  })

  it('keep their numbers and bytes over a reset', async () => {
    const pool = new SandboxPool()
    const { sandbox } = pool.create()
    await send(sandbox, { key: 'stranger' })
    const { used } = pool.memory.callers
    sandbox.reset()
    await send(sandbox, { key: 'stranger' })
    expect(pool.memory.callers.used).toBe(used)
    expect(sandbox.journal.last()?.caller).toBe(1)
  })
})
