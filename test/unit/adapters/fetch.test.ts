import { describe, expect, it, vi } from 'vitest'
import { createFetchHandler, type FetchOptions } from '../../../src/adapters/fetch.ts'
import type { FaultSettings } from '../../../src/mock/faults/fault-rules.ts'
import { InputError } from '../../../src/mock/input/input-error.ts'
import type { Sandbox } from '../../../src/sandbox/sandbox.ts'
import { frozenSandbox } from '../../kit/frozen-sandbox.ts'

const api = 'https://api.petstore.test/v1'
const newPet = '{"name":"Rex","categoryId":1}'

/** A request with the key of the Free plan. */
function request(url: string, { headers, ...init }: RequestInit = {}): Request {
  return new Request(url, {
    ...init,
    headers: { authorization: 'Bearer free-key', ...(headers as Record<string, string>) },
  })
}

function post(body: BodyInit): Request {
  const init = { method: 'POST', body, headers: { 'content-type': 'application/json' } }
  return request(`${api}/pets`, {
    ...init,
    ...(typeof body === 'string' ? {} : { duplex: 'half' }),
  })
}

/** Sends one request to a new handler of a sandbox. */
function sendTo(sandbox: Sandbox, one: Request): Promise<Response> {
  return createFetchHandler(sandbox)(one)
}

/** A body in pieces of 64 KiB, and how many of them were taken. */
function endlessBody(): { readonly stream: ReadableStream<Uint8Array>; taken(): number } {
  let taken = 0
  const stream = new ReadableStream<Uint8Array>({
    pull(controller) {
      taken++
      controller.enqueue(new Uint8Array(65_536).fill(0x20))
    },
  })
  return { stream, taken: () => taken }
}

async function* inTurn(pieces: readonly string[]): AsyncGenerator<string> {
  yield* pieces
}

/** Lets everything happen that waits for nothing but its turn. */
function nextTask(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}

/** Counts the listeners that are on a signal from now on. */
function countListeners(signal: AbortSignal): () => number {
  const added = vi.spyOn(signal, 'addEventListener')
  const removed = vi.spyOn(signal, 'removeEventListener')
  return () => {
    const left = new Set(added.mock.calls.map(([, listener]) => listener))
    for (const [, listener] of removed.mock.calls) left.delete(listener)
    return left.size
  }
}

