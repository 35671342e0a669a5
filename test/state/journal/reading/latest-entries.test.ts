import { expect, it } from 'vitest'
import { bytesOf } from '../../../../src/state/journal/kept-exchange.ts'
import { LatestEntries } from '../../../../src/state/journal/reading/latest-entries.ts'
import { frozenSandbox } from '../../../kit/frozen-sandbox.ts'
import { send } from '../../../kit/send.ts'

it.each([0, 1, 3, 5_000])('LatestEntries keeps the latest %i that fit', async (most) => {
  const sandbox = frozenSandbox()
  await send(sandbox)
  const entry = sandbox.journal.get(1)
  const latest = new LatestEntries(most * bytesOf(entry))
  for (let id = 1; id <= 2_500; id++) latest.add({ ...entry, id })
  const ids = latest.list().map(({ id }) => id)
  const count = Math.min(most, 2_500)
  expect(ids).toEqual(Array.from({ length: count }, (_, index) => 2_501 - count + index))
})
