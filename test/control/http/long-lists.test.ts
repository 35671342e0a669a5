import { describe, expect, it } from 'vitest'
import type { Sandbox } from '../../../src/sandbox.ts'
import { frozenSandbox } from '../../kit/frozen-sandbox.ts'
import { requestOf, send } from '../../kit/send.ts'

const get = (sandbox: Sandbox, url: string, method = 'GET') =>
  sandbox.handleControl({ method, url: `/_sandbox${url}`, headers: {}, body: '' })

/** Reads what is answered, however it comes. */
async function read(sandbox: Sandbox, url: string): Promise<unknown> {
  const reply = await get(sandbox, url)
  if (reply.kind === 'reply') return JSON.parse(reply.body)
  const pieces: string[] = []
  for await (const piece of reply.pieces) pieces.push(piece)
  expect(pieces.length).toBeGreaterThan(1)
  return JSON.parse(pieces.join(''))
}

async function fullSandbox(): Promise<Sandbox> {
  const sandbox = frozenSandbox({ rateLimit: 'reported', journalSize: 2_000 })
  const pets = Array.from({ length: 9_000 }, (_, id) => ({
    id: id + 100,
    name: `n${id}`,
    categoryId: 1,
  }))
  sandbox.pets.create([...pets, { id: 2n ** 60n, name: 'large', categoryId: 1 }])
  for (let count = 0; count < 500; count++)
    sandbox.keys.issue({ plan: 'free', key: `key-${count}` })
  for (let count = 0; count < 700; count++) await send(sandbox)
  return sandbox
}

describe('a long list', () => {
  it.each([
    { url: '/requests', list: ({ journal }: Sandbox) => journal.entries() },
    {
      url: '/requests?status=200&limit=650',
      list: ({ journal }: Sandbox) => journal.entries({ limit: 650 }),
    },
    { url: '/requests.har', list: ({ journal }: Sandbox) => journal.har() },
    { url: '/keys', list: ({ keys }: Sandbox) => keys.list() },
    { url: '/pets', list: ({ pets }: Sandbox) => pets.list() },
    { url: '/snapshot', list: (sandbox: Sandbox) => sandbox.snapshot() },
  ])('is sent in pieces, and is what the typed control gives: $url', async ({ url, list }) => {
    const sandbox = await fullSandbox()
    const expected = JSON.stringify(await list(sandbox), (_, value) =>
      typeof value === 'bigint' ? Number(value) : value,
    )
    expect(JSON.stringify(await read(sandbox, url))).toBe(expected)
    expect(await get(sandbox, url)).toMatchObject({
      kind: 'stream',
      headers: { 'content-type': 'application/json', 'cache-control': 'no-store' },
    })
  })

  it.each([
    '/requests?status=418',
    '/requests?after=9999',
    '/pets?name=nobody',
    '/pets?status=sold&name=n',
  ])('of which nothing matches is a plain reply: %s', async (url) => {
    expect(await get(await fullSandbox(), url)).toMatchObject({ kind: 'reply', body: '[]' })
  })

  it('has an archive without exchanges', async () => {
    expect(await read(frozenSandbox(), '/requests.har')).toEqual(
      await frozenSandbox().journal.har(),
    )
  })

  it('leaves no port open, which would keep the process of a program alive', async () => {
    const openPorts = () =>
      process.getActiveResourcesInfo().filter((name) => name === 'MessagePort').length
    const before = openPorts()
    await read(await fullSandbox(), '/pets')
    await expect.poll(openPorts).toBeLessThanOrEqual(before)
  })

  it('has its length told to HEAD', async () => {
    const sandbox = await fullSandbox()
    const reply = await get(sandbox, '/pets', 'HEAD')
    const pieces: string[] = []
    const whole = await get(sandbox, '/pets')
    if (whole.kind === 'stream') for await (const piece of whole.pieces) pieces.push(piece)
    expect(reply).toMatchObject({
      kind: 'reply',
      body: '',
      headers: { 'content-length': String(Buffer.byteLength(pieces.join(''))) },
    })
  })

  it('lets others have their turn, and gives what is left of what changes meanwhile', async () => {
    const sandbox = await fullSandbox()
    const replies = await Promise.all(['/pets', '/requests'].map((url) => get(sandbox, url)))
    const [pets, requests] = await Promise.all(
      replies.map(async (reply) => {
        if (reply.kind !== 'stream') throw new Error('Cannot go on: it is no stream')
        const pieces: string[] = []
        for await (const piece of reply.pieces) {
          if (pieces.length === 0) {
            if (sandbox.pets.size > 9_030) sandbox.pets.delete(9_099)
            sandbox.journal.clear()
          }
          pieces.push(piece)
        }
        return JSON.parse(pieces.join('')) as unknown[]
      }),
    )
    expect(pets).toHaveLength(9_030)
    expect(requests?.length).toBeLessThan(700)
  })

  it('of exchanges goes on while the journal moves on', async () => {
    const sandbox = frozenSandbox({ rateLimit: 'reported', journalSize: 300 })
    for (let count = 0; count < 400; count++) await send(sandbox)
    const reply = await get(sandbox, '/requests')
    if (reply.kind !== 'stream') throw new Error('Cannot go on: it is no stream')
    const pieces: string[] = []
    for await (const piece of reply.pieces) {
      for (let count = 0; count < 30; count++) await sandbox.handle(requestOf({}))
      pieces.push(piece)
    }
    const ids = (JSON.parse(pieces.join('')) as { id: number }[]).map(({ id }) => id)
    expect(ids).toEqual([...new Set(ids)].sort((one, other) => one - other))
    expect(ids[0]).toBe(101)
    expect(ids.at(-1)).toBe(400)
  })
})
