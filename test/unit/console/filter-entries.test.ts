import { describe, expect, it } from 'vitest'
import {
  entryMatcher,
  filterIn,
  keyNamer,
  queryOf,
  reasonKey,
} from '../../../src/console/model/filter-entries.ts'
import { frozenSandbox } from '../../kit/frozen-sandbox.ts'
import { requestOf, send } from '../../kit/send.ts'

/** Requests of several kinds: served, rejected, struck by a fault, beyond a limit, deprecated. */
async function someEntries() {
  const sandbox = frozenSandbox()
  await sandbox.handle(requestOf({ url: '/v1/pets?limit=2' }))
  sandbox.clock.advance('1s')
  await sandbox.handle(requestOf({ url: '/v1/pets/nope' }))
  sandbox.faults.add({ fault: 'status', status: 503, times: 1 })
  await sandbox.handle(requestOf({}))
  sandbox.clock.advance('1s')
  await sandbox.handle(requestOf({ key: 'minute-exhausted-key' }))
  await sandbox.handle(requestOf({ url: '/v1/pets/1', headers: { 'x-note': 'ÄPFEL' } }))
  return sandbox.requests.list()
}

/** The ids that a query of the address shows. */
async function shown(query: string, found: readonly number[] = []): Promise<number[]> {
  return (await someEntries()).filter(matcherOf(query, found)).map(({ id }) => id)
}

function matcherOf(query: string, found: readonly number[] = []) {
  const keyOf = keyNamer([{ key: 'free-key' }, { key: 'minute-exhausted-key' }])
  const ids = new Set([5])
  const context = { found: new Set(found), keyOf, marks: [], ids: undefined }
  const filter = filterIn(new URLSearchParams(query))
  return entryMatcher(filter, filter.pet === undefined ? context : { ...context, ids })
}

describe('the filter of requests', () => {
  it.each([
    { query: '', ids: [1, 2, 3, 4, 5] },
    { query: 'search=äpfel', ids: [5] },
    { query: 'search=LIMIT%3D2', ids: [1] },
    { query: 'search=spec+4.3', ids: [2, 5] },
    { query: 'search=nothing+like+it', ids: [] },
    { query: 'search=EXHAUSTED-key', ids: [4] },
    { query: 'key=free-key', ids: [1, 2, 3, 5] },
    { query: 'key=free', ids: [] },
    { query: 'show=rejected', ids: [2, 4] },
    { query: 'show=limited', ids: [4] },
    { query: 'show=faults', ids: [3] },
    { query: 'show=faults,limited', ids: [3, 4] },
    { query: 'show=errors', ids: [3] },
    { query: 'pet=1', ids: [5] },
    { query: 'test=nobody', ids: [] },
    { query: 'show=findings', ids: [1] },
    { query: 'show=nonsense', ids: [1, 2, 3, 4, 5] },
    { query: 'from=2026-01-01T00:00:01Z', ids: [2, 3, 4, 5] },
    { query: 'from=2026-01-01T00:00:01Z&to=2026-01-01T00:00:01Z', ids: [2, 3] },
    { query: 'from=nonsense', ids: [1, 2, 3, 4, 5] },
  ])('shows $ids for "$query"', async ({ query, ids }) => {
    expect(await shown(query, [1])).toEqual(ids)
  })

  it('has one reason for what differs only in a key, an id or a value', async () => {
    const sandbox = frozenSandbox()
    for (const url of ['/v1/pets/nope', '/v1/pets/none', '/v1/pets/77', '/v1/pets/78']) {
      await sandbox.handle(requestOf({ url }))
    }
    for (const key of [null, 'wrong', 'expired-key', 'other']) {
      await sandbox.handle(requestOf({ key }))
    }
    const entries = sandbox.requests.list()
    const shownFor = (reason: string) =>
      entries.filter(matcherOf(String(new URLSearchParams({ reason })))).map(({ id }) => id)
    const groups = new Set(entries.map((entry) => shownFor(reasonKey(entry)).join()))
    expect([...groups]).toEqual(['1,2', '3,4', '5', '6,8', '7'])
  })

  it('searches no figure that the machine has measured', async () => {
    const [entry] = await someEntries()
    if (entry === undefined) throw new Error('The sandbox keeps no entry')
    const measured = { ...entry, receivedMs: 104.375, endedMs: 104.375, durationMs: 43_752 }
    const found = ['4.3', '4375', 'limit'].map((word) => matcherOf(`search=${word}`)(measured))
    expect(found).toEqual([false, false, true])
  })

  it('is the same when it is read from the address that it was written to', () => {
    const filter = {
      search: 'a&b=c #ä',
      kinds: ['limited', 'findings'],
      from: '2026-01-01T00:00:00Z',
      to: undefined,
    } as const
    expect(filterIn(new URLSearchParams(queryOf(filter).toString()))).toEqual(filter)
  })
})

describe('keyNamer()', () => {
  it('tells keys apart that begin alike, by their callers', async () => {
    const sandbox = frozenSandbox()
    for (const number of [1, 2]) sandbox.keys.issue({ key: `load-key-${number}`, plan: 'free' })
    await send(sandbox, { key: 'load-key-2' })
    await send(sandbox, { key: 'load-key-1' })
    await send(sandbox, { key: 'load-of-others' })
    await sandbox.handle({ method: 'GET', url: '/v1/pets', headers: {}, body: '' })
    const names = sandbox.requests.list().map(keyNamer(sandbox.keys.list()))
    expect(names).toEqual(['load-key-2', 'load-key-1', 'load…', 'no key'])
  })

  it('takes a number that a caller had in another sandbox for no key that begins otherwise', () => {
    const keyOf = keyNamer([{ key: 'free-key', client: 1 }, { key: 'pro-key' }])
    expect(keyOf({ client: 1, key: 'pro…' })).toBe('pro-key')
  })
})
