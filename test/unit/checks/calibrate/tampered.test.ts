import { describe, expect, it } from 'vitest'
import { calibrate } from '../../../../src/checks/calibrate/calibrate.ts'
import { type GapName, gapDescriptions, gapNames } from '../../../../src/mock/api/gaps.ts'
import { expectComplete } from '../../../kit/expect-complete.ts'
import { oddRequests, type RecordedEntry, Recorder } from './recorder.ts'

async function recorded(): Promise<Recorder> {
  const recorder = new Recorder({})
  for (const request of oddRequests) await recorder.send(request, 500)
  for (let count = 0; count < 62; count++) {
    // A second passes before the first request beyond the limit: otherwise, it may look like a copy.
    await recorder.send({ url: '/pets?limit=1', key: 'free-key' }, count === 59 ? 1_000 : 150)
  }
  // Shortly before the window ends, which shows that Date isn't behind.
  recorder.sandbox.clock.advance('16s')
  await recorder.send({ url: '/pets?limit=1' })
  return recorder
}

const asksFor =
  (end: string) =>
  ({ request }: RecordedEntry): boolean =>
    String(request.url).endsWith(end)

const has =
  (status: number) =>
  ({ response }: RecordedEntry): boolean =>
    response.status === status

const without =
  (name: string) =>
  ({ response }: RecordedEntry): void => {
    response.headers = response.headers.filter((header) => header.name !== name)
  }

const withHeader =
  (name: string, value: string) =>
  (entry: RecordedEntry): void => {
    without(name)(entry)
    entry.response.headers.push({ name, value })
  }

const withBody =
  (change: (found: never) => unknown) =>
  ({ response: { content } }: RecordedEntry): void => {
    content.text = JSON.stringify(change(JSON.parse(content.text) as never))
    content.size = new TextEncoder().encode(content.text).length
  }

type Pet = Record<string, unknown>

const isAnonymous = ({ request }: RecordedEntry): boolean =>
  !/bearer/i.test(JSON.stringify(request.headers))

const withStatus =
  (status: number, body: unknown) =>
  (entry: RecordedEntry): void => {
    entry.response.status = status
    withBody(() => body)(entry)
  }

const served = (entry: RecordedEntry): void => {
  entry.response.status = 200
  withBody(() => [])(entry)
}

const cases: readonly {
  readonly what: string
  readonly of: (entry: RecordedEntry) => boolean
  readonly tamper: (entry: RecordedEntry) => void
  readonly named: string
}[] = [
  {
    what: 'HTML for JSON',
    of: asksFor('?limit=5'),
    tamper: withHeader('content-type', 'text/html'),
    named: '1',
  },
  {
    what: 'pets for a request without a key',
    of: (entry) => isAnonymous(entry) && asksFor('/pets')(entry),
    tamper: withStatus(200, []),
    named: '5.3',
  },
  { what: 'no Retry-After', of: has(429), tamper: without('retry-after'), named: '8.2' },
  {
    what: 'another status in an Error',
    of: has(404),
    tamper: withBody((found: Pet) => ({ ...found, status: 500 })),
    named: '7',
  },
  ...['limit', 'remaining', 'reset'].map((name) => ({
    what: `no X-RateLimit-${name}`,
    of: asksFor('?limit=5'),
    tamper: without(`x-ratelimit-${name}`),
    named: '8',
  })),
  {
    what: 'an id as a string',
    of: asksFor('?limit=5'),
    tamper: withBody((found: Pet[]) => found.map((pet) => ({ ...pet, id: String(pet.id) }))),
    named: '2',
  },
  {
    what: 'more pets than limit',
    of: asksFor('?limit=5'),
    tamper: withBody((found: Pet[]) => [
      ...found,
      ...found.map((pet) => ({ ...pet, id: Number(pet.id) + 1000 })),
    ]),
    named: '4.1',
  },
  {
    what: 'pets outside of the filter',
    of: asksFor('?status=pending&limit=100'),
    tamper: withBody((found: Pet[]) => found.map((pet) => ({ ...pet, status: 'sold' }))),
    named: '4.1',
  },
  {
    what: 'a Remaining that goes up',
    of: ({ response }) =>
      response.headers.some(
        ({ name, value }) => name === 'x-ratelimit-remaining' && value === '30',
      ),
    tamper: withHeader('x-ratelimit-remaining', '55'),
    named: '8',
  },
  {
    what: 'a Remaining that goes down too far',
    of: ({ response }) =>
      response.headers.some(
        ({ name, value }) => name === 'x-ratelimit-remaining' && value === '30',
      ),
    tamper: withHeader('x-ratelimit-remaining', '3'),
    named: '8',
  },
  {
    what: 'another pet than was sent',
    of: has(201),
    tamper: withBody((found: Pet) => ({ ...found, name: 'Other' })),
    named: '4.2',
  },
  {
    what: 'another id than was asked for',
    of: asksFor('/pets/2'),
    tamper: withBody((found: Pet) => ({ ...found, id: 77 })),
    named: '4.3',
  },
  {
    what: 'a window that has ended long ago',
    of: asksFor('?limit=5'),
    tamper: withHeader('x-ratelimit-reset', '1000'),
    named: '8',
  },
  {
    what: 'a body of another type',
    of: asksFor('?limit=5'),
    tamper: withHeader('content-type', 'text/plain'),
    named: '1',
  },
  {
    what: 'a list without a key',
    of: (entry) => has(401)(entry) && asksFor('/pets')(entry),
    tamper: served,
    named: '5.3',
  },
  { what: 'a list beyond the limit', of: has(429), tamper: served, named: '8.1' },
  {
    what: 'an Error without a code',
    of: has(404),
    tamper: withBody(({ code: _, ...found }: Pet) => found),
    named: '7',
  },
  {
    what: 'an Error without a message',
    of: has(404),
    tamper: withBody(({ message: _, ...found }: Pet) => found),
    named: '7',
  },
  {
    what: 'a pet of another status',
    of: asksFor('?limit=5'),
    tamper: withBody((found: Pet[]) => found.map((pet) => ({ ...pet, status: 'lost' }))),
    named: '2',
  },
  {
    what: 'the same pet twice',
    of: asksFor('?limit=5'),
    tamper: withBody((found: Pet[]) => found.map((pet) => ({ ...pet, id: 1 }))),
    named: '2',
  },
  {
    what: 'a Remaining above the limit',
    of: asksFor('?limit=5'),
    tamper: withHeader('x-ratelimit-remaining', '301'),
    named: '8',
  },
  {
    what: 'a Limit that is no number',
    of: asksFor('?limit=5'),
    tamper: withHeader('x-ratelimit-limit', 'many'),
    named: '8',
  },
  {
    what: 'another Sunset',
    of: asksFor('/pets/2'),
    tamper: withHeader('sunset', 'Fri, 06 Dec 2030 00:00:00 GMT'),
    named: '4.3',
  },
]

