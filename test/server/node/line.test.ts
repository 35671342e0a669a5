import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { describe, expect, it, vi } from 'vitest'
import { Backlog, mostUnanswered } from '../../../src/server/node/backlog.ts'
import { Line } from '../../../src/server/node/line.ts'

/** A line, and what stands in it: each request takes some milliseconds of its clock. */
function lineWith(ms: number) {
  let now = 0
  const line = new Line(() => now)
  const begun: string[] = []
  const begin = (name: string): void => {
    line.count()
    begun.push(name)
    // What it leads to takes as long again.
    now += ms
    void Promise.resolve().then(() => {
      now += ms
    })
  }
  const join = (name: string, count: number): void => {
    let left = count
    line.join({
      beginNext() {
        left--
        begin(name)
        return left > 0
      },
    })
  }
  return { line, begun, begin, join }
}

describe('Line', () => {
  it('begins for each connection in its turn', async () => {
    const { begun, join } = lineWith(0)
    join('a', 3)
    join('b', 1)
    join('c', 2)
    expect(begun).toEqual([])
    await nextTurn()
    expect(begun.join('')).toBe('abcaca')
  })

  it('begins a few milliseconds of requests in each turn, and counts what they lead to', async () => {
    const { begun, join } = lineWith(2)
    join('a', 14)
    const turns: number[] = []
    while (begun.length < 14) {
      const before = begun.length
      await nextTurn()
      turns.push(begun.length - before)
    }
    expect(turns).toEqual([5, 5, 4])
  })

  it('has no time for more once others have taken it, until the next turn', async () => {
    const { line, begin } = lineWith(3)
    for (let count = 0; count < 5; count++) begin('a')
    expect(line.hasTime).toBe(true)
    begin('a')
    await Promise.resolve()
    expect(line.hasTime).toBe(false)
    await nextTurn()
    expect(line.hasTime).toBe(true)
  })
})

describe('Backlog', () => {
  it('ends a connection that sends upon its own what is too much, though the line has had no time for it', async () => {
    const line = new Line(() => 0)
    const load = { unanswered: mostUnanswered - 1, line }
    const sockets = [new Socket(), new Socket()]
    let begun = 0
    const backlogs = sockets.map((socket) => new Backlog(socket, load, () => begun++))
    vi.spyOn(line, 'hasTime', 'get').mockReturnValue(false)
    for (const [index, backlog] of backlogs.entries()) {
      const request = new IncomingMessage(new Socket())
      backlog.add(request, new ServerResponse(request))
      // The first of a connection is taken in any case.
      expect(load.unanswered).toBe(mostUnanswered + index)
    }
    for (const [index, backlog] of backlogs.entries()) {
      const request = new IncomingMessage(new Socket())
      backlog.add(request, new ServerResponse(request))
      expect(sockets[index]?.destroyed).toBe(true)
    }
    expect([begun, load.unanswered]).toEqual([0, mostUnanswered + 1])
  })

  it('keeps Node from ending one by one the requests of a closed connection that nobody has seen', async () => {
    const socket = new Socket()
    const seen = new Set<IncomingMessage>()
    const load = { unanswered: 0, line: new Line(() => 0) }
    const backlog = new Backlog(socket, load, (request) => seen.add(request))
    const requests = Array.from({ length: 50 }, () => new IncomingMessage(socket))
    for (const request of requests) backlog.add(request, new ServerResponse(request))
    expect([seen.size, load.unanswered]).toEqual([8, 50])
    await nextTurn()
    expect(seen.size).toBe(32)
    backlog.close()
    expect(load.unanswered).toBe(0)
    const unseen = requests.filter((request) => !seen.has(request))
    for (const request of unseen) expect(request.destroy(new Error('aborted'))).toBe(request)
    expect(unseen.some(({ destroyed }) => destroyed)).toBe(false)
    await nextTurn()
    expect(seen.size).toBe(32)
  })
})
