import { describe, expect, it } from 'vitest'
import type { ApiRequest } from '../../../src/contract/message.ts'
import { handleControl } from '../../../src/control/http/handle-control.ts'
import { parseInPieces } from '../../../src/control/http/pieces/parse-in-pieces.ts'
import { frozenSandbox } from '../../kit/frozen-sandbox.ts'

const json = { 'content-type': 'application/json' }

/** Sends a control request to a sandbox of its own, with a body that comes in by itself if one is given. */
async function ask(request: Partial<ApiRequest>, incoming?: readonly string[]) {
  const controls = frozenSandbox()
  const host = { controls, origin: 'http://sandbox.test', incoming: incoming && bytesOf(incoming) }
  const whole = { method: 'GET', url: '/_sandbox/pets', headers: {}, body: '', ...request }
  const reply = await handleControl(whole, host)
  if (reply.kind !== 'reply') throw new Error('Cannot read the reply: it is a stream')
  const { message = '' } = reply.body === '' ? {} : JSON.parse(reply.body)
  return { controls, reply, message: String(message) }
}

async function* bytesOf(chunks: readonly string[]): AsyncGenerator<Uint8Array> {
  for (const chunk of chunks) yield new TextEncoder().encode(chunk)
}

/** A pet as JSON with so many characters beyond ASCII, filled up with blanks to so many bytes. */
function petOf(characters: number, bytes: number): string {
  const text = `{"categoryId":1,"name":"${'€'.repeat(characters)}"}`
  return text + ' '.repeat(bytes - text.length - 2 * characters)
}

const mebibyte = 2 ** 20

describe('the body of a control', () => {
  it.each([
    { what: 'as large as may be', body: petOf(0, mebibyte), status: 201 },
    { what: 'a byte larger', body: petOf(0, mebibyte + 1), status: 413 },
    {
      what: 'as large as may be in other characters',
      body: petOf(1_000, mebibyte),
      status: 201,
    },
    { what: 'larger only in bytes', body: petOf(349_500, mebibyte + 1), status: 413 },
    { what: 'kept by nobody', body: '', bodyBytes: mebibyte + 1, status: 413 },
    { what: 'of bytes that are no text', body: '\udfff', bodyBytes: mebibyte, status: 400 },
  ])('may be 1 MiB: $what', async ({ status, body, ...request }) => {
    const { reply } = await ask({ method: 'POST', headers: json, body, ...request })
    expect(reply.status).toBe(status)
  })

  it.each(['application/json', 'text/plain'])(
    'may be missing from a GET of type %s, as some clients send it',
    async (type) => {
      expect((await ask({ headers: { 'content-type': type } })).reply.status).toBe(200)
    },
  )

  it('is followed by a turn of others between any two of its steps', async () => {
    const body = `{"categoryId":1,"name":"${'x'.repeat(200_000)}"}`
    const controls = frozenSandbox({ limits: { nameLength: 200_000 } })
    const turns = { all: 0, ofParsing: 0, untilItIsDone: 0 }
    await parseInPieces(body, async () => {
      turns.ofParsing++
    })
    controls.journal.subscribeMarks(() => {
      turns.untilItIsDone = turns.all
    })
    const nextTurn = async () => {
      turns.all++
    }
    const request = { method: 'POST', url: '/_sandbox/pets', headers: json, body }
    const host = { controls, origin: 'http://sandbox.test', nextTurn }
    expect(await handleControl(request, host)).toMatchObject({ status: 201 })
    // When it is parsed, read, and written down for the control.
    expect(turns.untilItIsDone).toBe(turns.ofParsing + 3)
    expect(turns.all).toBeGreaterThan(turns.untilItIsDone)
  })
})

describe('a body that comes in by itself', () => {
  const seed = { method: 'PUT', url: '/_sandbox/seed', headers: json }
  const pet = '{"id":7,"name":"Zoë","categoryId":1}'

  it('is a seed in any pieces, which a reset returns to', async () => {
    const { reply, controls } = await ask(seed, ['{"pe', `ts":[${pet}`, ']', '}'])
    expect(reply).toMatchObject({ status: 204, body: '' })
    expect(Object.keys(reply.headers)).toEqual(['date'])
    const { pets } = controls
    pets.clear()
    controls.reset()
    expect(pets.list()).toMatchObject([{ id: 7, name: 'Zoë' }])
    expect(controls.keys.list()).toHaveLength(9)
  })

  it('is a snapshot, which is in force then', async () => {
    const saved = frozenSandbox()
    saved.pets.create({ id: 77, name: 'Rex', categoryId: 1 })
    const text = JSON.stringify(saved.snapshot())
    const restore = { ...seed, url: '/_sandbox/snapshot' }
    const { reply, controls } = await ask(restore, [text.slice(0, 99), text.slice(99)])
    expect(reply.status).toBe(204)
    expect(controls.pets.get(77).name).toBe('Rex')
  })

  it.each([
    {
      what: 'no JSON',
      request: seed,
      chunks: ['{"pets":[', `${pet},`],
      message: 'Cannot read the body: it is not valid JSON (it breaks off); send JSON',
    },
    {
      what: 'no seed',
      request: seed,
      chunks: ['{"pets":[{"id":1,"name":5}]}'],
      message: 'Cannot set seed.pets[0].name: found 5; use a string',
    },
    {
      what: 'no JSON by its type',
      request: { ...seed, headers: {} },
      chunks: [`{"pets":[${pet}]}`],
      message: 'Cannot use Content-Type: found "none"; send application/json',
    },
    {
      what: 'for an unknown parameter',
      request: { ...seed, url: '/_sandbox/seed?oops=1' },
      chunks: [`{"pets":[${pet}]}`],
      message: 'Cannot set query.oops: unknown property; use no properties',
    },
  ])('is refused if it is $what, and changes nothing', async ({ request, chunks, message }) => {
    const { reply, message: found, controls } = await ask(request, chunks)
    expect([reply.status, found]).toEqual([400, message])
    expect(controls.pets.size).toBe(30)
  })

  it('throws what is a bug, and no refusal', async () => {
    async function* broken(): AsyncGenerator<Uint8Array> {
      yield new Uint8Array()
      throw new RangeError('broken')
    }
    const host = { controls: frozenSandbox(), origin: 'http://sandbox.test', incoming: broken() }
    await expect(handleControl({ ...seed, body: '' }, host)).rejects.toThrow('broken')
  })

  it('is read as a whole by a control that takes no more than that', async () => {
    const request = { method: 'POST', headers: json, body: pet }
    const { reply, controls } = await ask({ ...request, url: '/_sandbox/reset', body: '{}' }, ['!'])
    expect(reply.status).toBe(204)
    expect(controls.pets.size).toBe(30)
  })
})
