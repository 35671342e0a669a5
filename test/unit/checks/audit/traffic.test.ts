import { describeRules, times, together } from '../../../kit/rule-cases.ts'

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
      {
        why: 'ten turns after one that was late',
        story: [{}, { after: 7_000 }, ...times(9, { after: 2_000 })],
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
])
