import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { Turnstile } from '../../../src/server/node/turnstile.ts'

it('lets so much go in a turn, first come, first served, and a piece that is longer', async () => {
  const turnstile = new Turnstile(100)
  const gone: number[] = []
  for (const [number, length] of [60, 60, 60, 1_000, 1].entries()) {
    void turnstile.pass(length).then(() => gone.push(number))
  }
  await Promise.resolve()
  expect(gone).toEqual([0, 1])
  await nextTurn()
  expect(gone).toEqual([0, 1, 2, 3])
  await nextTurn()
  expect(gone).toEqual([0, 1, 2, 3, 4])
})

it('begins anew with each turn', async () => {
  const turnstile = new Turnstile(100)
  for (let turn = 0; turn < 3; turn++) {
    let isGone = false
    void turnstile.pass(100).then(() => {
      isGone = true
    })
    await Promise.resolve()
    expect(isGone).toBe(true)
    await nextTurn()
  }
})
