import { describe, expect, it } from 'vitest'
import { eachInTurns, paceOf } from '../../../src/state/real-time.ts'

/** A clock that goes on by a millisecond with each look, and the turns that others had. */
function slowWork() {
  const turns: number[] = []
  let at = 0
  const now = (): number => at++
  const pace = paceOf(async () => void turns.push(at), now)
  return { turns, pace }
}

describe('paceOf()', () => {
  it('lets others have their turn once something has taken 8 ms, and then again', async () => {
    const { turns, pace } = slowWork()
    for (let step = 0; step < 20; step++) await pace()
    expect(turns).toEqual([9, 18])
  })

  it('waits for nothing before', () => {
    const { pace } = slowWork()
    for (let step = 0; step < 7; step++) expect(pace()).toBeUndefined()
    expect(pace()).toBeInstanceOf(Promise)
  })
})

describe('eachInTurns()', () => {
  it('does all in order, and asks now and then whether others are due', async () => {
    const done: number[] = []
    let asked = 0
    const pace = (): undefined => {
      asked++
    }
    await eachInTurns(Array.from({ length: 170 }).keys(), pace, (item) => done.push(item))
    expect(done).toEqual(Array.from({ length: 170 }, (_, index) => index))
    expect(asked).toBe(3)
  })
})
