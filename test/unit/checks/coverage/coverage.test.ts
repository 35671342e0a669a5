import { describe, expect, it } from 'vitest'
import type { CategoryName } from '../../../../src/checks/coverage/coverage-report.ts'
import { endpoints } from '../../../../src/mock/api/endpoints.ts'
import type { SandboxOptions } from '../../../../src/mock/state/beginning.ts'
import { createSandbox, type Sandbox } from '../../../../src/sandbox/sandbox.ts'
import { frozenSandbox, startAt } from '../../../kit/frozen-sandbox.ts'
import { requestOf, type TestRequest } from '../../../kit/send.ts'

const pet = '{"name":"Rex","categoryId":1}'

function coveredSandbox(options: SandboxOptions = {}): Sandbox {
  return createSandbox({ coverage: true, clock: { now: startAt, mode: 'frozen' }, ...options })
}

async function coveredIn(sandbox: Sandbox, tier: CategoryName): Promise<readonly string[]> {
  const { items } = (await sandbox.coverage()).categories[tier]
  return items.flatMap((one) => (one.covered ? [one.name] : []))
}

async function sendAll(sandbox: Sandbox, requests: readonly TestRequest[]): Promise<void> {
  for (const request of requests) await sandbox.handle(requestOf(request))
}

describe('coverage()', () => {
  it('counts each outcome once, and says how many there are', async () => {
    const sandbox = coveredSandbox()
    await sendAll(sandbox, [{}, {}, { key: null }, { json: pet }, { json: '{}' }])
    const { outcomes } = (await sandbox.coverage()).categories
    expect(outcomes).toMatchObject({ covered: 4, total: 11 })
    expect(await coveredIn(sandbox, 'outcomes')).toEqual([
      'listPets 200',
      'listPets 401',
      'createPet 201',
      'createPet 400',
    ])
  })

  it('goes on over resets, restored snapshots, and a request log that forgets', async () => {
    const sandbox = coveredSandbox({ maxRequests: 0 })
    const snapshot = sandbox.snapshot()
    await sendAll(sandbox, [{}])
    sandbox.reset()
    await sendAll(sandbox, [{ url: '/v1/pets/1' }])
    sandbox.restore(snapshot)
    await sendAll(sandbox, [{ json: pet }])
    sandbox.requests.clear()
    expect(await coveredIn(sandbox, 'outcomes')).toEqual([
      'listPets 200',
      'createPet 201',
      'getPet 200',
    ])
  })

  it('counts nothing that controls do', async () => {
    const sandbox = coveredSandbox()
    sandbox.scenario('key-expired')
    sandbox.pets.create({ name: 'Rex', categoryId: 1, status: 'sold' })
    sandbox.keys.update('free-key', { ban: '1m', unban: true })
    sandbox.faults.add({ fault: 'timeout' })
    sandbox.setGaps({ listOrder: 'shuffled' })
    sandbox.restore(sandbox.snapshot())
    const { categories } = await sandbox.coverage()
    expect(Object.values(categories).map((tier) => tier.covered)).toEqual([0, 0, 0, 0])
  })

  it('counts the fault that made a client leave, but not the response that it never saw', async () => {
    const sandbox = coveredSandbox()
    sandbox.faults.add({ fault: 'latency', ms: '1m' })
    const client = new AbortController()
    const answer = sandbox.handle(requestOf({}), client.signal)
    await sandbox.coverage()
    client.abort()
    await answer
    expect(await coveredIn(sandbox, 'situations')).toEqual(['fault latency'])
    expect(await coveredIn(sandbox, 'outcomes')).toEqual([])
  })

  it('counts a pet whose adding took effect although its client had left', async () => {
    const sandbox = coveredSandbox()
    sandbox.faults.add({ fault: 'latency', ms: '1m' })
    const client = new AbortController()
    const answer = sandbox.handle(requestOf({ json: pet }), client.signal)
    await sandbox.coverage()
    client.abort()
    await answer
    expect(await coveredIn(sandbox, 'situations')).toEqual([
      'createPet took effect, response lost',
      'fault latency',
    ])
  })

  it('counts no limit that is only taken for one', async () => {
    const sandbox = coveredSandbox({ gaps: { invalidQuery: 'ignore' } })
    await sendAll(sandbox, [{ url: '/v1/pets?limit=1000' }, { url: '/v1/pets?limit=x' }])
    const covered = await coveredIn(sandbox, 'values')
    expect(covered).toContain('listPets status absent')
    expect(covered.filter((name) => name.startsWith('listPets limit'))).toEqual([])
  })

  it.each([
    { fault: 'disconnect', when: 'body' },
    { fault: 'timeout' },
    { fault: 'malformed-json' },
    { fault: 'truncated-body' },
  ] as const)('counts no answer that $fault has spoilt', async (fault) => {
    const sandbox = coveredSandbox()
    sandbox.faults.add(fault)
    await sendAll(sandbox, [{}])
    expect(await coveredIn(sandbox, 'outcomes')).toEqual([])
    expect(await coveredIn(sandbox, 'values')).toEqual([])
    expect(await coveredIn(sandbox, 'situations')).toEqual([`fault ${fault.fault}`])
  })

  it('counts an injected status as an outcome, but no limit behind it', async () => {
    const sandbox = coveredSandbox()
    sandbox.faults.add({ fault: 'status', status: 429 })
    await sendAll(sandbox, [{}])
    expect(await coveredIn(sandbox, 'outcomes')).toEqual(['listPets 429'])
    expect(await coveredIn(sandbox, 'situations')).toEqual(['fault status'])
  })

  it('counts a client as served again only if the wait was over', async () => {
    const sandbox = coveredSandbox()
    sandbox.keys.setRemaining('free-key', { minute: 0 })
    await sendAll(sandbox, [{}])
    sandbox.keys.setRemaining('free-key', { minute: 5 })
    await sendAll(sandbox, [{}])
    sandbox.clock.advance('1m')
    await sendAll(sandbox, [{}])
    expect(await coveredIn(sandbox, 'situations')).toEqual(['429 by minute'])
  })

  it('counts a list as cut only if there is more that fits', async () => {
    const sold = '{"name":"Rex","categoryId":1,"status":"sold"}'
    const sandbox = coveredSandbox({ seed: { pets: [] } })
    await sendAll(sandbox, [{ json: sold }, { json: pet }])
    await sendAll(sandbox, [{ url: '/v1/pets?limit=2' }, { url: '/v1/pets?limit=1&status=sold' }])
    expect(await coveredIn(sandbox, 'values')).not.toContain('listPets cut')
    await sendAll(sandbox, [{ json: sold }, { url: '/v1/pets?limit=1&status=sold' }])
    expect(await coveredIn(sandbox, 'values')).toContain('listPets cut')
  })

  it('counts a value only where the request was served', async () => {
    const sandbox = coveredSandbox()
    await sendAll(sandbox, [{ url: '/v1/pets?limit=100', key: null }, { url: '/v1/pets?limit=7' }])
    const covered = await coveredIn(sandbox, 'values')
    expect(covered.filter((name) => name.startsWith('listPets limit'))).toEqual([
      'listPets limit in between',
    ])
  })

  it('starts with the requests in the log when it is first asked for', async () => {
    const sandbox = frozenSandbox()
    sandbox.tests.start('lists pets')
    await sendAll(sandbox, [{}, { key: 'expired-key' }])
    sandbox.tests.end()
    await sendAll(sandbox, [{ key: null }, { key: 'nobody' }, { key: 'revoked-key' }])
    sandbox.keys.setRemaining('free-key', { minute: 0 })
    await sendAll(sandbox, [{}])
    sandbox.clock.advance('1m')
    await sendAll(sandbox, [{}])
    const { outcomes, gaps, values } = (await sandbox.coverage()).categories
    const covered = outcomes.items.filter((one) => one.covered)
    expect(covered.map(({ name, coveredBy }) => ({ name, coveredBy }))).toEqual([
      { name: 'listPets 200', coveredBy: 'lists pets' },
      { name: 'listPets 401', coveredBy: 'lists pets' },
      { name: 'listPets 429', coveredBy: undefined },
    ])
    expect(await coveredIn(sandbox, 'situations')).toEqual([
      '429 by minute',
      'succeeded after 429',
      'key missing',
      'key unknown',
      'key expired',
      'key revoked',
    ])
    // Each parameter is left out, and the list is cut.
    const absentAndCut = endpoints.listPets.query.length + 1
    expect({ gaps: gaps.covered, values: values.covered }).toEqual({
      gaps: 0,
      values: absentAndCut,
    })
  })

  it('goes on with all requests once it was asked for', async () => {
    const sandbox = frozenSandbox()
    const [, , first] = await Promise.all([
      sandbox.handle(requestOf({})),
      sandbox.coverage(),
      sandbox.handle(requestOf({ key: null })),
    ])
    expect(first).toMatchObject({ status: 401 })
    sandbox.reset()
    await sendAll(sandbox, [{ url: '/v1/pets/999' }])
    expect(await coveredIn(sandbox, 'outcomes')).toEqual([
      'listPets 200',
      'listPets 401',
      'getPet 404',
    ])
    expect(await coveredIn(sandbox, 'gaps')).not.toEqual([])
  })

  it('tells what was wrong with a key, whatever becomes of it later', async () => {
    const sandbox = frozenSandbox()
    await sendAll(sandbox, [{ key: 'revoked-key' }])
    sandbox.keys.delete('revoked-key')
    expect(await coveredIn(sandbox, 'situations')).toEqual(['key revoked'])
  })

  it('does not take a scheme in other letters for a key that has expired', async () => {
    const sandbox = coveredSandbox({ gaps: { bearerScheme: 'case-sensitive' } })
    const outcome = await sandbox.handle({
      ...requestOf({}),
      headers: { authorization: 'bearer free-key' },
    })
    expect(outcome).toMatchObject({ status: 401 })
    expect(await coveredIn(sandbox, 'situations')).toEqual([])
  })

  it('counts requests that are sent all at once', async () => {
    const sandbox = coveredSandbox()
    const statuses = [{}, { key: null }, { url: '/v1/pets/999' }]
    const outcomes = await Promise.all(statuses.map((one) => sandbox.handle(requestOf(one))))
    expect(outcomes).toMatchObject([{ status: 200 }, { status: 401 }, { status: 404 }])
    expect(await coveredIn(sandbox, 'outcomes')).toEqual([
      'listPets 200',
      'listPets 401',
      'getPet 404',
    ])
  })
})

