import { describe, expect, it } from 'vitest'
import { frozenSandbox, startAt } from '../kit/frozen-sandbox.ts'
import { send } from '../kit/send.ts'
import { sendMany } from '../kit/send-many.ts'

const startSeconds = startAt / 1000

describe('reportOf()', () => {
  it('counts down to 0 with the last request that is served', async () => {
    const replies = await sendMany(frozenSandbox(), 60)
    expect(replies.map(({ headers }) => Number(headers['x-ratelimit-remaining']))).toEqual(
      Array.from({ length: 60 }, (_, index) => 59 - index),
    )
  })

  it.each([
    { remaining: { minute: 10, day: 20 }, limit: '60', left: '9', resetIn: 60 },
    { remaining: { minute: 20, day: 10 }, limit: '1000', left: '9', resetIn: 86_400 },
    { remaining: { minute: 10, day: 10 }, limit: '1000', left: '9', resetIn: 86_400 },
  ])(
    'describes the window with the fewest left, or the later of two: $limit of $remaining',
    async ({ remaining, limit, left, resetIn }) => {
      const sandbox = frozenSandbox()
      sandbox.keys.setRemaining('free-key', remaining)
      const { headers } = await send(sandbox)
      expect(headers).toMatchObject({
        'x-ratelimit-limit': limit,
        'x-ratelimit-remaining': left,
        'x-ratelimit-reset': String(startSeconds + resetIn),
      })
    },
  )

  it('describes the minute on a tie when it is the minute that ends later', async () => {
    const sandbox = frozenSandbox({ gaps: { quotaWindow: 'first-request' } })
    await send(sandbox)
    sandbox.clock.advance(86_400_000 - 30_000)
    await send(sandbox)
    sandbox.keys.setRemaining('free-key', { minute: 10, day: 10 })
    const { headers } = await send(sandbox)
    expect(headers).toMatchObject({
      'x-ratelimit-limit': '60',
      'x-ratelimit-remaining': '9',
      'x-ratelimit-reset': String(startSeconds + 86_400 + 30),
    })
  })

  it('describes the day on a tie when both end together, at midnight', async () => {
    const sandbox = frozenSandbox()
    sandbox.clock.set(startAt + 86_400_000 - 30_000)
    sandbox.keys.setRemaining('free-key', { minute: 5, day: 5 })
    expect((await send(sandbox)).headers).toMatchObject({
      'x-ratelimit-limit': '1000',
      'x-ratelimit-remaining': '4',
      'x-ratelimit-reset': String(startSeconds + 86_400),
    })
  })

  it('counts requests without a valid key by the token they bring, at the figures of Free', async () => {
    const sandbox = frozenSandbox()
    const requests = [null, null, 'unknown', 'revoked-key', 'unknown', null]
    const replies = []
    for (const key of requests) replies.push(await send(sandbox, { key }))
    expect(replies.map(({ headers }) => headers['x-ratelimit-remaining'])).toEqual([
      '59',
      '58',
      '59',
      '59',
      '58',
      '57',
    ])
    expect(replies[0]?.headers).toMatchObject({
      'x-ratelimit-limit': '60',
      'x-ratelimit-reset': String(startSeconds + 60),
    })
  })

  it('answers 401 without a valid key for ever, never 429', async () => {
    const replies = await sendMany(frozenSandbox(), 70, { key: null })
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([401]))
    expect(replies.at(-1)?.headers['x-ratelimit-remaining']).toBe('0')
  })
})
