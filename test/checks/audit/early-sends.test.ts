import { describe, expect, it } from 'vitest'
import { EarlySends } from '../../../src/checks/audit/early-sends.ts'

/** A request: when it was sent, and when its refusal allows the next try. */
type Sent = readonly [at: number, retryAt?: number]

function countOf(...sent: readonly Sent[]): number {
  const sends = new EarlySends()
  for (const [at, retryAt] of sent) sends.see(at, retryAt)
  return sends.most
}

describe('EarlySends', () => {
  it.each<{ what: string; sent: readonly Sent[]; most: number }>([
    { what: 'nothing', sent: [], most: 0 },
    { what: 'a retry in time', sent: [[0, 2_000], [2_000]], most: 1 },
    { what: 'a timer that fires early', sent: [[0, 2_000], [1_999]], most: 1 },
    { what: 'a retry too early', sent: [[0, 2_000], [1_998]], most: 2 },
    {
      what: 'a loop',
      sent: [
        [0, 2_000],
        [300, 2_000],
        [600, 2_000],
      ],
      most: 3,
    },
    {
      what: 'another test that knows nothing of the first',
      sent: [[0, 2_000], [1_000, 3_000], [2_000], [3_000]],
      most: 2,
    },
    { what: 'a request that is never refused', sent: [[0], [10], [20]], most: 3 },
    { what: 'a clock that is set back', sent: [[5_000, 9_000], [0]], most: 1 },
  ])('counts $what', ({ sent, most }) => {
    expect(countOf(...sent)).toBe(most)
  })

  it('allows a retry after each refusal before a reset', () => {
    const sends = new EarlySends()
    sends.see(0, 60_000)
    sends.allowAll()
    sends.see(100, undefined)
    expect(sends.most).toBe(1)
  })

  it('counts a bounded number of refusals', () => {
    const sends = new EarlySends()
    for (let sent = 0; sent < 6_000; sent++) sends.see(sent, 1_000_000)
    expect(sends.most).toBe(5_000)
  })
})
