import { describe, expect, it } from 'vitest'
import { parseGaps } from '../src/contract/gap-settings.ts'
import { defaultGaps, type Gap, gapNames, gaps } from '../src/contract/gaps.ts'
import { creatingRows } from './gaps/creating.ts'
import { keyRows } from './gaps/keys.ts'
import { listingRows } from './gaps/listing.ts'
import { pathRows } from './gaps/paths.ts'
import { refusalRows } from './gaps/refusals.ts'
import type { GapRow } from './gaps/row.ts'
import { unpromisedRows } from './gaps/unpromised.ts'
import { windowRows } from './gaps/windows.ts'
import { expectComplete } from './kit/expect-complete.ts'
import { frozenSandbox } from './kit/frozen-sandbox.ts'

const rows: readonly GapRow[] = [
  ...creatingRows,
  ...listingRows,
  ...pathRows,
  ...keyRows,
  ...windowRows,
  ...refusalRows,
  ...unpromisedRows,
]

/** A choice as the engine reads it, so that two ways of writing one are the same. */
function chosenBy({ gap, choice }: GapRow): string | number {
  return parseGaps({ [gap]: choice })[gap]
}

const defaultRows = rows.filter((row) => chosenBy(row) === defaultGaps[row.gap])

describe('gaps', () => {
  it.each(rows)('$gap: $choice $does', async ({ gap, choice, check }) => {
    await check(frozenSandbox({ gaps: { [gap]: choice } }))
  })

  it.each(defaultRows)('$gap: by default $does', async ({ check }) => {
    await check(frozenSandbox())
  })

  it.each(rows)('$gap: $choice $does when it is set later', async ({ gap, choice, check }) => {
    const sandbox = frozenSandbox()
    sandbox.setGaps({ [gap]: choice })
    await check(sandbox)
  })
})

describe('the table of gap tests', () => {
  it.each(gapNames)('has a row for every choice of %s', (name) => {
    const gap = gaps[name]
    const tested = rows.filter((row) => row.gap === name).map(chosenBy)
    const needed: readonly (string | number)[] = 'choices' in gap ? gap.choices : [gap.default]
    const found = tested.filter((choice) => needed.includes(choice))
    expectComplete({ found, needed, what: `a row for a choice of ${name}`, where: 'test/gaps/' })
    expect(new Set(tested).size).toBe(tested.length)
  })

  it.each(gapNames.filter((name) => gaps[name].kind !== 'choice'))(
    'has a row for a choice of %s that is not the default',
    (name) => {
      const others = rows.filter((row) => row.gap === name && !defaultRows.includes(row))
      expectComplete({
        found: others.map(() => 'any choice but the default'),
        needed: ['any choice but the default'],
        what: `a row for a choice of ${name}`,
        where: 'test/gaps/',
      })
    },
  )

  it('has a row for a count that is never', () => {
    expectComplete({
      found: rows.filter(({ choice }) => choice === 'never').map(({ gap }) => gap),
      needed: gapNames.filter((name) => canBeNever(gaps[name])),
      what: 'a row for the choice never of a gap',
      where: 'test/gaps/',
    })
  })
})

function canBeNever(gap: Gap): boolean {
  return gap.kind === 'count' || (gap.kind === 'choice' && gap.choices.includes('never'))
}
