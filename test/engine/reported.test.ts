import { describe, expect, it } from 'vitest'
import { frozenSandbox, startAt } from '../kit/frozen-sandbox.ts'
import { send } from '../kit/send.ts'
import { sendMany } from '../kit/send-many.ts'

describe("rateLimit: 'reported'", () => {
  it('counts down and stays at 0, but refuses nothing', async () => {
    const replies = await sendMany(frozenSandbox({ rateLimit: 'reported' }), 75)
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]))
    expect(replies[0]?.headers['x-ratelimit-remaining']).toBe('59')
    expect(replies[59]?.headers['x-ratelimit-remaining']).toBe('0')
    expect(replies[74]?.headers).toMatchObject({
      'x-ratelimit-remaining': '0',
      'x-ratelimit-reset': String(startAt / 1000 + 60),
    })
    expect(replies[74]?.headers).not.toHaveProperty('retry-after')
  })

  it.each(['minute-exhausted-key', 'day-exhausted-key', 'banned-key'])('serves %s', async (key) => {
    expect((await send(frozenSandbox({ rateLimit: 'reported' }), { key })).status).toBe(200)
  })

  it.each([null, 'revoked-key'])('still refuses the key %s with 401', async (key) => {
    expect((await send(frozenSandbox({ rateLimit: 'reported' }), { key })).status).toBe(401)
  })

  it('can be switched on and off, and what was spent meanwhile counts', async () => {
    const sandbox = frozenSandbox()
    sandbox.setRateLimit('reported')
    await sendMany(sandbox, 60)
    sandbox.setRateLimit('enforced')
    expect((await send(sandbox)).status).toBe(429)
  })
})
