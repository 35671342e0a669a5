import { describe, expect, it } from 'vitest'
import { sealInTurns } from '../../../../src/state/journal/reading/seal-in-turns.ts'
import { frozenSandbox } from '../../../kit/frozen-sandbox.ts'
import { sendMany } from '../../../kit/send-many.ts'

describe('sealInTurns()', () => {
  it('reduces all exchanges to what they show, those too that come meanwhile', async () => {
    const sandbox = frozenSandbox()
    await sendMany(sandbox, 5)
    const before = sandbox.journal.entries()
    let turns = 0
    await sealInTurns(sandbox.state().journal, async () => {
      turns++
      if (turns === 2) await sendMany(sandbox, 2)
    })
    const { journal } = sandbox.state()
    for (let id = 0; id < 7; id++) expect(journal.entryAfter(id)?.exchange).toHaveProperty('why')
    expect(sandbox.journal.entries()).toHaveLength(7)
    expect(sandbox.journal.entries().slice(0, 5)).toEqual(before)
    expect(turns).toBe(7)
  })

  it('ends where more and more exchanges come', async () => {
    const sandbox = frozenSandbox({ rateLimit: 'reported' })
    await sendMany(sandbox, 3)
    await sealInTurns(sandbox.state().journal, () => sendMany(sandbox, 2).then(() => undefined))
    expect(sandbox.journal.entries()).toHaveLength(3 + 2 * (3 + 6 + 12))
  })
})
