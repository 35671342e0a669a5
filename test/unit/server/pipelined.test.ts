import express from 'express'
import { describe, expect, it } from 'vitest'
import type { RunningServer } from '../../../src/server/start-server.ts'
import { frozenSandbox } from '../../kit/frozen-sandbox.ts'
import { connectRaw, type RawClient, type RawReply } from '../../kit/raw-client.ts'
import { rawHead, rawPost } from '../../kit/raw-request.ts'
import { type TestServerOptions, testServer } from '../../kit/test-server.ts'
import { until } from './until.ts'

/** A body of a new pet that takes longer to be answered than what is sent behind it. */
function longPet(name: string, length = 300_000): string {
  return JSON.stringify({ name, categoryId: 1 }).padEnd(length)
}

function shortPet(name: string): string {
  return JSON.stringify({ name, categoryId: 1 })
}

const getPet = (id: number): string => rawHead({ target: `/v1/pets/${id}` })

/** A request of the control API, from this machine. */
function control(method: string, target: string, body?: string): string {
  const lines =
    body === undefined
      ? []
      : ['Content-Type: application/json', `Content-Length: ${Buffer.byteLength(body)}`]
  return rawHead({ method, target, host: 'localhost', key: null, lines }) + (body ?? '')
}

function serverWithoutPets(options: TestServerOptions = {}): Promise<RunningServer> {
  return testServer({ sandbox: frozenSandbox({ seed: { pets: [] } }), ...options })
}

/** Sends requests one upon the other, in one piece, as far as the system takes it. */
function sendAll(client: RawClient, ...requests: readonly (string | Uint8Array)[]): void {
  void client.send(Buffer.concat(requests.map((one) => Buffer.from(one))))
}

async function repliesOf(client: RawClient, count: number) {
  const replies = []
  while (replies.length < count) replies.push(await client.reply())
  return replies
}

function namesIn({ body }: RawReply): string[] {
  return (JSON.parse(body) as readonly { readonly name: string }[]).map(({ name }) => name)
}

