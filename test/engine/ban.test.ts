import { describe, expect, it } from 'vitest'
import type { Reply } from '../../src/contract/message.ts'
import { frozenSandbox, startAt } from '../kit/frozen-sandbox.ts'
import { send } from '../kit/send.ts'
import { sendMany } from '../kit/send-many.ts'

const codesOf = (replies: readonly Reply[]) =>
  replies.map(({ body }) => (JSON.parse(body) as { code: string }).code)

const tenRefusals = Array.from({ length: 10 }, () => 'rate_limit_exceeded')

describe('the ban of a key', () => {
  it('comes with the request after the tenth that was refused in one window', async () => {
    const sandbox = frozenSandbox()
    await sendMany(sandbox, 60)
    expect(codesOf(await sendMany(sandbox, 12))).toEqual([
      ...tenRefusals,
      'key_banned',
      'key_banned',
    ])
  })

  it('is said with its end, five minutes on, in body and headers', async () => {
    const sandbox = frozenSandbox()
    sandbox.keys.setRemaining('free-key', { minute: 0 })
    const [reply] = (await sendMany(sandbox, 11)).slice(-1)
    expect(reply?.status).toBe(429)
    expect(reply?.headers).toMatchObject({
      'retry-after': '300',
      'x-ratelimit-limit': '60',
      'x-ratelimit-remaining': '0',
      'x-ratelimit-reset': String(startAt / 1000 + 300),
    })
    expect(JSON.parse(reply?.body ?? '')).toEqual({
      code: 'key_banned',
      message:
        'Cannot serve the request: the API key is banned, since requests went on after a 429; retry at 2026-01-01T00:05:00Z',
      status: 429,
    })
  })

  it('says that a control set it, also after a snapshot', async () => {
    const sandbox = frozenSandbox()
    sandbox.keys.change('free-key', { ban: '5m' })
    const words = 'the API key is banned, by a control of the sandbox; retry'
    expect((await send(sandbox)).body).toContain(words)
    await sandbox.restore(await sandbox.snapshot())
    expect((await send(sandbox)).body).toContain(words)
  })

  it('does not come for refusals in more than one window', async () => {
    const sandbox = frozenSandbox()
    for (let minute = 0; minute < 5; minute++) {
      sandbox.keys.setRemaining('free-key', { minute: 0 })
      expect(codesOf(await sendMany(sandbox, 10))).toEqual(tenRefusals)
      sandbox.clock.advance('1m')
    }
    expect((await send(sandbox)).status).toBe(200)
  })

  it('comes for refusals over a whole day when it is the day that is full', async () => {
    const sandbox = frozenSandbox()
    sandbox.keys.setRemaining('free-key', { day: 0 })
    const replies: Reply[] = []
    for (let hour = 0; hour < 11; hour++) {
      replies.push(await send(sandbox))
      sandbox.clock.advance('1h')
    }
    expect(codesOf(replies)).toEqual([...tenRefusals, 'key_banned'])
    expect(replies.at(-1)?.headers['retry-after']).toBe(String(14 * 3_600))
  })

  it('does not come for the refusals of other keys', async () => {
    const keys = ['a', 'b'].map((key) => ({ key, plan: 'free' as const, remaining: { minute: 0 } }))
    const sandbox = frozenSandbox({ seed: { keys } })
    await sendMany(sandbox, 11, { key: 'a' })
    expect(codesOf([await send(sandbox, { key: 'b' })])).toEqual(['rate_limit_exceeded'])
  })

  it.each([
    { method: 'GET', url: '/v1/pets/1' },
    { method: 'PUT', url: '/v1/pets' },
    { method: 'GET', url: '/v1/nothing' },
    { method: 'POST', url: '/v1/pets' },
  ])('refuses $method $url too, also when a new window has begun', async (request) => {
    const sandbox = frozenSandbox()
    sandbox.keys.setRemaining('free-key', { minute: 0 })
    await sendMany(sandbox, 11)
    sandbox.clock.advance('2m')
    const reply = await send(sandbox, request)
    expect(codesOf([reply])).toEqual(['key_banned'])
    expect(reply.headers).toMatchObject({ 'retry-after': '180', 'x-ratelimit-remaining': '0' })
  })

  it('ends at its instant, however many requests were sent meanwhile', async () => {
    const sandbox = frozenSandbox()
    sandbox.keys.setRemaining('free-key', { minute: 0 })
    await sendMany(sandbox, 11)
    sandbox.clock.advance(299_999)
    const last = await sendMany(sandbox, 20)
    sandbox.clock.advance(1)
    const first = await send(sandbox)
    expect(new Set(codesOf(last))).toEqual(new Set(['key_banned']))
    expect(last.at(-1)?.headers['retry-after']).toBe('1')
    expect(first.status).toBe(200)
    expect(first.headers['x-ratelimit-remaining']).toBe('59')
  })

  it('is not made longer by requests in the window that it began in', async () => {
    const sandbox = frozenSandbox()
    sandbox.keys.setRemaining('free-key', { minute: 0, day: 0 })
    await sendMany(sandbox, 11)
    sandbox.clock.advance('10s')
    await sendMany(sandbox, 5)
    sandbox.keys.setRemaining('free-key', { minute: 60, day: 1_000 })
    expect((await send(sandbox)).headers['retry-after']).toBe('290')
  })

  it('leaves a window that outlasts it to refuse for itself', async () => {
    const preset = { key: 'k', plan: 'free' as const, ban: '10s', remaining: { minute: 0 } }
    const sandbox = frozenSandbox({ seed: { keys: [preset] } })
    const banned = await send(sandbox, { key: 'k' })
    sandbox.clock.advance('10s')
    const over = await send(sandbox, { key: 'k' })
    expect(codesOf([banned, over])).toEqual(['key_banned', 'rate_limit_exceeded'])
  })

  it('says to wait for a window that outlasts it', async () => {
    const sandbox = frozenSandbox({ gaps: { banDuration: '10s' } })
    sandbox.keys.setRemaining('free-key', { minute: 0 })
    const [reply] = (await sendMany(sandbox, 11)).slice(-1)
    expect(codesOf(reply === undefined ? [] : [reply])).toEqual(['key_banned'])
    expect(reply?.headers).toMatchObject({
      'retry-after': '60',
      'x-ratelimit-reset': String(startAt / 1000 + 60),
    })
  })

  it('ends on a whole second, so that a wait in seconds is long enough and no longer', async () => {
    const sandbox = frozenSandbox()
    sandbox.clock.advance(250)
    const reply = await send(sandbox, { key: 'banned-key' })
    expect(reply.headers).toMatchObject({
      'retry-after': '301',
      'x-ratelimit-reset': String(startAt / 1000 + 301),
    })
    sandbox.clock.advance('301s')
    expect((await send(sandbox, { key: 'banned-key' })).status).toBe(200)
  })
})
