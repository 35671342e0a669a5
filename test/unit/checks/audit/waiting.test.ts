import { describe, expect, it } from 'vitest'
import { startAt } from '../../../kit/frozen-sandbox.ts'
import { describeRules, times, together } from '../../../kit/rule-cases.ts'
import { judge, limited, namesIn, type StoryStep } from '../../../kit/story.ts'

/** A service that says for how long it can't answer. */
const unavailable: StoryStep = { status: 503, code: 'internal_error', retryIn: 60_000 }
const dated: StoryStep = { ...limited, asDate: true }
const stamped: StoryStep = { ...limited, retryAs: 'unix-time' }
const skewed: StoryStep = { ...dated, dateHeaderSkew: 30_000 }
const banned: StoryStep = { status: 429, code: 'key_banned', retryIn: 300_000 }

/** A rejected list, sent twice more with the same pause. */
function inARow(after: number): StoryStep[] {
  return [limited, { ...limited, after, retryIn: 60_000 - after }, { after }]
}

/** A list that is rejected for a minute, with Retry-After in milliseconds. */
const inMs: StoryStep = { ...limited, retryAs: 'milliseconds' }

describeRules([
  {
    rule: 'info retry-after-misread',
    found: [
      { why: 'seconds taken for milliseconds', story: [limited, { after: 60 }] },
      {
        why: 'two seconds taken for two milliseconds over HTTP (T3)',
        story: [{ ...limited, retryIn: 2_000 }, { after: 2 }],
        adapter: 'server',
      },
      {
        why: 'a fixed pause, once and again (T8)',
        story: [
          { ...banned, retryIn: 300_000 },
          { ...banned, after: 300, retryIn: 299_700 },
          { ...banned, after: 300, retryIn: 299_400 },
        ],
      },
      {
        why: 'a fraction of seconds taken for milliseconds',
        story: [{ ...limited, retryAs: 'fraction' }, { after: 61 }],
      },
    ],
    not: [
      { why: 'the whole wait', story: [limited, { after: 60_000 }] },
      { why: 'no wait', story: [limited, { after: 1 }] },
      { why: 'a wait of its own', story: [limited, { after: 100 }] },
      { why: 'a wait too short to tell', story: [{ ...limited, retryIn: 1_000 }, { after: 1 }] },
      { why: 'another request', story: [limited, { after: 60, url: '/v1/pets?limit=6' }] },
    ],
  },
  {
    rule: 'error retry-after-misread',
    before: 'info retry-after-misread',
    found: [
      {
        why: 'seconds taken for milliseconds, of two lengths',
        story: [limited, { ...limited, after: 60, retryIn: 40_000 }, { after: 40 }],
      },
      {
        why: 'seconds taken for milliseconds, of two lengths, over HTTP (T3)',
        story: [limited, { ...limited, after: 60, retryIn: 2_000 }, { after: 2 }],
        adapter: 'server',
      },
    ],
    not: [],
  },
  {
    rule: 'info retry-after-misread',
    found: [
      { why: 'milliseconds taken for seconds', story: [inMs, { after: 60_000_000 }] },
      { why: 'seconds multiplied by a million', story: [limited, { after: 60_000_000 }] },
      {
        why: 'a Unix timestamp taken for milliseconds',
        story: [stamped, { after: (startAt + 61_000) / 1000 }],
      },
      {
        why: 'a Unix timestamp taken for seconds',
        story: [stamped, { after: startAt + 61_000 }],
      },
      { why: 'a date taken for milliseconds', story: [dated, { after: startAt + 61_000 }] },
    ],
    not: [
      { why: 'some hours', story: [inMs, { after: 3_600_000 }] },
      { why: 'a day', story: [stamped, { after: 86_400_000 }] },
    ],
  },
  {
    rule: 'warning retry-after-misread',
    before: 'info retry-after-misread',
    found: [
      {
        why: 'milliseconds taken for seconds, of two lengths',
        story: [inMs, { ...inMs, after: 60_000_000, retryIn: 3_000 }, { after: 3_000_000 }],
      },
    ],
    not: [],
  },
  {
    rule: 'error retry-too-early',
    found: [
      { why: 'half of the wait', story: [limited, { after: 30_000 }] },
      { why: 'half of the wait that a 503 asks for', story: [unavailable, { after: 30_000 }] },
    ],
    not: [
      { why: 'the whole wait that a 503 asks for', story: [unavailable, { after: 60_000 }] },
      { why: 'a 503 that asks for no wait', story: [{ ...unavailable, retryIn: undefined }, {}] },
      { why: 'the whole wait', story: [limited, { after: 60_000 }] },
      { why: 'a wait by real time', story: [limited, { after: 0, really: 60_000 }] },
      { why: 'a wait by the sandbox alone', story: [limited, { after: 60_000, really: 1 }] },
      { why: 'a request that was sent before the rejection', story: [limited, { together: true }] },
      { why: 'a key that was changed', story: [limited, { mark: 'keys-changed' }, {}] },
      { why: 'a reset', story: [limited, { mark: 'reset' }, {}] },
      {
        why: 'a reset while the rejection was under way',
        story: [limited, { mark: 'reset', together: true }, {}],
      },
      { why: 'another key', story: [limited, { key: 'pro-key' }] },
      {
        why: 'another key over the same connection',
        story: [limited, { key: 'pro-key' }],
        adapter: 'server',
      },
      {
        why: 'a 429 without Retry-After',
        story: [{ status: 429, code: 'rate_limit_exceeded' }, {}],
      },
      { why: 'a 429 that a fault kept from it', story: [{ ...limited, broken: 'disconnect' }, {}] },
      { why: 'a 429 that it gave up before', story: [{ ...limited, delivery: 'aborted' }, {}] },
    ],
  },
  {
    rule: 'warning retry-too-early',
    found: [
      {
        why: 'the wait from a Date that is ahead to the date in Retry-After',
        story: [skewed, { after: 30_000 }],
      },
    ],
    not: [{ why: 'the whole wait all the same', story: [skewed, { after: 60_000 }] }],
  },
  {
    rule: 'error retry-too-early',
    found: [
      { why: 'less than the date in Retry-After', story: [dated, { after: 30_000 }] },
      ...(['milliseconds', 'fraction', 'unix-time'] as const).map((retryAs) => ({
        why: `less than the Retry-After of the form ${retryAs}`,
        story: [{ ...limited, retryAs }, { after: 30_000 }],
      })),
      {
        why: 'less than the date even from a Date that is ahead',
        story: [skewed, { after: 29_000 }],
      },
      {
        why: 'seconds, to which no Date matters',
        story: [{ ...limited, dateHeaderSkew: 30_000 }, { after: 30_000 }],
      },
    ],
    not: [
      { why: 'the whole wait for a date', story: [dated, { after: 60_000 }] },
      { why: 'the whole wait for a Unix timestamp', story: [stamped, { after: 60_000 }] },
    ],
  },
  {
    rule: 'warning retry-too-early',
    found: [
      ...[0, 30, 100, 249].map((after) => ({
        why: `once over HTTP, ${after} ms later (S1)`,
        story: [limited, { after }],
        adapter: 'server' as const,
      })),
      {
        why: 'once over HTTP after a 503 (S1)',
        story: [unavailable, { after: 30 }],
        adapter: 'server',
      },
      {
        why: 'once over HTTP, on a new connection (S1)',
        story: [limited, { after: 30, connection: 2, connectedAgo: 1 }],
        adapter: 'server',
      },
      { why: 'once in a page', story: [limited, { after: 30 }], adapter: 'playwright' },
      { why: 'once in its process', story: [limited, { after: 0, sameTurn: true }] },
      {
        why: 'again and again in a page, which may be a queue',
        story: inARow(30),
        adapter: 'playwright',
      },
      {
        why: 'a loop in a test whose clock stands still',
        story: [limited, ...times(3, { ...limited, after: 0 })],
        adapter: 'msw',
      },
      {
        why: 'a loop over HTTP in a test',
        story: [{ mark: 'test-started' }, ...inARow(30)],
        adapter: 'server',
      },
      {
        why: 'a loop over HTTP after the clock was moved',
        story: [{ mark: 'clock-moved' }, ...inARow(30)],
        adapter: 'server',
      },
    ],
    not: [
      {
        why: 'what a page sent at once',
        story: [limited, ...times(3, { ...limited, after: 0, sameTurn: true as const })],
        adapter: 'msw',
      },
      {
        why: 'another request',
        story: [limited, { after: 30, url: '/v1/pets' }],
        adapter: 'server',
      },
      {
        why: 'a wait by the clock that the test moves',
        story: [limited, { after: 60_000, really: 0 }],
        adapter: 'server',
      },
      {
        why: 'what was sent at once over connections that were open',
        story: [
          limited,
          ...[2, 3].map((connection) => ({ after: 1, connection, connectedAgo: 5 })),
        ],
        adapter: 'server',
      },
      {
        why: 'the rest of what a pool was sending',
        story: [{}, { together: true }, limited, ...times(3, { ...limited, after: 1 })],
        adapter: 'server',
      },
      {
        why: 'waits that are over',
        story: [limited, ...times(3, { ...limited, after: 60_000 })],
        adapter: 'server',
      },
    ],
  },
  {
    rule: 'error retry-too-early',
    before: 'warning retry-too-early',
    found: [
      ...[0, 30, 100, 249].map((after) => ({
        why: `again over HTTP, ${after} ms later (S1)`,
        story: inARow(after),
        adapter: 'server' as const,
      })),
      { why: 'again in a page (S1)', story: inARow(50), adapter: 'playwright' as const },
      {
        why: 'again over HTTP after a wait (S1)',
        story: [
          limited,
          { ...limited, after: 30, retryIn: 59_970 },
          { ...limited, after: 61_000 },
          { after: 30 },
        ],
        adapter: 'server',
      },
      {
        why: 'again over HTTP after a test',
        story: [{ mark: 'test-started' }, { mark: 'test-ended' }, ...inARow(30)],
        adapter: 'server',
      },
    ],
    not: [],
  },
  {
    rule: 'error retry-too-early',
    found: [
      {
        why: 'once over HTTP, 251 ms later (S1)',
        story: [limited, { after: 251 }],
        adapter: 'server',
      },
    ],
    not: [],
  },
  {
    rule: 'warning request-while-limited',
    found: [{ why: 'another request', story: [limited, { url: '/v1/pets?status=sold' }] }],
    not: [
      { why: 'another request after a 503', story: [unavailable, { url: '/v1/pets' }] },
      {
        why: 'another request after the wait',
        story: [limited, { after: 60_000, url: '/v1/pets' }],
      },
      { why: 'another request at once', story: [limited, { together: true, url: '/v1/pets' }] },
    ],
  },
  {
    rule: 'error request-while-banned',
    found: [{ why: 'a request after the reply', story: [banned, { after: 100_000 }] }],
    not: [
      {
        why: 'a reply that nobody can read, which only says to wait',
        story: [{ ...banned, broken: 'malformed-json' }, { after: 100_000 }],
      },
      { why: 'the end of the ban', story: [banned, { after: 300_000 }] },
    ],
  },
  {
    rule: 'error retried-until-banned',
    found: [{ why: 'requests that went on', story: [limited, limited, limited, banned] }],
    not: [
      { why: 'a ban by a control', story: [limited, { mark: 'keys-changed' }, banned] },
      { why: 'a magic key', story: [banned] },
      {
        why: 'requests that were under way',
        story: [limited, ...together(3, { ...banned, together: true })],
      },
      { why: 'requests after the wait', story: [limited, { ...banned, after: 60_000 }] },
      {
        why: 'waits each time, while others use up the limit or a frozen clock stands',
        story: [limited, ...times(3, { ...limited, after: 60_000 }), { ...banned, after: 60_000 }],
      },
      {
        why: 'rejections that never arrived',
        story: [...times(3, { ...limited, broken: 'disconnect' }), banned],
      },
    ],
  },
  {
    rule: 'error retried-until-banned',
    found: [
      {
        why: 'a loop over HTTP with short pauses (S1)',
        story: [...times(10, { ...limited, after: 100 }), { ...banned, after: 100 }],
        adapter: 'server',
      },
    ],
    not: [],
  },
  {
    rule: 'warning retried-until-banned',
    found: [
      {
        why: 'a loop over HTTP with short pauses in a test',
        story: [
          { mark: 'test-started' },
          ...times(10, { ...limited, after: 100 }),
          { ...banned, after: 100 },
        ],
        adapter: 'server',
      },
      {
        why: 'waits from a Date that was ahead',
        story: [skewed, ...times(3, { ...skewed, after: 30_000 }), { ...banned, after: 30_000 }],
      },
    ],
    not: [],
  },
  {
    rule: 'warning burst-until-banned',
    found: [
      { why: 'a burst', story: [...together(10, limited), { ...banned, together: true }] },
      { why: 'a burst of ten', story: [...together(9, limited), { ...banned, together: true }] },
      {
        why: 'a Date that is ahead of the date in Retry-After',
        story: [
          ...together(10, { ...skewed, dateHeaderSkew: 70_000 }),
          { ...banned, together: true, asDate: true, dateHeaderSkew: 400_000 },
        ],
      },
      {
        why: 'a burst over a pool of connections',
        story: [...together(10, limited), { ...banned, together: true as const }].map(
          (one, index) => ({ ...one, connection: index % 6 }),
        ),
        adapter: 'server',
      },
    ],
    not: [
      {
        why: 'retries with short pauses (S1)',
        story: [...times(10, { ...limited, after: 100 }), { ...banned, after: 100 }],
        adapter: 'server',
      },
      {
        why: 'a few at once, where few are enough',
        story: [...together(3, limited), { ...banned, together: true }],
      },
      { why: 'a burst of nine', story: [...together(8, limited), { ...banned, together: true }] },
      { why: 'a burst without a ban', story: together(11, limited) },
      {
        why: 'two bursts with a wait between, though the second was served nothing either',
        story: [
          ...together(6, limited),
          { ...limited, after: 60_000, sameTurn: true },
          ...times(4, { ...limited, together: true as const }),
          { ...banned, together: true },
        ],
      },
      {
        why: 'rejections that were each waited for',
        story: [limited, ...times(11, { ...limited, after: 60_000 }), { ...banned, after: 60_000 }],
      },
    ],
  },
  {
    rule: 'warning request-with-none-remaining',
    found: [
      { why: 'a request after the last', story: [{ remaining: 0 }, limited] },
      {
        why: 'a wait from a Date that was ahead',
        story: [
          { remaining: 0, dateHeaderSkew: 30_000 },
          { ...limited, after: 30_000 },
        ],
      },
    ],
    not: [
      { why: 'the reset', story: [{ remaining: 0 }, { ...limited, after: 60_000 }] },
      { why: 'a request that was served', story: [{ remaining: 0 }, {}] },
      { why: 'a request at once', story: [{ remaining: 0 }, { ...limited, together: true }] },
      {
        why: 'a rejection that says it, too',
        story: [
          { ...limited, remaining: 0 },
          { ...limited, after: 60_000, remaining: 0 },
        ],
      },
    ],
  },
])

