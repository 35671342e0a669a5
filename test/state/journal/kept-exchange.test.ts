import { describe, expect, it } from 'vitest'
import type { Outcome } from '../../../src/contract/message.ts'
import { faultRule } from '../../../src/faults/fault-rules.ts'
import { TimedSpoiler } from '../../../src/faults/spoil.ts'
import type { Exchange } from '../../../src/state/journal/exchange.ts'
import { bytesOf, KeptExchange } from '../../../src/state/journal/kept-exchange.ts'
import { ReportedExchange } from '../../../src/state/journal/reported-exchange.ts'
import { frozenSandbox } from '../../kit/frozen-sandbox.ts'
import { requestOf, send } from '../../kit/send.ts'

/** What a journal keeps of an outcome, beside the body that {@link Journal} is tried with. */
function keptOf(outcome: Outcome): Outcome {
  const request = { method: 'GET', url: '/v1/pets', headers: {}, body: '' }
  const exchange = { request, outcome, token: '', strikes: [] } as unknown as Exchange
  return new ReportedExchange(exchange).kept().outcome
}

/** Makes the outcome of a fault that breaks a reply. */
function brokenBy(settings: object): Outcome {
  const { action } = faultRule.read(settings)
  if (action.step !== 'spoil') throw new Error('Cannot break the reply: the fault leaves it whole')
  const time = { now: () => 0, wait: () => new Promise<void>(() => {}) }
  const reply = { kind: 'reply', status: 200, headers: {}, body: '[1]' } as const
  return action.spoil(reply, new TimedSpoiler(time, undefined))
}

describe('ReportedExchange', () => {
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

  it('keeps a whole reply as it is', () => {
    const reply = { kind: 'reply', status: 200, headers: {}, body: '[]' } as const
    expect(keptOf(reply)).toBe(reply)
  })
})

describe('KeptExchange', () => {
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

  it.each([65_535, 65_536, 65_537, 65_538])(
    'says of a body of %i characters the same before and after a restore',
    async (length) => {
      const sandbox = frozenSandbox()
      await sandbox.handle(requestOf({ json: 'x'.repeat(length) }))
      const { request } = sandbox.journal.get(1)
      const isCut = length > 65_536
      expect(request.body).toBe(`${'x'.repeat(Math.min(length, 65_536))}${isCut ? '…' : ''}`)
      expect(request.bodyBytes).toBe(isCut ? length : undefined)
      sandbox.restore(sandbox.snapshot())
      expect(sandbox.journal.get(1).request).toEqual(request)
    },
  )

  it('believes a restored entry that says how large its body was, before it cuts it', async () => {
    const sandbox = frozenSandbox()
    await send(sandbox)
    const snapshot = JSON.parse(JSON.stringify(sandbox.snapshot()))
    const [entry] = snapshot.journal.list
    for (const message of [entry.request, entry.outcome]) {
      Object.assign(message, { body: 'x'.repeat(70_000), bodyBytes: 90_000 })
    }
    sandbox.restore(snapshot)
    const { request, outcome } = sandbox.journal.get(1)
    for (const message of [request, outcome]) {
      expect(message).toMatchObject({ body: `${'x'.repeat(65_536)}…`, bodyBytes: 90_000 })
    }
  })
})

describe('bytesOf()', () => {
  const request = { method: 'GET', url: '/v1/pets', headers: {}, body: '' }
  const reply = { kind: 'reply', status: 200, headers: {}, body: '' } as const

  it.each<{ what: string; changed: object; more: number }>([
    { what: 'the method', changed: { request: { ...request, method: 'OPTIONS' } }, more: 8 },
    { what: 'the URL', changed: { request: { ...request, url: '/v1/pets?a=b' } }, more: 8 },
    { what: 'a body', changed: { request: { ...request, body: 'x'.repeat(50) } }, more: 100 },
    {
      what: 'headers',
      changed: { request: { ...request, headers: { accept: 'text', te: '' } } },
      more: 2 * (16 + 6 + 4 + 16 + 2),
    },
    { what: 'a reply', changed: { outcome: { ...reply, body: '[1]' } }, more: 6 },
    {
      what: 'headers of a reply',
      changed: { outcome: { ...reply, headers: { date: 'now' } } },
      more: 2 * (16 + 4 + 3),
    },
    { what: 'faults', changed: { strikes: [{}, {}] }, more: 192 },
    { what: 'no reply', changed: { outcome: { kind: 'disconnect' } }, more: 0 },
  ])('counts $what', ({ changed, more }) => {
    const plain = { request, outcome: reply, strikes: [] } as unknown as Exchange
    expect(bytesOf(plain)).toBe(1_536 + 2 * (3 + 8))
    expect(bytesOf({ ...plain, ...changed }) - bytesOf(plain)).toBe(more)
  })

  it('counts the faults of a restored entry, too', async () => {
    const sandbox = frozenSandbox()
    await send(sandbox)
    const entry = sandbox.journal.get(1)
    expect(bytesOf({ ...entry, faults: [1, 2] }) - bytesOf(entry)).toBe(192)
  })
})
