import { describe, expect, it } from 'vitest'
import { Remote } from '../../src/client/remote.ts'
import { readLatest } from '../../src/console/live/stream/read-latest.ts'
import { frozenSandbox } from '../kit/frozen-sandbox.ts'
import { requestOf } from '../kit/send.ts'

/** A process that answers with this text, a few bytes at a time. */
function remoteWith(text: string): Remote {
  const bytes = new TextEncoder().encode(text)
  return Object.assign(new Remote('http://sandbox.test/_sandbox', undefined), {
    async open() {
      return new Response(
        new ReadableStream<Uint8Array>({
          start(controller) {
            for (let at = 0; at < bytes.length; at += 7) controller.enqueue(bytes.slice(at, at + 7))
            controller.close()
          },
        }),
      )
    },
  })
}

describe('readLatest()', () => {
  const { signal } = new AbortController()

  it('gives the exchanges as they are, whatever their texts', async () => {
    const sandbox = frozenSandbox()
    await sandbox.handle(requestOf({ headers: { 'x-note': '"],[{\\ ä 😀' } }))
    await sandbox.handle(requestOf({ url: '/v1/pets/nope' }))
    const entries = sandbox.journal.entries()
    expect(await readLatest(remoteWith(JSON.stringify(entries)), 1_000, signal)).toEqual(entries)
    expect(await readLatest(remoteWith('[]'), 1_000, signal)).toEqual([])
  })

  it('leaves out what is no exchange', async () => {
    const text = '[{"id":"x"},null,7,{"id":3,"outcome":{"kind":"timeout"}},[]]'
    const found = await readLatest(remoteWith(text), 1_000, signal)
    expect(found.map(({ id }) => id)).toEqual([3])
  })

  it('fails where the answer breaks off', async () => {
    await expect(readLatest(remoteWith('[{"id":3'), 1_000, signal)).rejects.toThrow('breaks off')
  })
})