describe('a finding', () => {
  it('says what was done, with the numbers, what to do instead, and what proves it', () => {
    expect(judge([limited, { after: 200 }])).toEqual([
      {
        rule: 'retry-too-early',
        severity: 'error',
        message: 'Sent GET /pets again 0.2 s after it was rejected; Retry-After said 60 s.',
        advice:
          'Wait as long as Retry-After says, in whatever unit or as a date, before you send the request again.',
        source: 'spec 8.2; RFC 9110, 10.2.3',
        client: 1,
        requests: [1, 2],
      },
    ])
  })

  it('quotes what was sent, not what is left of it', () => {
    const [finding] = judge([{ ...limited, retryIn: 31_300 }, { after: 700 }])
    expect(finding?.message).toContain('Retry-After said 32 s.')
  })

  it('comes once for each time of a retry', () => {
    expect(namesIn(judge([limited, limited, { after: 500 }, { after: 500 }]))).toEqual([
      'error retry-too-early',
      'error retry-too-early',
    ])
  })

  it('is a warning where no clock moved, since a test may have replaced the sleep', () => {
    const still: StoryStep = { ...limited, after: 0 }
    const found = judge([limited, still, still, { ...banned, after: 0 }])
    expect(namesIn(found)).toEqual(['warning retry-too-early', 'warning retried-until-banned'])
    expect(found[0]).toMatchObject({
      message: expect.stringContaining(
        "no time passed between the tries, neither on the sandbox's clock nor for real",
      ),
      advice: expect.stringContaining(
        "if the tests replace the sleep, let them move the sandbox's clock",
      ),
    })
  })

  it('is an error, too, once time has passed between tries of which the first came at once', () => {
    const still: StoryStep = { ...limited, after: 0 }
    const soon: StoryStep = { ...limited, after: 300, retryIn: 59_700 }
    const story = [limited, still, soon, { ...banned, after: 300 }]
    expect(namesIn(judge(story))).toEqual([
      'warning retry-too-early',
      'error retry-too-early',
      'error retried-until-banned',
    ])
  })
})

