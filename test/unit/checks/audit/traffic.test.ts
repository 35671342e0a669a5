import { describeRules, times, together } from '../../../kit/rule-cases.ts'
import { limited, type StoryStep } from '../../../kit/story.ts'

const adapter = 'server' as const

/** Requests on connections of their own. */
function connecting(count: number, step: StoryStep = {}): StoryStep[] {
  return Array.from({ length: count }, (_, index) => ({ ...step, connection: index + 1 }))
}

/** Requests of a pool that opens its connections within a moment, each answered before the next, and then reuses them. */
function pooled(count: number): StoryStep[] {
  return [...connecting(count, { after: 1 }), ...times(4, {}).flatMap(() => connecting(count))]
}

const rejectedFive = connecting(5, { ...limited, after: 0 })

/** Five clients that come after a minute, with a pause between them. */
function fiveBack(pauseMs: number): StoryStep[] {
  const [first, ...others] = connecting(5, { after: pauseMs })
  return [{ ...first, after: 60_000 }, ...others]
}

describeRules([
  {
    rule: 'warning polling-over-quota',
    found: [
      { why: 'every two seconds on Free', story: times(11, { after: 2_000 }) },
      { why: 'every half second', story: times(11, { after: 500 }) },
      {
        why: 'every second, each answer half a second late',
        story: times(11, { after: 500, takes: 500 }),
      },
      {
        why: 'a used-up minute that it does not wait for',
        story: times(11, { after: 2_000, remaining: 0 }),
      },
    ],
    not: [
      { why: 'every two minutes', story: times(30, { after: 120_000 }) },
      { why: 'a loop without a pause', story: times(30, { after: 10 }) },
      {
        why: 'a loop without a pause whose answers take long',
        story: times(30, { after: 10, takes: 300 }),
      },
      {
        why: 'requests that wait for the reset each time',
        story: times(30, { after: 60_000, remaining: 0 }),
      },
      {
        why: 'answers that never arrive whole',
        story: times(11, { after: 2_000, delivery: 'broken' }),
      },
      { why: 'nine turns', story: times(9, { after: 2_000 }) },
      {
        why: 'pauses that differ',
        story: [1, 5, 2, 9, 1, 7, 2, 8, 3, 6, 1, 9].map((s) => ({ after: s * 1_000 })),
      },
      {
        why: 'different requests',
        story: times(30, {}).map((_, id) => ({ after: 2_000, url: `/v1/pets?limit=${id + 1}` })),
      },
      {
        why: 'a reset between',
        story: [...times(8, { after: 2_000 }), { mark: 'reset' }, ...times(8, { after: 2_000 })],
      },
    ],
  },
  {
    rule: 'info too-many-parallel-requests',
    found: [
      { why: 'twelve at once', story: together(12, {}) },
      { why: 'eleven at once', story: together(11, {}) },
      { why: 'eleven at once, later', story: [...together(3, {}), {}, ...together(11, {})] },
    ],
    not: [
      { why: 'ten at once, again and again', story: [1, 2, 3].flatMap(() => together(10, {})) },
      { why: 'ten at once', story: together(10, {}) },
      { why: 'one after the other', story: times(30, {}) },
    ],
  },
  {
    rule: 'info synchronized-retries',
    found: [
      { why: 'five clients at once', adapter, story: [...rejectedFive, ...fiveBack(0)] },
      { why: 'five clients 10 ms apart', adapter, story: [...rejectedFive, ...fiveBack(10)] },
      { why: 'five clients within 50 ms', adapter, story: [...rejectedFive, ...fiveBack(12.5)] },
    ],
    not: [
      { why: 'clients with jitter', adapter, story: [...rejectedFive, ...fiveBack(400)] },
      { why: 'five clients within 52 ms', adapter, story: [...rejectedFive, ...fiveBack(13)] },
      {
        why: 'clients of before a reset',
        adapter,
        story: [...rejectedFive, { mark: 'reset' }, ...fiveBack(0)],
      },
    ],
  },
  {
    rule: 'info missing-user-agent',
    found: [
      {
        why: 'none over HTTP, once',
        adapter,
        story: times(2, { headers: { 'user-agent': undefined } as never }),
      },
    ],
    not: [
      { why: 'one over HTTP', adapter, story: [{}] },
      {
        why: 'none within a process',
        adapter: 'msw',
        story: [{ headers: { 'user-agent': undefined } as never }],
      },
    ],
  },
  {
    rule: 'info connection-per-request',
    found: [
      { why: 'twenty connections', adapter, story: connecting(40) },
      { why: 'a quick loop', adapter, story: connecting(60, { after: 50 }) },
      { why: 'pauses below five seconds', adapter, story: connecting(20, { after: 4_999 }) },
    ],
    not: [
      { why: 'one connection', adapter, story: times(40, { connection: 1 }) },
      { why: 'a few connections', adapter, story: [...connecting(15), ...connecting(15)] },
      {
        why: 'a connection that is used again in between',
        adapter,
        story: connecting(36).toSpliced(18, 0, { connection: 18 }),
      },
      { why: 'long pauses', adapter, story: connecting(40, { after: 10_000 }) },
      { why: 'pauses of five seconds', adapter, story: connecting(40, { after: 5_000 }) },
      { why: 'all at once', adapter, story: connecting(40, { together: true }) },
      {
        why: 'answers of which none has ended',
        adapter,
        story: connecting(20, { after: 150, isOpen: true }),
      },
      { why: 'a pool that fills', adapter, story: pooled(40) },
      { why: 'a pool that fills on a busy machine', adapter, story: connecting(60, { after: 20 }) },
    ],
  },
])
