import { describe, expect, it } from 'vitest'
import type { Outcome } from '../../../../src/mock/api/message.ts'
import type { FaultSettings } from '../../../../src/mock/faults/fault-rules.ts'
import type { Sandbox } from '../../../../src/sandbox/sandbox.ts'
import { frozenSandbox } from '../../../kit/frozen-sandbox.ts'
import { requestOf } from '../../../kit/send.ts'

/** Sends a request that a fault strikes, with a client that may leave. */
async function struck(fault: FaultSettings) {
  const sandbox = frozenSandbox()
  sandbox.faults.add(fault)
  const client = new AbortController()
  const json = '{"name":"Zoë","categoryId":1}'
  const outcome = await sandbox.handle(requestOf({ json }), client.signal)
  return { sandbox, client, outcome }
}

function piecesOf(outcome: Outcome): AsyncIterator<string> {
  if (outcome.kind !== 'broken-response') throw new Error('Cannot go on: there are no pieces')
  return outcome.pieces[Symbol.asyncIterator]()
}

async function readAll(outcome: Outcome): Promise<string> {
  const pieces = piecesOf(outcome)
  let text = ''
  for (let next = await pieces.next(); !next.done; next = await pieces.next()) text += next.value
  return text
}

const outcomeIn = (sandbox: Sandbox) => sandbox.requests.last()?.outcome

describe('the request log of a body in pieces', () => {
  it.each([
    { fault: { fault: 'truncated-body' }, end: 'close' },
    { fault: { fault: 'disconnect', when: 'body' }, end: 'reset' },
    { fault: { fault: 'slow-body', ms: 0 }, end: 'whole' },
  ] as const)('says that $fault ends it as $end, and how much was sent', async (row) => {
    const { sandbox, outcome } = await struck(row.fault)
    const { body } = outcome as { body: string }
    expect(outcomeIn(sandbox)).toMatchObject({ kind: 'broken-response', body, end: row.end })
    expect(outcomeIn(sandbox)).not.toHaveProperty('sentBytes')
    const sent = await readAll(outcome)
    const sentBytes = Buffer.byteLength(sent)
    expect(outcomeIn(sandbox)).toMatchObject({ body, end: row.end, sentBytes, bodyMs: 0 })
    expect(sentBytes === Buffer.byteLength(body)).toBe(row.end === 'whole')
  })

  it('says how long it took, beside how long its client waited for the beginning', async () => {
    const { sandbox, outcome } = await struck({ fault: 'slow-body', ms: '10s' })
    const whole = readAll(outcome)
    // Each piece is waited for only when the one before has been sent.
    let isRead = false
    void whole.then(() => {
      isRead = true
    })
    while (!isRead) {
      sandbox.clock.advance(500)
      await new Promise((resolve) => setImmediate(resolve))
    }
    const { durationMs, outcome: shown } = sandbox.requests.get(1)
    expect(durationMs).toBe(0)
    expect(shown).toHaveProperty('bodyMs')
    const { bodyMs = 0 } = shown as { bodyMs?: number }
    expect(bodyMs).toBeGreaterThanOrEqual(10_000)
    expect(bodyMs).toBeLessThan(20_000)
  })

  it('says what a client has got that leaves in the middle', async () => {
    const { sandbox, client, outcome } = await struck({ fault: 'slow-body', ms: '10s' })
    const pieces = piecesOf(outcome)
    const first = pieces.next()
    sandbox.clock.advance('1s')
    const { value } = await first
    const second = pieces.next()
    client.abort()
    expect(await second).toEqual({ done: true, value: undefined })
    const sentBytes = Buffer.byteLength(value)
    expect(outcomeIn(sandbox)).toMatchObject({ sentBytes, bodyMs: 1_000 })
  })

  it('does not count a piece that could not be sent', async () => {
    const { sandbox, outcome } = await struck({ fault: 'slow-body', ms: 0 })
    const pieces = piecesOf(outcome)
    await pieces.next()
    await pieces.return?.()
    expect(outcomeIn(sandbox)).toMatchObject({ sentBytes: 0 })
  })

  it('has no time below zero when the clock was set back meanwhile', async () => {
    const { sandbox, outcome } = await struck({ fault: 'truncated-body' })
    sandbox.clock.set('2020-01-01')
    await readAll(outcome)
    expect(outcomeIn(sandbox)).toMatchObject({ bodyMs: 0 })
  })

  it('is in a snapshot, and in a request log that goes on from it', async () => {
    const { sandbox, outcome } = await struck({ fault: 'truncated-body' })
    await readAll(outcome)
    const before = outcomeIn(sandbox)
    sandbox.restore(sandbox.snapshot())
    expect(outcomeIn(sandbox)).toEqual(before)
  })
})
