import { describe, expect, it } from 'vitest'
import type { CategoryName } from '../../../../src/checks/coverage/coverage-report.ts'
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
    expect(Object.values(categories).map((tier) => tier.covered)).toEqual([0, 0])
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
    const { outcomes } = (await sandbox.coverage()).categories
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
