import { expect, it } from 'vitest'
import { describeRules, times } from '../../../kit/rule-cases.ts'
import { judge, limited, type StoryStep } from '../../../kit/story.ts'

const outage: StoryStep = { status: 503, code: 'internal_error' }
const lost: StoryStep = { broken: 'disconnect' }
const rex = '{"name":"Rex","categoryId":1}'
const post: StoryStep = { json: rex, petId: 2 }
const look: StoryStep = { url: '/v1/pets?limit=100' }

const invalid: StoryStep = { status: 400, code: 'invalid_request' }
const unauthorized: StoryStep = { status: 401, code: 'unauthorized' }

/** A request again and again, with these pauses before. */
function paced(step: StoryStep, pauses: readonly number[]): StoryStep[] {
  return pauses.map((after) => ({ ...step, after }))
}

describeRules([
  {
    rule: 'warning no-backoff',
    found: [
      { why: 'five tries a second apart', story: times(5, outage) },
      { why: 'lost answers', story: times(5, lost) },
      {
        why: 'tries that a used-up minute does not pace',
        story: [{ ...outage, remaining: 0 }, ...paced(outage, Array(4).fill(40_000))],
      },
      {
        why: 'five tries after a reset as before it',
        story: [...times(2, outage), { mark: 'reset' }, ...times(5, outage)],
      },
      { why: 'a success in the end', story: [...times(4, outage), {}] },
      { why: 'a poll that goes on as before', story: [...times(4, {}), ...times(5, outage)] },
      {
        why: 'ten of them, once',
        story: paced(
          outage,
          [9, 8, 7, 5, 5, 5, 5, 9].map((s) => s * 1000),
        ),
      },
    ],
    not: [
      {
        why: 'a backoff that is capped',
        story: paced(outage, [1, 300, 600, ...Array(30).fill(1_200)]),
      },
      {
        why: 'a backoff that is capped at 8 s',
        story: paced(outage, [1, 1_000, 2_000, 4_000, ...Array(5).fill(8_000)]),
      },
      {
        why: 'a capped backoff whose beginning another try overlaps',
        story: [
          ...paced(outage, [0, 300]),
          { ...outage, together: true },
          ...paced(outage, Array(6).fill(1_200)),
        ],
      },
      {
        why: 'a capped backoff in the middle of which another task is served',
        story: paced(outage, [0, 300, 600, 0, ...Array(6).fill(1_200)])
          .with(3, { after: 1_200 })
          .with(4, { ...outage, after: 0 }),
      },
      {
        why: 'a capped backoff that waits for a limit after another task is served',
        story: [
          ...paced(outage, [0, 300, 600]),
          {},
          { status: 429, code: 'rate_limit_exceeded', retryIn: 2_000, after: 51_000 },
          ...paced(outage, [2_000, ...Array(5).fill(1_200)]),
        ],
      },
      {
        why: 'a capped backoff that another task overtakes before a long wait',
        story: [
          ...paced(outage, [0, 300, 600]),
          {},
          ...paced(outage, [51_000, ...Array(5).fill(1_200)]),
        ],
      },
      {
        why: 'a capped backoff that began with rejections',
        story: [
          ...[0, 1, 2].map(() => ({
            status: 429,
            code: 'rate_limit_exceeded' as const,
            retryIn: 2_000,
            after: 2_000,
          })),
          ...paced(outage, [2_000, ...Array(5).fill(1_200)]),
        ],
      },
      {
        why: 'a capped backoff that goes on over a reset',
        story: [
          ...paced(outage, [0, 300, 600]),
          { mark: 'reset' },
          ...paced(outage, Array(7).fill(1_200)),
        ],
      },
      {
        why: 'a capped backoff that goes on over two resets',
        story: [
          ...paced(outage, [0, 300, 600]),
          { mark: 'reset' },
          { mark: 'reset' },
          ...paced(outage, Array(7).fill(1_200)),
        ],
      },
      {
        why: 'an exhausted minute that another request under way reported',
        story: Array.from({ length: 6 }, (): StoryStep[] => [
          { ...limited, ...look, after: 60_000, remaining: 0 },
          { ...outage, together: true },
        ]).flat(),
      },
      { why: 'a poll every hour', story: paced(outage, Array(6).fill(3_600_000)) },
      { why: 'a poll every five minutes', story: paced(outage, Array(12).fill(300_000)) },
      {
        why: 'pets that wait for a used-up minute',
        story: times(6, { json: rex, ...outage, after: 60_000, remaining: 0 }),
      },
      {
        why: 'pets that are alike, each of which was added',
        story: times(6, { ...post, ...lost }).flatMap((one) => [one, { ...look, after: 500 }]),
      },
      { why: 'growing pauses', story: paced(outage, [1, 1_000, 2_000, 4_000, 8_000, 16_000]) },
      { why: 'jitter', story: paced(outage, [1, 800, 1_300, 950, 1_100, 400]) },
      { why: 'four tries', story: times(4, outage) },
      {
        why: 'a failure among them that is none of the service',
        story: [...times(2, outage), { status: 404, code: 'not_found' }, ...times(2, outage)],
      },
      { why: 'a success between', story: [...times(3, outage), {}, ...times(3, outage)] },
      {
        why: 'other requests',
        story: [1, 2, 3, 4, 5].map((id) => ({ ...outage, url: `/v1/pets?limit=${id}` })),
      },
      {
        why: 'rejections',
        story: times(6, { status: 429, code: 'rate_limit_exceeded', retryIn: 1_000 }),
      },
      {
        why: 'a reset between',
        story: [...times(4, outage), { mark: 'reset' }, ...times(4, outage)],
      },
    ],
  },
  {
    rule: 'warning endless-retries',
    found: [
      { why: 'ten tries and more', story: times(14, outage) },
      { why: 'a minute between tries', story: paced(outage, Array(14).fill(60_000)) },
      {
        why: 'requests that it gives up after a second',
        story: times(14, { delivery: 'aborted', takes: 1_000 }),
      },
      {
        why: 'a loop over HTTP without a pause, when the connection breaks each time',
        story: times(12, { ...lost, after: 1 }),
        adapter: 'server',
      },
    ],
    not: [
      { why: 'nine tries', story: times(9, outage) },
      {
        why: 'pets that are alike, each of which was added, and looked for',
        story: times(14, { ...post, ...lost }).flatMap((one) => [one, look]),
      },
      { why: 'more than a minute between tries', story: paced(outage, Array(14).fill(60_001)) },
      { why: 'a success between', story: [...times(8, outage), {}, ...times(8, outage)] },
      { why: 'the turns of a slow poll', story: paced(outage, Array(14).fill(300_000)) },
      { why: 'requests that it cancels at once', story: times(14, { delivery: 'aborted' }) },
      {
        why: 'requests that it cancels within a second',
        story: times(14, { delivery: 'aborted', takes: 999 }),
      },
    ],
  },
  {
    rule: 'info endless-retries',
    found: [
      {
        why: 'several parts of a client, each with a backoff',
        story: paced(outage, [0, 100, 100, 400, 100, 100, 1_400, 100, 100, 4_400]),
      },
    ],
    not: [],
  },
  {
    rule: 'warning retried-permanent-error',
    found: [
      {
        why: 'the same invalid request',
        story: times(5, { status: 400, code: 'invalid_request' }),
      },
      {
        why: 'a pet that is not there, at once',
        story: times(3, { url: '/v1/pets/7', status: 404, code: 'not_found' }),
      },
      {
        why: 'a page that is opened three times with an invalid key',
        story: paced(unauthorized, Array(3).fill(20_000)),
      },
      {
        why: 'three rejections after one that broke off',
        story: [{ ...invalid, delivery: 'broken' }, ...times(4, invalid)],
      },
    ],
    not: [
      { why: 'two tries', story: times(2, { status: 400, code: 'invalid_request' }) },
      {
        why: 'rejections of which only the last arrived whole',
        story: [...times(2, { ...invalid, delivery: 'broken' }), invalid],
      },
      {
        why: 'rejections that nobody can read',
        story: [...times(2, { ...invalid, broken: 'malformed-json' }), invalid],
      },
      { why: 'the same request every two minutes', story: paced(invalid, Array(5).fill(120_000)) },
      {
        why: 'another body',
        story: [1, 2, 3].map((id) => ({
          json: `${id}`,
          status: 400,
          code: 'invalid_request' as const,
        })),
      },
      {
        why: 'a pet that is looked for now and then',
        story: paced({ url: '/v1/pets/7', status: 404, code: 'not_found' }, Array(5).fill(15_000)),
      },
      {
        why: 'a pet that was added meanwhile',
        story: [
          ...times(2, { url: '/v1/pets/7', status: 404, code: 'not_found' }),
          post,
          { url: '/v1/pets/7', status: 404, code: 'not_found' },
        ],
      },
      {
        why: 'rejections for quota',
        story: times(3, { status: 429, code: 'rate_limit_exceeded' }),
      },
      {
        why: 'other keys',
        story: ['a-key', 'b-key', 'c-key'].map((key) => ({
          key,
          status: 400,
          code: 'invalid_request' as const,
        })),
      },
    ],
  },
  {
    rule: 'error retried-permanent-error',
    found: [{ why: 'an invalid key three times', story: times(4, unauthorized) }],
    not: [
      { why: 'an invalid key twice', story: times(2, unauthorized) },
      { why: 'an invalid key once an hour', story: paced(unauthorized, Array(5).fill(3_600_000)) },
      {
        why: 'rejections that broke off',
        story: [...times(2, { ...unauthorized, delivery: 'broken' }), unauthorized],
      },
      {
        why: 'a key that was changed',
        story: [...times(2, unauthorized), { mark: 'keys-changed' }, unauthorized],
      },
    ],
  },
  {
    rule: 'error duplicate-create',
    found: [
      {
        why: 'a lost answer, at once over HTTP',
        story: [
          { ...post, ...lost },
          { ...post, petId: 3, after: 1 },
        ],
        adapter: 'server',
      },
      {
        why: 'an answer that it gave up before, at once through MSW',
        story: [
          { ...post, delivery: 'aborted' },
          { ...post, petId: 3, after: 0, sameTurn: true },
        ],
        adapter: 'msw',
      },
      {
        why: 'a lost answer',
        story: [
          { ...post, ...lost },
          { ...post, petId: 3 },
        ],
      },
      {
        why: 'an answer that is no JSON',
        story: [
          { ...post, broken: 'malformed-json' },
          { ...post, petId: 3 },
        ],
      },
      {
        why: 'a client that gave up',
        story: [
          { ...post, delivery: 'aborted' },
          { ...post, petId: 3 },
        ],
      },
      {
        why: 'an answer of another request between',
        story: [
          { ...post, ...lost },
          { json: '{}', petId: 8 },
          { ...post, petId: 3 },
        ],
      },
    ],
    not: [
      { why: 'a look between', story: [{ ...post, ...lost }, look, { ...post, petId: 3 }] },
      {
        why: 'a look over another connection',
        story: [
          { ...post, ...lost },
          { ...look, connection: 2 },
          { ...post, petId: 3 },
        ],
        adapter: 'server',
      },
      { why: 'two pets of the same name', story: [post, { ...post, petId: 3 }] },
      {
        why: 'the rest of what a pool was sending',
        story: [{}, { together: true }, { ...post, ...lost }, { ...post, petId: 3, after: 1 }],
        adapter: 'server',
      },
      {
        why: 'another pet',
        story: [
          { ...post, ...lost },
          { json: '{"name":"Max","categoryId":1}', petId: 3 },
        ],
      },
      {
        why: 'both at once',
        story: [
          { ...post, ...lost },
          { ...post, petId: 3, together: true },
        ],
      },
      {
        why: 'a rejection first',
        story: [{ json: rex, status: 429, code: 'rate_limit_exceeded' }, post],
      },
      {
        why: 'an invalid key first',
        story: [{ json: rex, status: 401, code: 'unauthorized' }, post],
      },
      { why: 'a reset between', story: [{ ...post, ...lost }, { mark: 'reset' }, post] },
    ],
  },
  {
    rule: 'warning unsafe-create-retry',
    found: [
      { why: 'a 503 first', story: [{ json: rex, ...outage }, post] },
      { why: 'a 500 first', story: [{ json: rex, ...outage, status: 500 }, post] },
      {
        why: 'a look that broke off',
        story: [{ json: rex, ...outage }, { ...look, delivery: 'broken' }, post],
      },
    ],
    not: [
      { why: 'a 503 that asked for it', story: [{ json: rex, ...outage, retryIn: 1_000 }, post] },
      { why: 'a look between', story: [{ json: rex, ...outage }, look, post] },
      {
        why: 'a look over another connection',
        story: [{ json: rex, ...outage }, { ...look, connection: 2 }, post],
        adapter: 'server',
      },
      {
        why: 'a look over another connection of a key that several tasks use',
        story: [
          {},
          { together: true, connection: 2 },
          { json: rex, ...outage },
          { ...look, connection: 2, takes: 300 },
          post,
        ],
        adapter: 'server',
      },
      {
        why: 'a rejection first',
        story: [{ json: rex, status: 429, code: 'rate_limit_exceeded' }, post],
      },
      {
        why: 'a pet that was added twice, which is worse',
        story: [
          { ...post, ...lost },
          { ...post, petId: 3 },
        ],
      },
    ],
  },
])

