import { setImmediate as nextTurn } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { Line } from '../../../src/server/node/line.ts'
import { Order } from '../../../src/server/node/order.ts'

/** An order, and the places whose turn has come; each request takes some milliseconds of its clock. */
function orderWith(ms: number) {
  let now = 0
  const order = new Order(new Line(() => now))
  const gone: number[] = []
  const go = (place: number): void => {
    gone.push(place)
    now += ms
    order.leave(place)
  }
  const enter = (): number => {
    const place = order.enter()
    if (!order.isNext(place)) void order.turn(place).then(() => go(place))
    return place
  }
  return { order, gone, go, enter }
}

describe('Order', () => {
  it('lets nobody wait who has nothing before', () => {
    const { order, go } = orderWith(0)
    for (let count = 0; count < 3; count++) {
      const place = order.enter()
      expect(order.isNext(place)).toBe(true)
      go(place)
    }
  })

  it('lets those behind go one after the other, and not those who left', async () => {
    const { order, gone, go, enter } = orderWith(0)
    const first = enter()
    enter()
    const [third, fourth] = [order.enter(), order.enter()]
    order.leave(fourth)
    order.leave(third)
    order.leave(third)
    enter()
    await nextTurn()
    expect(gone).toEqual([])
    go(first)
    order.leave(first)
    await nextTurn()
    expect(gone).toEqual([0, 1, 4])
    expect(order.isNext(order.enter())).toBe(true)
  })

  it('lets go in each turn what takes a few milliseconds', async () => {
    const { gone, go, enter } = orderWith(3)
    const first = enter()
    for (let count = 0; count < 20; count++) enter()
    go(first)
    const goneInTurns: number[] = []
    while (gone.length < 21) {
      const before = gone.length
      await nextTurn()
      goneInTurns.push(gone.length - before)
    }
    expect(Math.max(...goneInTurns)).toBeLessThan(8)
  })

  it('lets nobody go once its connection has closed', async () => {
    const { order, gone, go, enter } = orderWith(0)
    const first = enter()
    enter()
    go(first)
    order.close()
    await nextTurn()
    expect(gone).toEqual([0])
  })
})