describe('createFetchHandler()', () => {
  it('handles a Request with a Response, its headers as the process spells them', async () => {
    const response = await sendTo(frozenSandbox(), request(`${api}/pets?limit=1`))
    expect(response.status).toBe(200)
    expect(Object.fromEntries(response.headers)).toEqual({
      'content-length': '61',
      'content-type': 'application/json',
      date: 'Thu, 01 Jan 2026 00:00:00 GMT',
      'x-ratelimit-limit': '60',
      'x-ratelimit-remaining': '59',
      'x-ratelimit-reset': '1767225660',
    })
    expect(await response.text()).toBe(
      '[{"id":1,"name":"Bella","categoryId":1,"status":"available"}]',
    )
  })

  it.each([
    { what: 'a URL', input: new URL(`${api}/pets`) },
    { what: 'a text', input: `${api}/pets` },
  ])('can be the fetch of a client, which gives it $what and an init', async ({ input }) => {
    const sandbox = frozenSandbox()
    const headers = { authorization: 'Bearer free-key', 'content-type': 'application/json' }
    const init = { method: 'POST', headers, body: newPet }
    const response = await createFetchHandler(sandbox)(input, init)
    expect(response.status).toBe(201)
    expect(sandbox.pets.size).toBe(31)
  })

  it('leaves alone what a host gives it beside a request', async () => {
    const handler: (request: Request, context: unknown) => Promise<Response> = createFetchHandler(
      frozenSandbox(),
    )
    const response = await handler(request(`${api}/pets`), { method: 'DELETE', params: {} })
    expect(response.status).toBe(200)
  })

  it('handles a request of another realm', async () => {
    const { method, url, headers, signal, body, bodyUsed } = request(`${api}/pets`)
    const foreign = { method, url, headers, signal, body, bodyUsed } as Request
    expect((await sendTo(frozenSandbox(), foreign)).status).toBe(200)
  })

  it.each([
    { input: undefined, found: 'undefined' },
    { input: 7, found: '7' },
    { input: { url: `${api}/pets` }, found: 'an object' },
  ])('says what it needs where it is given $found', async ({ input, found }) => {
    const handler = createFetchHandler(frozenSandbox())
    await expect(handler(input as unknown as Request)).rejects.toThrow(
      new TypeError(`Cannot respond: found ${found}; use a Request, or a URL and its init`),
    )
  })

  it.each([
    { basePath: '/v1', url: 'http://localhost:3000/v1/pets', status: 200 },
    { basePath: '/api/v1', url: 'http://localhost:3000/api/v1/pets?limit=1', status: 200 },
    { basePath: '/', url: 'http://localhost:3000/pets', status: 200 },
    { basePath: '/', url: 'http://localhost:3000?limit=1', status: 404 },
    { basePath: '/api', url: 'http://localhost:3000/v1/pets', status: 404 },
    { basePath: '/api', url: 'http://localhost:3000/apis/pets', status: 404 },
    { basePath: '/v1', url: 'http://localhost:3000/V1/pets', status: 404 },
    { basePath: '/v1', url: 'http://[::1]:3000/v1/pets#top', status: 200 },
  ])('answers $url with $status where /v1 is $basePath', async ({ basePath, url, status }) => {
    const response = await createFetchHandler(frozenSandbox(), { basePath })(request(url))
    expect(response.status).toBe(status)
  })

  it.each(['v1', '/v1?x'])('rejects %j as a base path', (basePath) => {
    expect(() => createFetchHandler(frozenSandbox(), { basePath })).toThrow(InputError)
  })

  it('rejects an unknown option', () => {
    const options = { basePth: '/v1' } as FetchOptions
    expect(() => createFetchHandler(frozenSandbox(), options)).toThrow(
      expect.objectContaining({
        path: ['basePth'],
        reason: 'unknown-property',
      }),
    )
  })

  it('reads a body that comes in pieces', async () => {
    const pieces = ['{"name":"', 'R\u00e9x', '","categoryId":1}'].map((piece) =>
      new TextEncoder().encode(piece),
    )
    const stream = new ReadableStream({
      pull(controller) {
        const piece = pieces.shift()
        if (piece === undefined) controller.close()
        else controller.enqueue(piece)
      },
    })
    const response = await sendTo(frozenSandbox(), post(stream))
    expect(await response.json()).toMatchObject({ id: 31, name: 'R\u00e9x' })
  })

  it('stops reading a body that is too large, and says in the request log how much there was', async () => {
    const sandbox = frozenSandbox()
    const { stream, taken } = endlessBody()
    const response = await sendTo(sandbox, post(stream))
    expect(response.status).toBe(413)
    expect(taken()).toBeLessThan(20)
    const { body, bodyBytes = 0 } = sandbox.requests.get(1).request
    expect(body).toBe('')
    expect(bodyBytes).toBeGreaterThan(1_048_576)
  })

  it('responds though the rest of a body that is too large is never read, as of a clone', async () => {
    const original = post(' '.repeat(2_000_000))
    original.clone()
    expect((await sendTo(frozenSandbox(), original)).status).toBe(413)
  })

  it('says that something else has read the body', async () => {
    const original = post(newPet)
    await original.text()
    await expect(sendTo(frozenSandbox(), original)).rejects.toThrow('it has been read already')
  })

  it.each([204, 205, 304])('gives a response with %i no body, and no length', async (status) => {
    const reply = { status, headers: {}, body: '' }
    const pieces = inTurn([''])
    const headers = { 'content-length': '0' }
    for (const outcome of [
      { kind: 'response', ...reply },
      { kind: 'broken-response', ...reply, headers, pieces, end: 'whole' },
    ] as const) {
      const handler = createFetchHandler({ handle: async () => outcome })
      const response = await handler(request(`${api}/pets/1`, { method: 'DELETE' }))
      expect(response.status).toBe(status)
      expect(response.body).toBeNull()
      expect([...response.headers]).toEqual([])
    }
  })

  it('does nothing for a client that has given up', async () => {
    const sandbox = frozenSandbox()
    const one = request(`${api}/pets`, { signal: AbortSignal.abort(new Error('enough')) })
    await expect(sendTo(sandbox, one)).rejects.toThrow('enough')
    expect(sandbox.requests.list()).toEqual([])
  })

  it('keeps in the request log at once that its client has left', async () => {
    const sandbox = frozenSandbox()
    sandbox.faults.add({ fault: 'latency', ms: '1m' })
    const controller = new AbortController()
    const pending = sendTo(sandbox, request(`${api}/pets`, { signal: controller.signal }))
    await nextTask()
    expect(sandbox.requests.list()).toEqual([])
    controller.abort()
    await expect(pending).rejects.toThrow(DOMException)
    expect(sandbox.requests.last()?.why).toContain('the client left before the response')
  })

  it('does nothing for a client that gives up while it sends', async () => {
    const sandbox = frozenSandbox()
    const cancel = vi.fn()
    const stream = new ReadableStream({
      start: (controller) => controller.enqueue(new TextEncoder().encode(newPet)),
      cancel,
    })
    const controller = new AbortController()
    const sent = new Request(post(stream), { signal: controller.signal })
    const pending = sendTo(sandbox, sent)
    await nextTask()
    controller.abort(new Error('enough'))
    await expect(pending).rejects.toThrow('enough')
    expect(cancel).toHaveBeenCalled()
    await nextTask()
    expect(sandbox.requests.list()).toEqual([])
  })

  it.each([{ fault: 'latency', ms: '1d' } as const, { fault: 'timeout' } as const])(
    'ends what a $fault fault holds up when the sandbox is reset',
    async (fault) => {
      const sandbox = frozenSandbox()
      sandbox.faults.add(fault)
      const pending = sendTo(sandbox, request(`${api}/pets`))
      await nextTask()
      sandbox.reset()
      if (fault.fault === 'latency') expect((await pending).status).toBe(200)
      else await expect(pending).rejects.toThrow('a fault broke the connection')
    },
  )

  it.each<{ readonly what: string; readonly fault?: FaultSettings }>([
    { what: 'a reply' },
    { what: 'a disconnect', fault: { fault: 'disconnect' } },
    { what: 'a body that breaks off', fault: { fault: 'truncated-body' } },
    { what: 'a slow body', fault: { fault: 'slow-body', ms: 0 } },
    { what: 'a timeout', fault: { fault: 'timeout' } },
  ])('leaves nothing on the signal after $what', async ({ fault }) => {
    const sandbox = frozenSandbox()
    if (fault !== undefined) sandbox.faults.add(fault)
    const one = request(`${api}/pets`)
    const listeners = countListeners(one.signal)
    const pending = sendTo(sandbox, one)
      .then((response) => response.text())
      .catch(() => {})
    await nextTask()
    sandbox.reset()
    await pending
    expect(listeners()).toBe(0)
  })

  it.each([{ fault: 'disconnect', when: 'body' } as const, { fault: 'truncated-body' } as const])(
    'fails in the middle of the body with $fault',
    async (fault) => {
      const sandbox = frozenSandbox()
      sandbox.faults.add(fault)
      const response = await sendTo(sandbox, request(`${api}/pets?limit=1`))
      expect(response.status).toBe(200)
      expect(response.headers.get('content-length')).toBe('61')
      await expect(response.text()).rejects.toThrow('A fault broke the connection')
    },
  )

  it('gives headers at once and a slow body piece by piece, and stops when nobody reads it', async () => {
    const sandbox = frozenSandbox()
    sandbox.faults.add({ fault: 'slow-body', ms: '10s' })
    const response = await sendTo(sandbox, request(`${api}/pets?limit=1`))
    const reader = response.body?.getReader()
    expect((await reader?.read())?.value).toHaveLength(0)
    const first = reader?.read()
    await nextTask()
    sandbox.clock.advance('1s')
    expect(new TextDecoder().decode((await first)?.value)).toBe('[{"id":')
    await reader?.cancel()
  })

  it('fails the reader of a slow body as soon as its client gives up', async () => {
    const sandbox = frozenSandbox()
    sandbox.faults.add({ fault: 'slow-body', ms: '10s' })
    const controller = new AbortController()
    const { signal } = controller
    const response = await sendTo(sandbox, request(`${api}/pets`, { signal }))
    const text = response.text()
    await nextTask()
    controller.abort(new Error('enough'))
    await expect(text).rejects.toThrow('enough')
  })
})