describe('what a client could know', () => {
  it('covers, in its process, what came in an earlier turn of the event loop', () => {
    expect(namesIn(judge([limited, { after: 1 }]))).toEqual(['error retry-too-early'])
    expect(judge([limited, { after: 1, sameTurn: true, url: '/v1/pets' }])).toEqual([])
  })

  it('most likely covers, within a turn, a response to the same request, and certainly a second one', () => {
    const again: StoryStep = { ...limited, after: 1_000, sameTurn: true }
    expect(namesIn(judge([limited, again]))).toEqual(['warning retry-too-early'])
    expect(namesIn(judge([limited, again, again]))).toEqual([
      'warning retry-too-early',
      'error retry-too-early',
    ])
    expect(namesIn(judge([limited, again, { ...again, url: '/v1/pets' }]))).toEqual([
      'warning retry-too-early',
    ])
  })

  it('covers, over HTTP, what came before a pause: a queue goes on without one', () => {
    const adapter = 'server'
    expect(judge([limited, { after: 100, url: '/v1/pets' }], { adapter })).toEqual([])
    expect(namesIn(judge([limited, { after: 300 }], { adapter }))).toEqual([
      'error retry-too-early',
    ])
  })

  /** Two requests of the key that are under way at the same time. */
  const atOnce: StoryStep[] = [{ after: 70_000 }, { together: true, connection: 2 }]

  it('is, over HTTP, what came over any connection of a key that had one request at a time', () => {
    const adapter = 'server'
    const over = (connection: number): StoryStep[] => [limited, { after: 1_000, connection }]
    const [found] = judge(over(1), { adapter })
    expect(found).toMatchObject({ rule: 'retry-too-early', severity: 'error' })
    expect(judge(over(2), { adapter })).toEqual([found])
    expect(judge(over(2), { adapter, oneClient: true })).toEqual([found])
    expect(judge(over(2), { adapter, oneClient: false })).toMatchObject([
      { rule: 'retry-too-early', severity: 'info', advice: expect.stringContaining('oneClient') },
    ])
    const ofAnother = [{ key: 'pro-key' }, { key: 'pro-key', together: true as const }]
    expect(namesIn(judge([...ofAnother, ...over(2)], { adapter }))).toEqual([
      'error retry-too-early',
    ])
  })

  it.each([
    { when: 'before', story: [...atOnce, limited, { after: 1_000, connection: 2 }] },
    { when: 'after', story: [limited, { after: 1_000, connection: 2 }, ...atOnce] },
    {
      when: 'before a reset',
      story: [...atOnce, { mark: 'reset' as const }, limited, { after: 1_000, connection: 2 }],
    },
    {
      when: 'within a turn',
      story: [{}, { after: 0, sameTurn: true, connection: 3 }, limited, { connection: 2 }],
    },
  ] satisfies { when: string; story: StoryStep[] }[])(
    'is, over HTTP, what came over the same connection, with two requests at once $when',
    ({ story }) => {
      expect(judge(story, { adapter: 'server' })).toMatchObject([
        { rule: 'retry-too-early', severity: 'info', advice: expect.stringContaining('oneClient') },
      ])
      expect(namesIn(judge(story, { adapter: 'server', oneClient: true }))).toEqual([
        'error retry-too-early',
      ])
      expect(judge(story, { adapter: 'server', oneClient: true })[0]?.advice).not.toContain(
        'oneClient',
      )
    },
  )

  it('is nothing where workers each sent one request and stopped, unless they are one client', () => {
    const story = [...together(11, limited), { ...banned, together: true as const }]
    const apart = story.map((one, index) => ({ ...one, connection: index }))
    const namesOf = (oneClient: boolean) => namesIn(judge(apart, { adapter: 'server', oneClient }))
    expect(namesOf(false)).toContain('info burst-until-banned')
    expect(namesOf(true)).toContain('warning burst-until-banned')
  })

  it('is reported once for one client, although its second connection does the same again', () => {
    const again = { ...limited, after: 1_000, connection: 2 }
    const early: StoryStep[] = [
      limited,
      { ...again, retryIn: 59_000 },
      { ...again, retryIn: 58_000 },
    ]
    expect(namesIn(judge(early, { adapter: 'server' }))).toEqual(['error retry-too-early'])
    const story = [...early, ...atOnce]
    expect(namesIn(judge(story, { adapter: 'server' }))).toEqual([
      'info retry-too-early',
      'error retry-too-early',
    ])
    expect(namesIn(judge(story, { adapter: 'server', oneClient: true }))).toEqual([
      'error retry-too-early',
    ])
  })

  it('is reported for a connection, too, if it is sure only there', () => {
    const elsewhere: StoryStep = { url: '/v1/pets?limit=6', connection: 2, after: 100 }
    const quick: StoryStep = { ...limited, after: 10 }
    const early = [quick, quick, quick, quick, elsewhere, elsewhere, elsewhere, quick]
    const story: StoryStep[] = [...early, ...atOnce]
    const names = namesIn(judge(story, { adapter: 'server', oneClient: true }))
    expect(new Set(names)).toEqual(new Set(['info retry-too-early', 'error retry-too-early']))
  })
})

