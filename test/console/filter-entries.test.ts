import { describe, expect, it } from 'vitest'
import { entryMatcher, searchableText } from '../../src/console/model/filter-entries.ts'
import { filterIn, queryOf } from '../../src/console/requests/request-filter.ts'
import { frozenSandbox } from '../kit/frozen-sandbox.ts'
import { requestOf } from '../kit/send.ts'

/** Exchanges of several kinds: served, refused, struck by a fault, beyond a limit, deprecated. */
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
  return sandbox.journal.entries()
}

/** The ids that a query of the address shows. */
async function shown(query: string, found: readonly number[] = []): Promise<number[]> {
  const matches = entryMatcher(
    filterIn(new URLSearchParams(query)),
    new Set(found),
    searchableText(),
  )
  return (await someEntries()).filter(matches).map(({ id }) => id)
}

describe('the filter of requests', () => {
  it.each([
    { query: '', ids: [1, 2, 3, 4, 5] },
    { query: 'search=äpfel', ids: [5] },
    { query: 'search=LIMIT%3D2', ids: [1] },
    { query: 'search=spec+4.3', ids: [2, 5] },
    { query: 'search=nothing+like+it', ids: [] },
    { query: 'show=refused', ids: [2, 4] },
    { query: 'show=limited', ids: [4] },
    { query: 'show=faults', ids: [3] },
    { query: 'show=faults,limited', ids: [3, 4] },
    { query: 'show=deprecated', ids: [2, 5] },
    { query: 'show=findings', ids: [1] },
    { query: 'show=nonsense', ids: [1, 2, 3, 4, 5] },
    { query: 'from=2026-01-01T00:00:01Z', ids: [2, 3, 4, 5] },
    { query: 'from=2026-01-01T00:00:01Z&to=2026-01-01T00:00:01Z', ids: [2, 3] },
    { query: 'from=nonsense', ids: [1, 2, 3, 4, 5] },
  ])('shows $ids for "$query"', async ({ query, ids }) => {
    expect(await shown(query, [1])).toEqual(ids)
  })

  it('searches no figure that the machine has measured', async () => {
    const [entry] = await someEntries()
    if (entry === undefined) throw new Error('The sandbox keeps no entry')
    const text = searchableText()({
      ...entry,
      received: 104.375,
      answered: 104.375,
      durationMs: 43_752,
    })
    expect(text).not.toMatch(/4\.3|4375/)
    expect(text).toContain('/v1/pets?limit=2')
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