it('quotes the rejection of a HEAD from the request log, since its response has no body', () => {
  const head: StoryStep = { method: 'HEAD', body: '', status: 401, code: 'unauthorized' }
  expect(judge(times(3, head))).toMatchObject([
    { message: 'Sent GET /pets 3 times, and got 401 each time: 401.' },
  ])
})

// Two tasks that add the same pet: what was lost of one of them is not sent again.
it.each([
  { rule: 'duplicate-create', first: { ...post, ...lost } },
  { rule: 'unsafe-create-retry', first: { json: rex, ...outage } },
])('only informs of $rule where a client has several requests under way', ({ rule, first }) => {
  const story: StoryStep[] = [{}, { together: true }, first, { ...post, petId: 3 }]
  expect(judge(story).filter((one) => one.rule === rule)).toMatchObject([
    { severity: 'info', advice: expect.stringContaining('two of its tasks') },
  ])
})

it('reports endless retries after fifty tries, whoever makes them', () => {
  const pauses = Array.from({ length: 60 }, (_, index) => (index % 3 === 0 ? 400 : 100))
  const found = judge(paced(outage, pauses)).filter(({ rule }) => rule === 'endless-retries')
  expect(found).toMatchObject([
    { severity: 'info', message: expect.stringContaining('10 times') },
    { severity: 'warning', message: expect.stringContaining('50 times') },
  ])
})
