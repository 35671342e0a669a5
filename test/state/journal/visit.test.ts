import { describe, expect, it } from 'vitest'
import type { Outcome } from '../../../src/contract/message.ts'
import { KeptVisit, Sequence } from '../../../src/state/exchange.ts'

const reply: Outcome = { kind: 'reply', status: 200, headers: {}, body: '[]' }
const pieces = { async *[Symbol.asyncIterator]() {} }
const whole: Outcome = { ...reply, kind: 'broken-reply', pieces, end: 'whole' }
const broken: Outcome = { ...reply, kind: 'broken-reply', pieces, end: 'close' }

const gone = AbortSignal.abort('the client left')

describe('KeptVisit', () => {
  it.each<{
    outcome: Outcome
    owner?: AbortSignal
    settled: string | undefined
    ended: string
    left: string
  }>([
    { outcome: reply, settled: 'delivered', ended: 'delivered', left: 'left' },
    { outcome: whole, settled: undefined, ended: 'delivered', left: 'left' },
    { outcome: broken, settled: undefined, ended: 'broken', left: 'left' },
    { outcome: { kind: 'disconnect' }, settled: undefined, ended: 'broken', left: 'left' },
  ])('of a $outcome.kind is $settled, then $ended or $left', (row) => {
    for (const [does, delivery] of [
      ['end', row.ended],
      ['leave', row.left],
    ] as const) {
      const visit = new KeptVisit('process', 1, new Sequence())
      visit.settle(row.outcome, new AbortController().signal)
      expect(visit.delivery).toBe(row.settled)
      visit[does]()
      expect(visit.delivery).toBe(delivery)
      visit.settle(reply, undefined)
      visit.end()
      expect(visit.delivery).toBe(delivery)
    }
  })

  it.each([reply, whole, { kind: 'disconnect' } as const])(
    'has left where its client has, whatever comes of it: $kind',
    (outcome) => {
      const visit = new KeptVisit('fetch', undefined, new Sequence())
      visit.settle(outcome, gone)
      visit.end()
      expect(visit.delivery).toBe('left')
    },
  )

  it('notes when its answer ended, once', async () => {
    const sequence = new Sequence()
    const visit = new KeptVisit('direct', undefined, sequence)
    expect(visit).toMatchObject({ startOrder: 1, answerOrder: undefined, answered: undefined })
    visit.settle(reply, undefined)
    const { answered, answeredAt } = visit
    expect(answered).toBeGreaterThanOrEqual(visit.received)
    expect(answeredAt).toBeGreaterThanOrEqual(visit.receivedAt)
    visit.end()
    expect(visit).toMatchObject({ answerOrder: 2, answered, answeredAt })
    expect(sequence.last).toBe(2)
  })

  it('knows in which turn of the event loop it was', async () => {
    const sequence = new Sequence()
    const turns = async () => {
      const visit = new KeptVisit('process', undefined, sequence)
      await new Promise((resolve) => {
        setImmediate(resolve)
      })
      visit.settle(reply, undefined)
      return [visit.receivedTurn, visit.answeredTurn]
    }
    expect(await turns()).toEqual([0, 1])
    expect(await turns()).toEqual([1, 2])
  })
})
