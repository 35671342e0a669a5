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
})

describe('a cell', () => {
  it('of an outcome is the only one of its operation that its line covers', async () => {
    for (const { name, snippet } of coverageItems.outcomes) {
      runFrom(startAt)
      const met = await metBy(createSandbox({ coverage: true }), snippet, 'outcomes')
      const [operation = ''] = name.split(' ')
      expect(met.filter((one) => one.startsWith(`${operation} `))).toEqual([name])
    }
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
