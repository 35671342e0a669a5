import type { ServerResponse } from 'node:http'
import { connect, type Socket } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { writeOutcome, writeStream } from '../../../../src/adapters/parts/node/write-outcome.ts'
import type { Outcome } from '../../../../src/mock/api/message.ts'
import { listen } from '../../../kit/listen.ts'

/** Serves by a function, and sends requests one upon the other on one connection. */
async function receive(
  serve: (response: ServerResponse, index: number) => void,
  requests = 1,
): Promise<Socket> {
  let index = 0
  const { port } = await listen((_request, response) => serve(response, index++))
  const socket = connect(port, '127.0.0.1')
  onTestFinished(() => void socket.destroy())
  socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(requests))
  return socket
}

/** Turns the event loop until a count stands still for long. */
async function settled(count: () => number): Promise<number> {
  let [before, turns] = [-1, 0]
  while (turns < 200) {
    turns = count() === before ? turns + 1 : 0
    before = count()
    await new Promise((resolve) => setImmediate(resolve))
  }
  return before
}

const headers = { 'content-type': 'application/json' }

describe('writeStream()', () => {
  it('asks for no more pieces than its client reads', async () => {
    let asked = 0
    let ended = 0
    async function* pieces() {
      try {
        for (;;) {
          asked++
          yield 'x'.repeat(65_536)
        }
      } finally {
        ended++
      }
    }
    const socket = await receive((response) => {
      writeStream(response, { status: 200, headers, pieces: pieces() })
    })
    socket.pause()
    const first = await settled(() => asked)
    // What the system keeps for a connection.
    expect(first * 65_536).toBeLessThan(30_000_000)
    socket.resume()
    await expect.poll(() => asked).toBeGreaterThan(first * 2)
    socket.destroy()
    await expect.poll(() => ended).toBe(1)
    const last = asked
    expect(await settled(() => asked)).toBe(last)
  })

  it('begins when it is its turn, and never if its client has left by then', async () => {
    let begun = 0
    async function* pieces() {
      begun++
      yield 'a piece'
    }
    const responses: ServerResponse[] = []
    const socket = await receive((response) => {
      responses.push(response)
      if (responses.length === 2) {
        writeStream(response, { status: 200, headers, pieces: pieces() })
      }
    }, 2)
    await expect.poll(() => responses.length).toBe(2)
    await settled(() => begun)
    expect(begun).toBe(0)
    socket.destroy()
    await expect.poll(() => responses[0]?.closed).toBe(true)
    responses[0]?.end()
    expect(await settled(() => begun)).toBe(0)
  })
})

describe('writeOutcome()', () => {
  it.each([
    { kind: 'disconnect' },
    { kind: 'timeout', ended: Promise.resolve() },
    {
      kind: 'broken-response',
      status: 200,
      headers: { 'content-length': '9' },
      body: '123456789',
      pieces: (async function* () {
        yield '1234'
      })(),
      end: 'reset',
    },
  ] satisfies Outcome[])(
    'ends a connection by $kind, after the reply before it',
    async (outcome) => {
      const responses: ServerResponse[] = []
      const socket = await receive((response) => {
        responses.push(response)
        if (responses.length === 2) writeOutcome(response, outcome)
      }, 2)
      await expect.poll(() => responses.length).toBe(2)
      let text = ''
      socket.on('data', (bytes) => {
        text += bytes
      })
      const closed = new Promise((resolve) => {
        socket.on('error', resolve)
        socket.on('end', resolve)
      })
      await settled(() => text.length)
      expect([text, socket.closed]).toEqual(['', false])
      responses[0]?.end('the first reply')
      await closed
      expect(text).toContain('the first reply')
    },
  )
})
