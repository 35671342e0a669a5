import { describe, expect, it } from 'vitest'
import type { JournalEntry } from '../../src/client/connect-sandbox.ts'
import { mergeEntries, mostEntries } from '../../src/console/live/merge-entries.ts'
import { frozenSandbox } from '../kit/frozen-sandbox.ts'
import { requestOf } from '../kit/send.ts'

const sandbox = frozenSandbox()
await sandbox.handle(requestOf({}))
const [one] = sandbox.journal.entries()

function entriesOf(...ids: readonly number[]): JournalEntry[] {
  if (one === undefined) throw new Error('Cannot test: there is no entry')
  return ids.map((id) => ({ ...one, id }))
}

describe('mergeEntries()', () => {
  it.each([
    { kept: [], come: [1, 2], all: [1, 2] },
    { kept: [1, 2], come: [3], all: [1, 2, 3] },
    { kept: [2, 3], come: [1, 2, 3, 4], all: [1, 2, 3, 4] },
    { kept: [1, 5], come: [3, 5, 4], all: [1, 3, 4, 5] },
    { kept: [1], come: [], all: [1] },
  ])('makes $all of $kept and $come', ({ kept, come, all }) => {
    const merged = mergeEntries(entriesOf(...kept), entriesOf(...come))
    expect(merged.map(({ id }) => id)).toEqual(all)
  })

  it('keeps the latest', () => {
    const many = Array.from({ length: mostEntries }, (_, at) => at + 1)
    const merged = mergeEntries(entriesOf(...many), entriesOf(mostEntries + 1))
    expect([merged.length, merged[0]?.id, merged.at(-1)?.id]).toEqual([
      mostEntries,
      2,
      mostEntries + 1,
    ])
  })
})
