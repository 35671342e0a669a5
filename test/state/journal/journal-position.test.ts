import { describe, expect, it } from 'vitest'
import type { Sandbox } from '../../../src/sandbox.ts'
import type { JournalPosition } from '../../../src/state/journal/journal-position.ts'
import { frozenSandbox } from '../../kit/frozen-sandbox.ts'
import { send } from '../../kit/send.ts'
import { sendMany } from '../../kit/send-many.ts'

/** Steps from a position to the end of a journal. */
function walk({ journal }: Sandbox, from: JournalPosition) {
  const ids: number[] = []
  let isWhole = true
  let step = journal.next(from)
  for (; step.entry !== undefined; step = journal.next(step.position)) {
    ids.push(step.entry.id)
    isWhole &&= step.isWhole
  }
  expect(step.position).toEqual(journal.position)
  return { ids, isWhole: isWhole && step.isWhole }
}

/** A sandbox with some exchanges, the position after them, and some more. */
async function usedSandbox(journalSize = 1_000) {
  const sandbox = frozenSandbox({ journalSize, rateLimit: 'reported' })
  await sendMany(sandbox, 2)
  const { position } = sandbox.journal
  return { sandbox, position }
}

describe('Journal.next()', () => {
  it('steps through the entries after a position, one by one', async () => {
    const { sandbox, position } = await usedSandbox()
    expect(walk(sandbox, position)).toEqual({ ids: [], isWhole: true })
    await sendMany(sandbox, 3)
    expect(walk(sandbox, position)).toEqual({ ids: [3, 4, 5], isWhole: true })
    expect(sandbox.journal.next(position).entry).toEqual(sandbox.journal.get(3))
    expect(walk(sandbox, { ...position, id: 0 })).toEqual({ ids: [1, 2, 3, 4, 5], isWhole: true })
  })

  it('says that entries are missing which were too old to keep', async () => {
    const { sandbox, position } = await usedSandbox(3)
    await sendMany(sandbox, 5)
    expect(walk(sandbox, position)).toEqual({ ids: [5, 6, 7], isWhole: false })
  })

  it.each([
    { what: 'cleared', size: 1_000, clear: (sandbox: Sandbox) => sandbox.journal.clear() },
    { what: 'never kept', size: 0, clear: () => {} },
  ])('says that entries are missing which were $what', async ({ size, clear }) => {
    const { sandbox, position } = await usedSandbox(size)
    clear(sandbox)
    expect(walk(sandbox, position)).toEqual({ ids: [], isWhole: true })
    await send(sandbox)
    clear(sandbox)
    expect(walk(sandbox, position)).toEqual({ ids: [], isWhole: false })
  })

  it('goes on over a reset without a gap where the position was the end of the journal', async () => {
    const { sandbox, position } = await usedSandbox()
    sandbox.reset()
    expect(walk(sandbox, position)).toEqual({ ids: [], isWhole: true })
    await sendMany(sandbox, 2)
    expect(walk(sandbox, position)).toEqual({ ids: [3, 4], isWhole: true })
  })

  it('says that entries are missing which a reset has deleted', async () => {
    const { sandbox, position } = await usedSandbox()
    await send(sandbox)
    sandbox.reset()
    await send(sandbox)
    expect(walk(sandbox, position)).toEqual({ ids: [4], isWhole: false })
  })

  it('gives of a restored journal only what came after the snapshot', async () => {
    const { sandbox, position } = await usedSandbox()
    await send(sandbox)
    sandbox.restore(sandbox.snapshot())
    await send(sandbox)
    expect(walk(sandbox, position)).toEqual({ ids: [4], isWhole: false })
    const other = frozenSandbox()
    other.restore(sandbox.snapshot())
    await send(other)
    expect(walk(other, sandbox.journal.position)).toEqual({ ids: [5], isWhole: false })
  })

  it('takes no position of another journal for its own', async () => {
    const { position } = await usedSandbox()
    const other = frozenSandbox()
    await sendMany(other, 3)
    expect(other.journal.position.epoch).not.toBe(position.epoch)
    expect(walk(other, position)).toEqual({ ids: [1, 2, 3], isWhole: false })
  })

  it.each([{ id: 99 }, { id: -5 }, { id: Number.NaN }])(
    'does not take a position that never was for whole: $id',
    async ({ id }) => {
      const { sandbox, position } = await usedSandbox()
      await send(sandbox)
      expect(walk(sandbox, { ...position, id }).isWhole).toBe(false)
    },
  )
})
