import { describe, expect, it } from 'vitest'
import { type TierName, tiers } from '../../src/coverage/cells/cell.ts'
import { cells } from '../../src/coverage/cells/cells.ts'
import { namesOf } from '../../src/input/record.ts'
import { createSandbox } from '../../src/sandbox.ts'
import { startAt } from '../kit/frozen-sandbox.ts'
import { runLine } from './run-line.ts'

const all = namesOf(tiers).flatMap((tier) => cells[tier].map((cell) => ({ tier, ...cell })))

async function metBy(line: string, tier: TierName): Promise<readonly string[]> {
  const sandbox = createSandbox({ coverage: true, clock: { now: startAt, mode: 'frozen' } })
  const none = await sandbox.coverage()
  expect(none.tiers[tier].met).toBe(0)
  await runLine(sandbox, line)
  const report = await sandbox.coverage()
  return report.tiers[tier].cells.flatMap(({ cell, met }) => (met ? [cell] : []))
}

describe('the line of a cell', () => {
  it.each(all)('brings about $tier: $cell', async ({ tier, cell, how }) => {
    expect(how).not.toContain('\n')
    expect(await metBy(how, tier)).toContain(cell)
  })

  it('is another one than that of the choice beside it', () => {
    const changes = cells.gaps.filter(({ how }) => how.startsWith('sandbox.setGaps('))
    expect(new Set(changes.map(({ how }) => how)).size).toBe(changes.length)
  })
})
