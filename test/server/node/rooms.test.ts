import { getEventListeners } from 'node:events'
import { describe, expect, it } from 'vitest'
import { Rooms } from '../../../src/server/node/rooms.ts'

/** Guests by name, who note when they go on. */
function guestBook() {
  const gone: string[] = []
  const guest = (name: string) => ({ goOn: () => void gone.push(name) })
  return { gone, guest }
}

describe('Rooms', () => {
  it('has room for so many at once, and for the others as they came, each when one has left', () => {
    const rooms = new Rooms(2)
    const { gone, guest } = guestBook()
    const [ann, bob, cid] = [guest('Ann'), guest('Bob'), guest('Cid')]
    const [dan, eve] = [guest('Dan'), guest('Eve')]
    const all = [ann, bob, cid, dan, eve]
    expect(all.map((one) => rooms.enter(one))).toEqual([true, true, false, false, false])
    rooms.leave(ann)
    expect(gone).toEqual(['Cid'])
    // Before there is room.
    rooms.leave(dan)
    rooms.leave(cid)
    expect(gone).toEqual(['Cid', 'Eve'])
    rooms.leave(bob)
    rooms.leave(eve)
    expect([ann, bob, cid].map((one) => rooms.enter(one))).toEqual([true, true, false])
  })

  it('has no more room because one leaves twice, or has never come', () => {
    const rooms = new Rooms(1)
    const { gone, guest } = guestBook()
    const [ann, bob, cid] = [guest('Ann'), guest('Bob'), guest('Cid')]
    for (const one of [ann, bob, cid]) rooms.enter(one)
    for (const one of [guest('Dan'), ann, ann]) rooms.leave(one)
    expect(gone).toEqual(['Bob'])
  })

  it('is left by those who wait when nobody waits for them any more', async () => {
    const rooms = new Rooms(1)
    const [leaving, staying] = [new AbortController(), new AbortController()]
    const leaveRoom = await rooms.room(staying.signal)
    const [left, next] = [rooms.room(leaving.signal), rooms.room(staying.signal)]
    leaving.abort('gone')
    await expect(left).rejects.toBe('gone')
    await expect(rooms.room(leaving.signal)).rejects.toBe('gone')
    leaveRoom()
    leaveRoom()
    const last = rooms.room(staying.signal)
    ;(await next)()
    ;(await last)()
    for (const { signal } of [leaving, staying]) {
      expect(getEventListeners(signal, 'abort')).toEqual([])
    }
    expect(rooms.enter({ goOn: () => {} })).toBe(true)
  })
})
