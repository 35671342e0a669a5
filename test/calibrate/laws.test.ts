import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { calibrate } from '../../src/calibrate/calibrate.ts'
import { type GapName, gapNames, gaps } from '../../src/contract/gaps.ts'
import { Recorder } from './recorder.ts'
import { wrongIn } from './wrong-in.ts'

/** A choice at a gap, of any kind. */
function anyChoice(name: GapName): fc.Arbitrary<string | number> {
  const gap = gaps[name]
  if (gap.kind === 'choice') return fc.constantFrom<string | number>(...gap.choices)
  if (gap.kind === 'instant') return fc.constantFrom('2025-12-05T00:00:00Z', '2024-02-29T12:30:15Z')
  if (gap.kind === 'duration') return fc.constantFrom('5m', '10s', '1h', '90s')
  if (gap.kind === 'count') return fc.constantFrom<string | number>(10, 3, 0, 'never')
  return fc.constantFrom('none', '3s', '5s', '40s', '1500ms')
}

/** Settings of a service: some gaps are not at their defaults. */
const anySettings = fc
  .subarray([...gapNames], { minLength: 0, maxLength: 14 })
  .chain((names) => fc.record(Object.fromEntries(names.map((name) => [name, anyChoice(name)]))))

const keys = [
  'free-key',
  'pro-key',
  'business-key',
  'day-exhausted-key',
  'small-key',
  'revoked-key',
  'nobody',
  '',
]

const bodies = [
  '{"name":"Rex","categoryId":1}',
  '{"name":"Rex","categoryId":1,"status":"sold"}',
  '{"name":"Rex","categoryId":1,"status":"pending"}',
  '{"name":"Rex","categoryId":1,"status":null}',
  '{"name":"","categoryId":1}',
  '{"name":"Rex","categoryId":1,"color":"red"}',
  '{"name":"Rex","categoryId":1,"name":"Max"}',
  '{"name":"Rex","categoryId":1.0}',
  '{"name":"Rex","categoryId":77}',
  '{"name":"Rex"}',
  '{',
]

const paths = [
  ...[
    '/pets',
    '/pets?limit=5',
    '/pets?limit=100',
    '/pets?status=pending&limit=50',
    '/pets?status=sold',
  ],
  ...['/pets?limit=0', '/pets?limit=500', '/pets?limit=abc', '/pets?status=lost', '/pets?limit=01'],
  ...[
    '/pets?limit=1&limit=3',
    '/pets?limit=3&limit=1',
    '/pets?status=sold&status=pending',
    '/pets?color=red',
  ],
  ...[
    '/pets/1',
    '/pets/2?x=1',
    '/pets/999',
    '/pets/998',
    '/pets/abc',
    '/pets/01',
    '/pets/-0',
    '/pets/',
    '/pets/1/',
  ],
  ...['/store/orders', '/nothing', '/store'],
]

const anyRequest = fc.record({
  key: fc.constantFrom(...keys),
  scheme: fc.constantFrom('Bearer', 'Bearer', 'Bearer', 'bearer'),
  method: fc.constantFrom('GET', 'GET', 'GET', 'GET', 'POST', 'POST', 'DELETE', 'HEAD'),
  path: fc.constantFrom(...paths),
  body: fc.constantFrom(...bodies),
  hasType: fc.constantFrom(true, true, true, false),
  times: fc.constantFrom(1, 1, 1, 2, 8),
  later: fc.constantFrom(0, 0, 0, 1, 20, 700, 10_000, 30_500, 61_000, 3_600_000, 90_000_000),
})

const anyTraffic = fc.record({
  settings: anySettings,
  startAt: fc.constantFrom(
    '2027-01-15T08:00:20.250Z',
    '2027-01-15T23:58:59Z',
    '2030-12-04T23:59:30Z',
    '2031-03-01T00:00:00.5Z',
  ),
  requests: fc.array(anyRequest, { minLength: 5, maxLength: 60 }),
})

type Traffic = typeof anyTraffic extends fc.Arbitrary<infer Value> ? Value : never

async function record({ settings, startAt, requests }: Traffic) {
  const recorder = new Recorder({ gaps: settings, clock: { now: startAt, mode: 'frozen' } })
  const { sandbox } = recorder
  sandbox.keys.issue({ key: 'small-key', plan: 'enterprise', limits: { minute: 4, day: 9 } })
  for (const { key, scheme, method, path, body, hasType, times, later } of requests) {
    sandbox.clock.advance(later)
    const isPost = method === 'POST'
    const url = isPost && !path.startsWith('/pets/1') ? (path.split('?')[0] ?? '') : path
    const headers = {
      ...(key === '' ? {} : { authorization: `${scheme} ${key}` }),
      ...(hasType ? {} : { 'content-type': '' }),
    }
    for (let sent = 0; sent < times; sent++) {
      await recorder.send({ method, url, key: null, headers, ...(isPost ? { body } : {}) })
    }
  }
  return recorder.archive()
}

describe('calibrate()', () => {
  it('says nothing wrong of a service, whatever its settings and its traffic', async () => {
    await fc.assert(
      fc.asyncProperty(anyTraffic, async (traffic) => {
        expect(wrongIn(calibrate([await record(traffic)]), traffic.settings)).toEqual([])
      }),
      { numRuns: Number(process.env.CALIBRATE_RUNS ?? 400) },
    )
  })
})