describe('retry-too-early', () => {
  const both: StoryStep[] = [
    { url: '/v1/pets?limit=6' },
    { url: '/v1/pets?limit=7', together: true },
  ]
  const again: StoryStep[] = [unavailable, { after: 6_900 }]

  it.each([undefined, true])(
    'is information after a 503 once a key has had two requests under way (one client: %s)',
    (oneClient) => {
      const found = judge([...both, ...again], { adapter: 'server', oneClient })
      expect(found).toMatchObject([
        { rule: 'retry-too-early', severity: 'info', advice: expect.stringContaining('its tasks') },
      ])
      expect(namesIn(judge(again, { adapter: 'server', oneClient }))).toEqual([
        'error retry-too-early',
      ])
    },
  )

  it('is still an error after a 429, which rejects the key', () => {
    const story = [...both, limited, { after: 6_900 }]
    expect(namesIn(judge(story, { adapter: 'server' }))).toContain('error retry-too-early')
  })

  it.each([undefined, true])(
    'is information after a short pause once a key has had two requests under way, before or later (one client: %s)',
    (oneClient) => {
      const soon = inARow(30)
      const later = both.map((one) => ({ ...one, after: 70_000 }))
      for (const story of [
        [...both, ...soon],
        [...soon, ...later],
      ]) {
        const found = judge(story, { adapter: 'server', oneClient })
        expect(found.filter(({ severity }) => severity !== 'info')).toEqual([])
      }
      expect(judge([...soon, ...later], { adapter: 'server', oneClient })[0]).toMatchObject({
        advice: expect.stringContaining('requests that wait in line for a connection'),
      })
    },
  )

  it('tells how to excuse a sleep that a test replaced', () => {
    const [found] = judge([limited, { after: 30 }], { adapter: 'server' })
    expect(found).toMatchObject({
      severity: 'warning',
      message: 'Sent GET /pets again 0.03 s after it was rejected; Retry-After said 60 s.',
      advice: expect.stringContaining(
        "if the tests replace the sleep, let them move the sandbox's clock",
      ),
    })
  })
})

describe('what a client over HTTP must have known', () => {
  it.each([
    { after: 249, lateMs: 0, names: ['warning retry-too-early'] },
    { after: 250, lateMs: 0, names: ['error retry-too-early'] },
    { after: 649, lateMs: 100, names: ['warning retry-too-early'] },
    { after: 650, lateMs: 100, names: ['error retry-too-early'] },
  ])('after $after ms of quiet, the event loop $lateMs ms late: $names', (row) => {
    const { after, lateMs, names } = row
    expect(namesIn(judge([limited, { after }], { adapter: 'server', lateMs }))).toEqual(names)
  })

  it('does not depend on how late the server was where both share a process', () => {
    const story: StoryStep[] = [limited, { after: 1 }]
    expect(namesIn(judge(story, { lateMs: 5_000 }))).toEqual(['error retry-too-early'])
  })
})