describe('the test that covered a cell', () => {
  it('is the first one that was announced, over resets', async () => {
    const sandbox = coveredSandbox()
    await sendAll(sandbox, [{}])
    sandbox.tests.start('lists pets')
    await sendAll(sandbox, [{}, { key: null }])
    sandbox.reset()
    await sendAll(sandbox, [{ json: pet }])
    sandbox.tests.end()
    await sendAll(sandbox, [{ url: '/v1/pets/1' }])
    sandbox.tests.start('gets a pet')
    await sendAll(sandbox, [{ url: '/v1/pets/1' }, { url: '/v1/pets/999' }, { key: null }])
    const { items } = (await sandbox.coverage()).categories.outcomes
    expect(
      items.flatMap(({ name, covered, coveredBy }) => (covered ? [[name, coveredBy]] : [])),
    ).toEqual([
      ['listPets 200', 'lists pets'],
      ['listPets 401', 'lists pets'],
      ['createPet 201', 'lists pets'],
      ['getPet 200', 'gets a pet'],
      ['getPet 404', 'gets a pet'],
    ])
  })

  it('is abbreviated where it has a key in it', async () => {
    const sandbox = coveredSandbox()
    sandbox.tests.start('lists with enterprise-key')
    await sendAll(sandbox, [{}])
    const { items } = (await sandbox.coverage()).categories.outcomes
    expect(items[0]).toMatchObject({ coveredBy: expect.not.stringContaining('enterprise-key') })
  })
})