describe('requests sent one upon the other', () => {
  it.each([
    { what: 'a pet', pet: shortPet('Rex') },
    { what: 'a pet with a body of 70 KB', pet: longPet('Rex', 70_000) },
    { what: 'a pet with a body of 1 MB', pet: longPet('Rex', 1_048_576) },
  ])('find $what that was sent before them', async ({ pet }) => {
    const server = await serverWithoutPets()
    const client = await connectRaw(server.port)
    const list = rawHead({ target: '/v1/pets' })
    sendAll(client, list, rawPost(pet), list, getPet(1), rawPost(pet), list)
    const bodies = (await repliesOf(client, 6)).map(({ body }): unknown => JSON.parse(body))
    const rex = { id: 1, name: 'Rex', categoryId: 1, status: 'available' }
    const second = { ...rex, id: 2 }
    expect(bodies).toEqual([[], rex, [rex], rex, second, [rex, second]])
  })

  it('are in the request log, the quota and the capture as they were sent', async () => {
    const server = await serverWithoutPets()
    const client = await connectRaw(server.port)
    const bodies = [longPet('a', 900_000), shortPet('b'), longPet('c', 70_000), shortPet('d')]
    sendAll(client, ...bodies.flatMap((body, index) => [rawPost(body), getPet(index + 1)]))
    const replies = await repliesOf(client, 8)
    expect(replies.map(({ status }) => status)).toEqual([201, 200, 201, 200, 201, 200, 201, 200])
    const left = replies.map(({ headers }) => Number(headers['x-ratelimit-remaining']))
    expect(left).toEqual([999, 998, 997, 996, 995, 994, 993, 992])
    expect((await server.sandbox.pets.list()).map(({ name }) => name)).toEqual(['a', 'b', 'c', 'd'])
    const entries = await server.sandbox.requests.list()
    const sent = ['POST', 'GET', 'POST', 'GET', 'POST', 'GET', 'POST', 'GET']
    expect(entries.map(({ request }) => request.method)).toEqual(sent)
    const starts = entries.map(({ sequence }) => sequence.start)
    expect(starts).toEqual(starts.toSorted((left, right) => left - right))
    const { steps } = await server.sandbox.capture()
    const methods = steps.flatMap((step) => ('request' in step ? [step.request.method] : []))
    expect(methods).toEqual(sent)
  })

  it('take effect in their order, however late a fault lets the first response go', async () => {
    const server = await serverWithoutPets()
    await server.sandbox.faults.add({ fault: 'latency', ms: 1_000, operation: 'createPet' })
    const client = await connectRaw(server.port)
    const list = rawHead({ target: '/v1/pets' })
    sendAll(client, rawPost(longPet('a')), list, rawPost(shortPet('b')), list)
    // What has no latency is done while the first reply waits.
    await until(async () => (await server.sandbox.requests.list()).length === 2)
    expect(client.received).toBe('')
    await server.sandbox.clock.advance('1s')
    const replies = await repliesOf(client, 4)
    expect(replies.map(({ status }) => status)).toEqual([201, 200, 201, 200])
    expect(replies.filter((_, index) => index % 2 === 1).map(namesIn)).toEqual([['a'], ['a', 'b']])
  })

  it.each([
    { what: 'is rejected for its size', length: 1_100_000, status: 413 },
    { what: 'is not JSON', length: -1, status: 400 },
  ])('are answered behind a long one that $what', async ({ length, status }) => {
    const server = await serverWithoutPets()
    const client = await connectRaw(server.port)
    const body = length < 0 ? '['.repeat(300_000) : longPet('a', length)
    sendAll(client, rawPost(body), rawPost(shortPet('b')), getPet(1), rawPost(body), getPet(1))
    const replies = await repliesOf(client, 5)
    expect(replies.map((reply) => reply.status)).toEqual([status, 201, 200, status, 200])
  })

  it('are handled behind a control that the guard rejects, and behind a preflight', async () => {
    const server = await serverWithoutPets({ controlToken: 'secret' })
    const client = await connectRaw(server.port)
    const preflight = rawHead({
      method: 'OPTIONS',
      lines: ['Origin: http://app.example', 'Access-Control-Request-Method: POST'],
    })
    const rejected = control('PUT', '/_sandbox/snapshot', '{}'.padEnd(300_000))
    const page = control('GET', '/_sandbox/ui')
    sendAll(client, rawPost(longPet('a')), preflight, rejected, page, preflight, getPet(1))
    const statuses = (await repliesOf(client, 6)).map(({ status }) => status)
    expect(statuses).toEqual([201, 204, 403, 302, 204, 200])
  })

  it('leave no trace behind a long one that breaks off in its body', async () => {
    const server = await serverWithoutPets()
    const client = await connectRaw(server.port)
    const whole = rawPost(longPet('b', 500_000))
    sendAll(client, rawPost(longPet('a')), getPet(1), whole.subarray(0, 400_000))
    expect((await repliesOf(client, 2)).map(({ status }) => status)).toEqual([201, 200])
    client.leave()
    const other = await connectRaw(server.port)
    sendAll(other, rawPost(longPet('c')), rawHead({ target: '/v1/pets' }))
    const [, list] = await repliesOf(other, 2)
    expect(list && namesIn(list)).toEqual(['a', 'c'])
  })

  it('are not waited for on other connections', async () => {
    const server = await serverWithoutPets()
    const [slow, quick] = [await connectRaw(server.port), await connectRaw(server.port)]
    const whole = rawPost(longPet('a', 500_000))
    sendAll(slow, whole.subarray(0, 400_000))
    sendAll(quick, rawPost(shortPet('b')), getPet(1))
    expect((await repliesOf(quick, 2)).map(({ status }) => status)).toEqual([201, 200])
    sendAll(slow, whole.subarray(400_000), getPet(2))
    expect((await repliesOf(slow, 2)).map(({ status }) => status)).toEqual([201, 200])
  })

  it('pass middleware that takes its time over one of them', async () => {
    const wait: express.RequestHandler = (request, response, next) => {
      if (request.method !== 'POST') next()
      else if (request.query.own === 'yes') setTimeout(() => response.status(202).end(), 20)
      else setTimeout(next, 20)
    }
    const server = await serverWithoutPets({ middleware: [wait, express.json({ limit: '2mb' })] })
    const client = await connectRaw(server.port)
    const head = rawHead({
      method: 'POST',
      target: '/v1/pets?own=yes',
      lines: ['Content-Length: 0'],
    })
    sendAll(client, rawPost(longPet('a')), getPet(1), head, rawPost(shortPet('b')), getPet(2))
    const statuses = (await repliesOf(client, 5)).map(({ status }) => status)
    expect(statuses).toEqual([201, 200, 202, 201, 200])
  })

  it('come to middleware at once, before those ahead of them have taken effect', async () => {
    const app = express.Router()
    app.get('/count', (_request, response) => void response.json(server.sandbox.pets.size))
    const server = await serverWithoutPets({ middleware: [app] })
    const client = await connectRaw(server.port)
    sendAll(client, rawPost(longPet('a')), rawHead({ target: '/count' }), getPet(1))
    const bodies = (await repliesOf(client, 3)).map(({ body }): unknown => JSON.parse(body))
    expect(bodies).toMatchObject([{ id: 1 }, 0, { id: 1 }])
  })

  it('find what controls before them have done, and are found by those behind', async () => {
    const server = await serverWithoutPets()
    const client = await connectRaw(server.port)
    const snapshot = JSON.stringify(await server.sandbox.snapshot())
    const list = rawHead({ target: '/v1/pets' })
    sendAll(
      client,
      rawPost(longPet('a')),
      control('GET', '/_sandbox/pets'),
      control('POST', '/_sandbox/pets', shortPet('b')),
      list,
      control('PUT', '/_sandbox/snapshot', snapshot.padEnd(400_000)),
      list,
      rawPost(longPet('c')),
      control('POST', '/_sandbox/sandboxes', '{"name":"new"}'),
      rawHead({ target: '/sandboxes/new/v1/pets?limit=1' }),
      control('DELETE', '/sandboxes/new/_sandbox/pets'),
      rawHead({ target: '/sandboxes/new/v1/pets?limit=1' }),
      list,
    )
    const replies = await repliesOf(client, 12)
    const found = replies.map((reply) =>
      reply.body.startsWith('[') ? namesIn(reply) : reply.status,
    )
    const [named] = found.splice(8, 1)
    expect(named).toHaveLength(1)
    expect(found).toEqual([201, ['a'], 201, ['a', 'b'], 204, [], 201, 201, 204, [], ['c']])
  })
})
