import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import type { Outcome, Reply } from '../../../src/contract/message.ts'
import { UnreadReplies } from '../../../src/server/node/unread-replies.ts'

const megabyte = 1_000_000
const headers = { 'content-type': 'text/html', 'content-length': '9', 'x-ratelimit-limit': '60' }

function reply(bytes: number): Reply {
  return { kind: 'reply', status: 200, headers, body: 'x'.repeat(bytes) }
}

/** A response whose turn it is on its connection. */
function inTurn(): ServerResponse {
  const response = beforeItsTurn()
  response.assignSocket(new Socket())
  return response
}

/** A response to a request that was sent upon others. */
function beforeItsTurn(): ServerResponse {
  return new ServerResponse(new IncomingMessage(new Socket()))
}

/** A body on its way to a client that reads the pieces that it is told to. */
function sending(unread: UnreadReplies, bytes: number) {
  const request = new IncomingMessage(new Socket())
  async function* pieces() {
    for (;;) yield 'a piece'
  }
  const iterator = unread
    .watch(pieces(), bytes, new ServerResponse(request))
    [Symbol.asyncIterator]()
  return {
    socket: request.socket,
    read: () => iterator.next(),
    end: () => iterator.return?.(),
  }
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] })
  onTestFinished(() => {
    vi.useRealTimers()
  })
})

describe('UnreadReplies', () => {
  it('ends a connection whose client has read nothing for as long as it may', async () => {
    const unread = new UnreadReplies(100 * megabyte, 30_000)
    const [still, slow] = [sending(unread, megabyte), sending(unread, megabyte)]
    await still.read()
    for (let second = 0; second < 29; second++) {
      await slow.read()
      vi.advanceTimersByTime(1_000)
    }
    expect([still.socket.destroyed, slow.socket.destroyed]).toEqual([false, false])
    vi.advanceTimersByTime(2_000)
    expect([still.socket.destroyed, slow.socket.destroyed]).toEqual([true, false])
    vi.advanceTimersByTime(26_000)
    expect(slow.socket.destroyed).toBe(false)
    vi.advanceTimersByTime(2_000)
    expect(slow.socket.destroyed).toBe(true)
    expect(vi.getTimerCount()).toBe(0)
  })

  it('leaves a stream open that has nothing to send', async () => {
    const unread = new UnreadReplies(megabyte, 30_000)
    const request = new IncomingMessage(new Socket())
    const never = { [Symbol.asyncIterator]: () => ({ next: () => new Promise<never>(() => {}) }) }
    const quiet = unread.watch(never, 0, new ServerResponse(request))[Symbol.asyncIterator]()
    quiet.next()
    vi.advanceTimersByTime(3_600_000)
    expect(request.socket.destroyed).toBe(false)
  })

  it('refuses a large reply while others fill the room for such, and says so', async () => {
    const unread = new UnreadReplies(10 * megabyte, 30_000)
    const first = sending(unread, 6 * megabyte)
    await first.read()
    expect(unread.bounded(reply(4 * megabyte), inTurn())).toEqual(reply(4 * megabyte))
    expect(unread.bounded(reply(5 * megabyte), inTurn())).toEqual({
      kind: 'reply',
      status: 503,
      headers: { 'content-type': 'application/json', 'x-ratelimit-limit': '60' },
      body: '{"code":"internal_error","message":"Cannot send the reply: too many others wait to be read; read those first","status":503}',
    })
    await first.end()
    expect(unread.bounded(reply(5 * megabyte), inTurn())).toEqual(reply(5 * megabyte))
  })

  it('makes room by ending connections that stand still, sooner than otherwise', async () => {
    const unread = new UnreadReplies(10 * megabyte, 30_000)
    const [still, slow] = [sending(unread, 4 * megabyte), sending(unread, 4 * megabyte)]
    await Promise.all([still.read(), slow.read()])
    vi.advanceTimersByTime(900)
    await slow.read()
    vi.advanceTimersByTime(200)
    expect(unread.bounded(reply(5 * megabyte), inTurn())).toMatchObject({ status: 200 })
    expect([still.socket.destroyed, slow.socket.destroyed]).toEqual([true, false])
    expect(unread.bounded(reply(7 * megabyte), inTurn())).toMatchObject({ status: 503 })
  })

  it('makes room when a connection closes before anything was sent', () => {
    const unread = new UnreadReplies(10 * megabyte, 30_000)
    const { socket } = sending(unread, 10 * megabyte)
    expect(unread.bounded(reply(megabyte), inTurn())).toMatchObject({ status: 503 })
    unread.forget(new Socket())
    expect(unread.bounded(reply(megabyte), inTurn())).toMatchObject({ status: 503 })
    unread.forget(socket)
    expect(unread.bounded(reply(megabyte), inTurn())).toMatchObject({ status: 200 })
    expect(vi.getTimerCount()).toBe(0)
  })

  it('has no more room for small replies before their turn', () => {
    const unread = new UnreadReplies(megabyte, 30_000)
    sending(unread, 950_000)
    const small = reply(60_000)
    expect(unread.bounded(small, inTurn())).toBe(small)
    expect(unread.bounded(small, beforeItsTurn())).toMatchObject({ status: 503 })
    expect(unread.bounded(reply(50_000), beforeItsTurn())).toEqual(reply(50_000))
  })

  it('lets small replies, broken connections and one of any size through', () => {
    const unread = new UnreadReplies(megabyte, 30_000)
    expect(unread.bounded(reply(50 * megabyte), inTurn())).toMatchObject({ status: 200 })
    sending(unread, megabyte)
    const outcomes: Outcome[] = [
      reply(60_000),
      { kind: 'disconnect' },
      { kind: 'timeout', ended: Promise.resolve() },
    ]
    for (const outcome of outcomes) expect(unread.bounded(outcome, inTurn())).toBe(outcome)
    expect(unread.bounded(reply(70_000), inTurn())).toMatchObject({ status: 503 })
  })
})
