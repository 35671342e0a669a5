import fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import { readEvents, type ServerSentEvent } from '../../../src/client/event-stream.ts'
import { Sometimes } from '../../kit/sometimes.ts'

/** A body that comes in these pieces, and then ends or breaks. */
function bodyOf(pieces: readonly Uint8Array[], end: 'whole' | 'broken' = 'whole') {
  return new ReadableStream<Uint8Array>({
    start(controller) {
      for (const piece of pieces) controller.enqueue(piece)
      if (end === 'whole') controller.close()
    },
    pull(controller) {
      if (end === 'broken') controller.error(new TypeError('terminated'))
    },
  })
}

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text)

async function allOf(body: ReadableStream<Uint8Array>, onBytes = (): void => {}) {
  const events: ServerSentEvent[] = []
  for await (const event of readEvents(body, onBytes)) events.push(event)
  return events
}

describe('readEvents()', () => {
  it('reads names, ids and data, and leaves comments out', async () => {
    const text = [
      'retry: 1000\n: from now on\nid: a-0\n\n',
      ': alive\n\n',
      'id: a-1\nevent: request\ndata: {"name": "a: b"}\n\n',
      'data:no space\ndata: two lines\n\n',
      'event: without data\n\n',
    ]
    expect(await allOf(bodyOf([bytesOf(text.join(''))]))).toEqual([
      { kind: 'event', id: 'a-0', name: undefined, data: '' },
      { kind: 'event', id: 'a-1', name: 'request', data: '{"name": "a: b"}' },
      { kind: 'event', id: undefined, name: 'message', data: 'no space\ntwo lines' },
    ])
  })

  it('reads the same, wherever the bytes are cut', async () => {
    const text = 'id: a-1\nevent: request\ndata: Zoë 🐢\n\n: alive\n\nid: a-2\ndata: {}\n\n'
    const bytes = bytesOf(text)
    const sometimes = new Sometimes('a cut within a character', 'an empty piece')
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(bytes.length), { maxLength: 6 }), async (cuts) => {
        const places = [0, ...cuts.sort((one, other) => one - other), bytes.length]
        const pieces = places.slice(1).map((end, at) => bytes.slice(places[at], end))
        expect(await allOf(bodyOf(pieces))).toEqual([
          { kind: 'event', id: 'a-1', name: 'request', data: 'Zoë 🐢' },
          { kind: 'event', id: 'a-2', name: 'message', data: '{}' },
        ])
        sometimes.meet({
          // Of UTF-8, such bytes only go on.
          'a cut within a character': cuts.some((at) => ((bytes[at] ?? 0) & 0xc0) === 0x80),
          'an empty piece': pieces.some(({ length }) => length === 0),
        })
      }),
    )
    sometimes.expectAllMet()
  })

  it('keeps no line that never ends', async () => {
    const piece = bytesOf(`data: ${'a'.repeat(2 ** 20)}`)
    let sent = 0
    const endless = new ReadableStream<Uint8Array>({
      pull(controller) {
        sent += 1
        controller.enqueue(piece)
      },
    })
    await expect(allOf(endless)).rejects.toThrow('Cannot read the events: one is longer than')
    expect(sent).toBeLessThan(20)
  })

  it('ends where the connection breaks, and does not give half an event', async () => {
    const body = bodyOf([bytesOf('data: 1\n\ndata: 2\n')], 'broken')
    expect(await allOf(body)).toMatchObject([{ data: '1' }])
  })

  it('reports everything that arrives', async () => {
    const onBytes = vi.fn()
    const body = bodyOf([bytesOf(': alive\n\n'), bytesOf('data: 1\n')])
    await allOf(body, onBytes)
    expect(onBytes).toHaveBeenCalledTimes(2)
  })
})
