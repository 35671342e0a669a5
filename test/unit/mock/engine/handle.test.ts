import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { serverStops } from '../../../../src/mock/api/message.ts'
import { Pets } from '../../../../src/mock/state/pets.ts'
import { createSandbox } from '../../../../src/sandbox/sandbox.ts'
import { frozenSandbox } from '../../../kit/frozen-sandbox.ts'
import { requestOf, send, type TestRequest } from '../../../kit/send.ts'

const large = 'x'.repeat(2 ** 20 + 1)

describe('a bug', () => {
  it('is no rejection: it goes to whoever has asked', async () => {
    const bug = new Error('Cannot list: this is a test')
    const list = vi.spyOn(Pets.prototype, 'list').mockImplementation(() => {
      throw bug
    })
    onTestFinished(() => list.mockRestore())
    await expect(frozenSandbox().handle(requestOf({}))).rejects.toBe(bug)
  })
})

describe('handle()', () => {
  it.each([
    { rejection: '401 before 404', status: 401, url: '/v1/nothing', key: null },
    { rejection: '401 before 405', status: 401, method: 'PUT', key: null },
    { rejection: '401 before 413', status: 401, json: large, key: null },
    { rejection: '401 before 400', status: 401, json: '{}', key: null },
    { rejection: '401 before 429', status: 401, key: 'revoked-key' },
    { rejection: '429 before 404', status: 429, url: '/v1/nothing', key: 'minute-exhausted-key' },
    { rejection: '429 before 405', status: 429, method: 'PUT', key: 'minute-exhausted-key' },
    { rejection: '429 before 501', status: 429, url: '/v1/store/orders', key: 'banned-key' },
    { rejection: '429 before 400', status: 429, json: '{}', key: 'day-exhausted-key' },
    { rejection: '404 before 413', status: 404, url: '/v1/nothing', json: large },
    { rejection: '404 before 400', status: 404, url: '/v1/nothing?limit=0', json: '{}' },
    { rejection: '405 before 400', status: 405, method: 'PUT', json: '{}' },
    { rejection: '405 before 413', status: 405, url: '/v1/pets/1', json: large },
  ] satisfies (TestRequest & { rejection: string; status: number })[])(
    'answers $rejection',
    async ({ status, ...row }) => {
      const { rejection: _, ...request } = row
      expect((await send(frozenSandbox(), request)).status).toBe(status)
    },
  )

  it('lets no fault strike in the place of what its host could not read', async () => {
    const sandbox = frozenSandbox()
    sandbox.faults.add({ fault: 'status', status: 503, times: 1 })
    await send(sandbox, { unreadable: 'Cannot read the request' })
    expect(sandbox.faults.list()).toMatchObject([{ matched: 0, applied: 0 }])
  })

  it('takes no time on a clock that runs, where no fault does', async () => {
    const sandbox = createSandbox()
    let now = Date.UTC(2026, 0)
    const read = vi.spyOn(Date, 'now').mockImplementation(() => now++)
    onTestFinished(() => read.mockRestore())
    await send(sandbox)
    expect(sandbox.requests.last()).toMatchObject({ durationMs: 0 })
  })
})

describe('handle() with a signal', () => {
  it.each([
    { reason: undefined, said: 'the client left' },
    { reason: 'bored', said: 'the client left' },
    { reason: serverStops, said: 'the server stops' },
  ])('says that $said before the response', async ({ reason, said }) => {
    const sandbox = frozenSandbox()
    sandbox.faults.add({ fault: 'latency', ms: '1h' })
    const client = new AbortController()
    const responded = sandbox.handle(requestOf({}), client.signal)
    client.abort(reason)
    expect(await responded).toMatchObject({ status: 200 })
    expect(sandbox.requests.last()?.why).toBe(
      `200: listPets; spec 4.1; fault 1 (latency); ${said} before the response`,
    )
  })
})
