import { describe, expect, it } from 'vitest'
import { creatingRows } from './gaps/creating.ts'
import { keyRows } from './gaps/keys.ts'
import { listingRows } from './gaps/listing.ts'
import { pathRows } from './gaps/paths.ts'
import { refusalRows } from './gaps/refusals.ts'
import type { GapRow } from './gaps/row.ts'
import { unpromisedRows } from './gaps/unpromised.ts'
import { windowRows } from './gaps/windows.ts'
import { conformanceCases, createSandboxFor, play } from './kit/conformance-cases.ts'
import { frozenSandbox } from './kit/frozen-sandbox.ts'

/** What takes more than a request to see; all else of a choice is in its conformance pairs. */
const rows: readonly GapRow[] = [
  ...creatingRows,
  ...listingRows,
  ...pathRows,
  ...keyRows,
  ...windowRows,
  ...refusalRows,
  ...unpromisedRows,
]

describe('gaps', () => {
  it.each(rows)('$gap: $choice $does', async ({ gap, choice, check }) => {
    await check(frozenSandbox({ gaps: { [gap]: choice } }))
  })

  it.each(rows)('$gap: $choice $does when it is set later', async ({ gap, choice, check }) => {
    const sandbox = frozenSandbox()
    sandbox.setGaps({ [gap]: choice })
    await check(sandbox)
  })
})

describe('setGaps()', () => {
  const withChoices = conformanceCases.flatMap(({ gaps, ...one }) =>
    gaps === undefined ? [] : [{ ...one, gaps }],
  )

  it.each(withChoices)('has $clause $name from then on', async ({ gaps, ...one }) => {
    const sandbox = createSandboxFor(one)
    sandbox.setGaps(gaps)
    expect(await play(one, sandbox)).toEqual({ kind: 'reply', ...one.reply })
  })
})
