import { afterEach, describe, expect, it, vi } from 'vitest'
import { coverageItems } from '../../../../src/checks/coverage/cells.ts'
import { type CategoryName, categories } from '../../../../src/checks/coverage/coverage-report.ts'
import { namesOf } from '../../../../src/mock/input/record.ts'
import { createSandbox, type Sandbox } from '../../../../src/sandbox/sandbox.ts'
import { startAt } from '../../../kit/frozen-sandbox.ts'
import { runLine } from './run-line.ts'

const all = namesOf(categories).flatMap((tier) =>
  coverageItems[tier].map((cell) => ({ tier, ...cell })),
)

async function metBy(
  sandbox: Sandbox,
  line: string,
  tier: CategoryName,
): Promise<readonly string[]> {
  const none = await sandbox.coverage()
  expect(none.categories[tier].covered).toBe(0)
  await runLine(sandbox, line)
  const report = await sandbox.coverage()
  return report.categories[tier].items.flatMap(({ name, covered }) => (covered ? [name] : []))
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
  it.each(all)('brings about $tier: $cell, whenever it is run', async ({ tier, name, snippet }) => {
    expect(snippet).not.toContain('\n')
    for (const phase of [0, 1, 500, 990, 999]) {
      runFrom(startAt + phase)
      expect(await metBy(createSandbox({ coverage: true }), snippet, tier)).toContain(name)
    }
  })

  it('is another one than that of the choice beside it', () => {
    const changes = coverageItems.gaps.filter(({ snippet }) =>
      snippet.startsWith('sandbox.setGaps('),
    )
    expect(new Set(changes.map(({ snippet }) => snippet)).size).toBe(changes.length)
  })
})

/** What only one of several cells can be, of a single request: a response, a value of a parameter, a value of a gap. */
function questionOf(tier: CategoryName, cell: string): string {
  if (tier === 'outcomes') return cell.split(' ')[0] ?? ''
  return cell.replace(/(?: absent| in between|=.*)$/, '')
}

describe('a cell', () => {
  it('is not covered by the line of another one beside it', async () => {
    const wrong: string[] = []
    for (const { tier, name, snippet } of all) {
      // A situation can be part of another one.
      if (tier === 'situations') continue
      runFrom(startAt)
      const met = await metBy(createSandbox({ coverage: true }), snippet, tier)
      const question = questionOf(tier, name)
      const others = met.filter((one) => one !== name && questionOf(tier, one) === question)
      if (others.length > 0) wrong.push(`${name} covers ${others.join(', ')}`)
    }
    expect(wrong).toEqual([])
  })

  it('of a situation is left uncovered by the lines of most others', async () => {
    const times = new Map<string, number>()
    for (const { snippet } of coverageItems.situations) {
      runFrom(startAt)
      for (const one of await metBy(createSandbox({ coverage: true }), snippet, 'situations')) {
        times.set(one, (times.get(one) ?? 0) + 1)
      }
    }
    const many = [...times].filter(([, count]) => count > 3)
    expect(many).toEqual([])
  })
})
