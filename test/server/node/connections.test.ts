import { createServer } from 'node:http'
import type { Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, it, onTestFinished } from 'vitest'
import { Connections } from '../../../src/server/node/connections.ts'
import { connectRaw, type RawClient } from '../../kit/raw-client.ts'
import { rawHead } from '../../kit/raw-request.ts'
import { until } from '../until.ts'

const patience = { stalledMs: 60_000, unusedMs: 1_000 }

/** Starts a server that answers requests to `/now` at once, and others never. */
async function startTracked() {
  const served: string[] = []
  const connections = new Connections(
    ({ url = '' }, response, client) => {
      served.push(url)
      if (url === '/now') response.end('done')
      client.answered()
    },
    () => {},
  )
  const server = createServer({ keepAliveTimeout: 0 }, (request, response) =>
    connections.take(request, response),
  )
  const sockets: Socket[] = []
  server.on('connection', (socket) => {
    sockets.push(socket)
    connections.add(socket)
  })
  const port = await new Promise<number>((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve(Object(server.address()).port))
  })
  onTestFinished(() => {
    connections.destroy()
    server.close()
  })
  const bytesRead = (): number => sockets.reduce((sum, socket) => sum + socket.bytesRead, 0)
  return { connections, client: await connectRaw(port), sockets, served, bytesRead }
}

describe('Connections.look()', () => {
  it('ends a connection once it was not used for long, and not sooner', async () => {
    const { connections, client } = await startTracked()
    await client.send(rawHead({ target: '/now' }))
    expect((await client.reply()).body).toBe('done')
    for (const now of [5_000, 5_999]) connections.look(patience, now)
    expect(await isOpen(client)).toBe(true)
    connections.look(patience, 6_000)
    await client.closed()
  })

  it('begins anew with each part of a request', async () => {
    const { connections, client, bytesRead } = await startTracked()
    const request = rawHead({ target: '/now' })
    await client.send(request)
    await client.reply()
    connections.look(patience, 5_000)
    await client.send(request.slice(0, 10))
    await until(() => bytesRead() === request.length + 10)
    for (const now of [5_900, 6_800]) connections.look(patience, now)
    expect(await isOpen(client)).toBe(true)
    connections.look(patience, 6_900)
    await client.closed()
  })

  it('leaves a connection alone on which a reply is about to be written that is not of Node', async () => {
    const { connections, client, sockets } = await startTracked()
    await client.send(rawHead({ target: '/now' }))
    await client.reply()
    for (const socket of sockets) connections.whenFree(socket, () => {})
    for (const now of [5_000, 100_000, 200_000]) connections.look(patience, now)
    expect(await isOpen(client)).toBe(true)
  })

  it('leaves a connection alone that waits for a reply, or has not been used yet', async () => {
    const { connections, client, served } = await startTracked()
    for (const now of [0, 100_000]) connections.look(patience, now)
    await client.send(rawHead({ target: '/never' }))
    await until(() => served.length === 1)
    for (const now of [200_000, 300_000]) connections.look(patience, now)
    expect(await isOpen(client)).toBe(true)
  })
})

/** Whether a connection is still open once what was done to it has had its time. */
async function isOpen(client: RawClient): Promise<boolean> {
  return await Promise.race([client.closed().then(() => false), pause(50).then(() => true)])
}
