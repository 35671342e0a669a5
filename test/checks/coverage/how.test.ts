import { afterEach, describe, expect, it, vi } from 'vitest'
import { cells } from '../../../src/checks/coverage/cells.ts'
import { type TierName, tiers } from '../../../src/checks/coverage/coverage-report.ts'
import { namesOf } from '../../../src/mock/input/record.ts'
import { createSandbox, type Sandbox } from '../../../src/mock/sandbox.ts'
import { startAt } from '../../kit/frozen-sandbox.ts'
import { runLine } from './run-line.ts'

const all = namesOf(tiers).flatMap((tier) => cells[tier].map((cell) => ({ tier, ...cell })))

async function metBy(sandbox: Sandbox, line: string, tier: TierName): Promise<readonly string[]> {
  const none = await sandbox.coverage()
  expect(none.tiers[tier].covered).toBe(0)
  await runLine(sandbox, line)
  const report = await sandbox.coverage()
  return report.tiers[tier].cells.flatMap(({ cell, covered }) => (covered ? [cell] : []))
}

/** Has the host's clock go on by a millisecond each time that somebody looks at it. */
function runFrom(at: number): void {
  let now = at
  vi.spyOn(Date, 'now').mockImplementation(() => now++)
}

afterEach(() => {
  vi.restoreAllMocks()
})

describe('the line of a cell', () => {
  it.each(all)('brings about $tier: $cell, whenever it is run', async ({ tier, cell, how }) => {
    expect(how).not.toContain('\n')
    for (const phase of [0, 1, 500, 990, 999]) {
      runFrom(startAt + phase)
      expect(await metBy(createSandbox({ coverage: true }), how, tier)).toContain(cell)
    }
  })

  it('is another one than that of the choice beside it', () => {
    const changes = cells.gaps.filter(({ how }) => how.startsWith('sandbox.setGaps('))
    expect(new Set(changes.map(({ how }) => how)).size).toBe(changes.length)
  })
})

/** What only one of several cells can be, of a single request: a response, a value of a parameter, a value of a gap. */
function questionOf(tier: TierName, cell: string): string {
  if (tier === 'outcomes') return cell.split(' ')[0] ?? ''
  return cell.replace(/(?: absent| in between|=.*)$/, '')
}

describe('a cell', () => {
  it('is not covered by the line of another one beside it', async () => {
    const wrong: string[] = []
    for (const { tier, cell, how } of all) {
      // A situation can be part of another one.
      if (tier === 'situations') continue
      runFrom(startAt)
      const met = await metBy(createSandbox({ coverage: true }), how, tier)
      const question = questionOf(tier, cell)
      const others = met.filter((one) => one !== cell && questionOf(tier, one) === question)
      if (others.length > 0) wrong.push(`${cell} covers ${others.join(', ')}`)
    }
    expect(wrong).toEqual([])
  })

  it('of a situation is left uncovered by the lines of most others', async () => {
    const times = new Map<string, number>()
    for (const { how } of cells.situations) {
      runFrom(startAt)
      for (const one of await metBy(createSandbox({ coverage: true }), how, 'situations')) {
        times.set(one, (times.get(one) ?? 0) + 1)
      }
    }
    const many = [...times].filter(([, count]) => count > 3)
    expect(many).toEqual([])
  })
})
