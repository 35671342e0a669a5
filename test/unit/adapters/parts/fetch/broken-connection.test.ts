import { describe, expect, it } from 'vitest'
import { createFetchHandler } from '../../../../../src/adapters/fetch.ts'
import { frozenSandbox } from '../../../../kit/frozen-sandbox.ts'
import { listen } from '../../../../kit/listen.ts'
import { connectRaw, type RawClient } from '../../../../kit/raw-client.ts'
import { rawHead } from '../../../../kit/raw-request.ts'

const headers = { authorization: 'Bearer pro-key' }
const pets = 'https://api.petstore.test/v1/pets'

function brokenHandler() {
  const sandbox = frozenSandbox()
  sandbox.faults.add({ fault: 'disconnect', times: 1 })
  return createFetchHandler(sandbox)
}

/** Serves as Hono does on Node, and gives a client's connection and what the handler gave in the end. */
async function serveAsHono(): Promise<{ readonly client: RawClient; readonly given: Response[] }> {
  const handle = brokenHandler()
  const given: Response[] = []
  const { port } = await listen(async (incoming, outgoing) => {
    const request = new Request(`${pets}${incoming.url}`, { headers })
    given.push(await handle(request, { incoming, outgoing }))
  })
  return { client: await connectRaw(port), given }
}

describe('a connection that a fault breaks before the response', () => {
  it.each([
    { host: 'Bun', context: { requestIP() {} } },
    { host: 'Deno', context: { remoteAddr: { transport: 'tcp' } } },
  ])('is a reply that breaks off at once in $host', async ({ context }) => {
    const response = await brokenHandler()(new Request(pets, { headers }), context)
    expect(response.headers.get('content-length')).toBe('1')
    await expect(response.text()).rejects.toThrow('A fault broke the connection')
  })

  it('is broken in Hono on Node, which then has nothing left to send', async () => {
    const { client, given } = await serveAsHono()
    await client.send(rawHead())
    await client.closed()
    expect(client.received).toBe('HTTP/1.1 100 Continue\r\n\r\n')
    await expect.poll(() => given).toHaveLength(1)
    expect(Object.fromEntries(given[0]?.headers ?? [])).toEqual({ 'x-hono-already-sent': 'true' })
  })

  it('is nothing more to a client of Hono that has left meanwhile', async () => {
    const sandbox = frozenSandbox()
    const outgoing = { writeHead() {}, req: {}, socket: null, closed: true }
    sandbox.faults.add({ fault: 'disconnect' })
    const response = createFetchHandler(sandbox)(new Request(pets, { headers }), { outgoing })
    expect((await response).body).toBeNull()
  })

  it.each([
    { caller: 'a client', context: undefined },
    { caller: 'a client with an init', context: { method: 'GET' } },
    { caller: 'another host', context: { params: {}, outgoing: 'none' } },
  ])('rejects as fetch does for $caller', async ({ context }) => {
    const answer = brokenHandler()(new Request(pets, { headers }), context)
    await expect(answer).rejects.toThrow(
      new TypeError('Failed to fetch: a fault broke the connection'),
    )
  })
})