interface GapRow extends TestRequest {
  readonly on: readonly string[]
  readonly notOn: readonly string[]
}

const gapRows: readonly GapRow[] = [
  {
    url: '/v1/pets?limit=2&status=sold',
    on: ['listOrder', 'quotaWindow', 'reportedWindow'],
    notOn: [
      'afterSunset',
      'banAfter',
      'bearerScheme',
      'countedRequests',
      'errorCodes',
      'invalidQuery',
      'errorMessages',
      'errorPrecedence',
      'duplicateQuery',
      'trailingSlash',
      'unknownQuery',
    ],
  },
  {
    url: '/v1/pets/1',
    on: ['deprecatedSince', 'deprecationHeaders'],
    notOn: ['afterSunset', 'invalidPetId', 'listOrder'],
  },
  {
    url: '/v1/pets/999',
    on: ['countedRequests', 'errorCodes', 'errorMessages'],
    notOn: ['invalidPetId', 'unauthenticatedQuota'],
  },
  {
    json: '{"name":"Rex","categoryId":1,"status":"sold"}',
    on: ['idSequence'],
    notOn: ['emptyName', 'missingContentType', 'nullStatus', 'defaultStatus', 'unknownCategory'],
  },
  { key: null, on: ['unauthenticatedQuota'], notOn: ['listOrder', 'unknownRouteWithoutKey'] },
]

describe('the gaps', () => {
  it.each(gapRows)('are covered on which $url $json depends', async (row) => {
    const { on, notOn, ...request } = row
    const sandbox = coveredSandbox()
    await sendAll(sandbox, [request])
    const found = (await coveredIn(sandbox, 'gaps')).map((cell) => cell.replace(/=.*/, ''))
    expect(found).toEqual(expect.arrayContaining([...on]))
    expect(found.filter((name) => notOn.includes(name))).toEqual([])
  })
})
