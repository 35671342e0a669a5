import { http } from 'msw'
import { setupWorker } from 'msw/browser'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { connectSandbox } from '../../src/client/connect-sandbox.ts'
import { NotFoundError } from '../../src/mock/input/input-error.ts'
import type { ControlResponse } from '../../src/sandbox/controls/http/route.ts'
import { frozenSandbox } from '../kit/frozen-sandbox.ts'
import { requestOf } from '../kit/send.ts'

const sandbox = frozenSandbox()

/** Serves the control API to the page, as a process that serves the page would. */
const worker = setupWorker(
  http.all('*/_sandbox/*', async ({ request }) => {
    const { pathname, search } = new URL(request.url)
    const reply = await sandbox.handleControl({
      method: request.method,
      url: pathname + search,
      headers: Object.fromEntries(request.headers),
      body: await request.text(),
    })
    return new Response(bodyOf(reply), { status: reply.status, headers: reply.headers })
  }),
)

function bodyOf(reply: ControlResponse): string | ReadableStream<Uint8Array> | null {
  if (reply.kind === 'response') return reply.status === 204 ? null : reply.body
  const pieces = reply.pieces[Symbol.asyncIterator]()
  return new ReadableStream({
    async pull(controller) {
      const { value, done } = await pieces.next()
      if (done) controller.close()
      else controller.enqueue(new TextEncoder().encode(value))
    },
    async cancel() {
      await pieces.return?.()
    },
  })
}

beforeAll(() => worker.start({ onUnhandledFrame: 'bypass', quiet: true }))
afterAll(() => worker.stop())

describe('connectSandbox() in a page', () => {
  it('controls a sandbox', async () => {
    const client = connectSandbox(`${location.origin}/v1`)
    await client.clock.advance('61s')
    expect(sandbox.clock.read().now).toBe('2026-01-01T00:01:01Z')
    const pet = await client.pets.create({ name: 'Rex', categoryId: 2n ** 62n })
    expect(pet).toMatchObject({ id: 31, categoryId: 2n ** 62n })
    await expect(client.keys.get('none')).rejects.toThrow(NotFoundError)
  })

  it('gives its events', async () => {
    const events = connectSandbox(location.origin).events()
    await events.ready
    await sandbox.handle(requestOf({}))
    for await (const { why } of events) {
      expect(why).toBe('200: listPets; spec 4.1')
      break
    }
  })
})