/** Clauses that no single tampered reply breaks, and the test that breaks them. */
const clausesElsewhere: Readonly<Record<string, string>> = {
  '8.1': 'below: a service that only reports its limits',
}

describe('calibrate()', () => {
  it('has a case of each clause that a response can break', () => {
    expectComplete({
      found: [...new Set(cases.map(({ named }) => named)), ...Object.keys(clausesElsewhere)],
      needed: Object.keys(calibrate([]).clauses),
      what: 'a case that breaks a clause',
      where: 'the cases of test/unit/checks/calibrate/tampered.test.ts',
    })
  })

  it('has nothing against what is as it was sent', async () => {
    const { clauses, unexplained } = calibrate([(await recorded()).archive()])
    expect(Object.values(clauses).flatMap(({ problems }) => problems)).toEqual([])
    expect(unexplained).toEqual([])
  })

  it.each(cases)('names the one response with $what', async ({ of, tamper, named }) => {
    const archive = (await recorded()).archive()
    const index = archive.log.entries.findIndex(of)
    const entry = archive.log.entries[index]
    if (entry === undefined) throw new TypeError('There is no such request')
    tamper(entry)
    const { clauses, unexplained } = calibrate([archive])
    const found = Object.entries(clauses).flatMap(([clause, { problems }]) =>
      problems.map(({ request }) => ({ clause, request })),
    )
    expect(found).toEqual([{ clause: named, request: index + 1 }])
    expect(unexplained).toEqual([])
  })

  it('names a service that only reports its limits', async () => {
    const recorder = new Recorder({ rateLimits: 'report-only' })
    for (let count = 0; count < 200; count++) {
      await recorder.send({ url: '/pets?limit=1', key: 'free-key' }, 100)
    }
    expect(calibrate([recorder.archive()]).clauses['8.1']).toMatchObject({ result: 'broken' })
  })

  it.each([300, 404, 500])('calls no request without a key served that gets %i', async (status) => {
    const archive = (await recorded()).archive()
    const index = archive.log.entries.findIndex(
      (entry) => isAnonymous(entry) && asksFor('/pets')(entry),
    )
    const entry = archive.log.entries[index]
    if (entry === undefined) throw new TypeError('There is no such request')
    withStatus(status, { code: 'failed', message: 'It failed', status })(entry)
    const { clauses, unexplained } = calibrate([archive])
    expect(clauses['5.3'].problems).toEqual([])
    expect(unexplained).toMatchObject([{ request: index + 1 }])
  })

  it.each([
    { what: 'no categoryId', of: '{"name":"Rex"}', status: 422, clause: '4.2' },
    { what: 'no categoryId', of: '{"name":"Rex"}', status: 201, clause: '4.2' },
    { what: 'a property too many', of: '"color":"red"', status: 422, clause: '4.2' },
    { what: 'no categoryId', of: '{"name":"Rex"}', status: 409, clause: undefined },
    { what: 'a limit of 0', of: '?limit=0', status: 422, clause: undefined },
  ])('calls $status for $what a broken clause: $clause (S14)', async ({ of, status, clause }) => {
    const archive = (await recorded()).archive()
    const index = archive.log.entries.findIndex(({ request }) =>
      JSON.stringify([request.url, request.postData]).includes(JSON.stringify(of).slice(1, -1)),
    )
    const entry = archive.log.entries[index]
    if (entry === undefined) throw new TypeError('There is no such request')
    const pet = { id: 99, name: 'Rex', categoryId: 1, status: 'available' }
    withStatus(status, status < 300 ? pet : { code: 'failed', message: 'It failed', status })(entry)
    const { clauses, unexplained } = calibrate([archive])
    expect(clauses['4.2'].problems.map(({ request }) => request)).toEqual(
      clause === undefined ? [] : [index + 1],
    )
    expect(unexplained).toHaveLength(clause === undefined ? 1 : 0)
  })

  it('shows most choices, keeps keys to itself, and asks only for what is not shown', async () => {
    const report = calibrate([(await recorded()).archive()])
    const found = Object.values(report.gaps)
    expect(found.filter(({ result }) => result === 'confirmed').length).toBeGreaterThanOrEqual(24)
    const asked = gapNames.filter((name) => report.gaps[name].ask !== undefined)
    const isAsked = (name: GapName) =>
      report.gaps[name].result !== 'confirmed' && gapDescriptions[name].ask !== null
    expect(asked).toEqual(gapNames.filter(isAsked))
    expect(JSON.stringify(report)).not.toMatch(/pro-key|free-key|unknown-token/)
  })
})
