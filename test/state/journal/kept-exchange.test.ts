import { describe, expect, it } from 'vitest'
import type { Outcome } from '../../../src/contract/message.ts'
import { faultRule } from '../../../src/faults/fault-rules.ts'
import type { Exchange } from '../../../src/state/journal/exchange.ts'
import { KeptExchange } from '../../../src/state/journal/kept-exchange.ts'
import { frozenSandbox } from '../../kit/frozen-sandbox.ts'
import { send } from '../../kit/send.ts'

/** What a journal keeps of an outcome, beside the body that {@link Journal} is tried with. */
function keptOf(outcome: Outcome): unknown {
  const request = { method: 'GET', url: '/v1/pets', headers: {}, body: '' }
  const exchange = { request, outcome, token: '', strikes: [] } as unknown as Exchange
  const { exchange: kept } = new KeptExchange(1, '', exchange, { dropOldest() {} })
  return 'isSpent' in kept ? kept.outcome : undefined
}

/** Makes the outcome of a fault that breaks a reply. */
function brokenBy(settings: object): Outcome {
  const { action } = faultRule.read(settings)
  if (action.step !== 'spoil') throw new Error('Cannot break the reply: the fault leaves it whole')
  const time = { now: () => 0, wait: () => new Promise<void>(() => {}) }
  const reply = { kind: 'reply', status: 200, headers: {}, body: '[1]' } as const
  return action.spoil(reply, time, undefined)
}

describe('KeptExchange', () => {
  it.each([{ fault: 'slow-body', ms: '1h' }, { fault: 'truncated-body' }])(
    'keeps no pieces of $fault that nobody has asked for',
    async (settings) => {
      const outcome = brokenBy(settings)
      const kept = keptOf(outcome)
      expect(kept).toMatchObject({ kind: 'broken-reply', status: 200, body: '[1]' })
      expect(Object(kept).pieces).not.toBe(Object(outcome).pieces)
    },
  )

  it('keeps no end that nobody waits for', async () => {
    const kept = keptOf(brokenBy({ fault: 'timeout' }))
    if (!(kept instanceof Object) || !('ended' in kept)) throw new Error('Cannot find the end')
    await expect(kept.ended).resolves.toBeUndefined()
  })

  it('takes two bytes for each character that says why a restored entry was answered so, and of its key', async () => {
    const sandbox = frozenSandbox()
    await send(sandbox)
    const entry = sandbox.journal.get(1)
    const bytesOf = (changed: object): number =>
      new KeptExchange(1, undefined, { ...entry, ...changed }, { dropOldest() {} }).bytes
    const key = entry.key ?? ''
    expect(bytesOf({ why: `${entry.why}, and more` }) - bytesOf({})).toBe(20)
    expect(bytesOf({ key: `${key}, and more` }) - bytesOf({ key })).toBe(20)
  })

  it('keeps a whole reply as it is', () => {
    const reply = { kind: 'reply', status: 200, headers: {}, body: '[]' } as const
    expect(keptOf(reply)).toBe(reply)
  })
})
