import { describe, expect, it } from 'vitest'
import { bytesOf } from '../../../../src/state/journal/kept-exchange.ts'
import { LatestEntries } from '../../../../src/state/journal/reading/latest-entries.ts'
import { frozenSandbox } from '../../../kit/frozen-sandbox.ts'
import { send } from '../../../kit/send.ts'

describe('LatestEntries', () => {
  it.each([
    { most: 0, spare: 0, count: 0 },
    { most: 1, spare: 0, count: 1 },
    { most: 3, spare: -1, count: 2 },
    { most: 3, spare: 0, count: 3 },
    { most: 3, spare: 1, count: 3 },
    { most: 5_000, spare: 0, count: 2_500 },
  ])('keeps the latest $count where $most fit into as many bytes and $spare', async (row) => {
    const sandbox = frozenSandbox()
    await send(sandbox)
    const entry = sandbox.journal.get(1)
    const latest = new LatestEntries(row.most * bytesOf(entry) + row.spare)
    for (let id = 1; id <= 2_500; id++) {
      latest.add({ ...entry, id })
      expect(latest.list()).toHaveLength(Math.min(id, row.count))
    }
    const ids = latest.list().map(({ id }) => id)
    expect(ids).toEqual(Array.from({ length: row.count }, (_, index) => 2_501 - row.count + index))
  })
})
