import fc from 'fast-check'
import { expect, it } from 'vitest'
import { journalFilter } from '../../../../src/state/journal/journal-filter.ts'
import { walkJournal } from '../../../../src/state/journal/reading/walk-journal.ts'
import { frozenSandbox } from '../../../kit/frozen-sandbox.ts'
import { send } from '../../../kit/send.ts'

const anyQuery = fc.record(
  {
    method: fc.constantFrom('GET', 'HEAD'),
    status: fc.constantFrom(200, 404),
    after: fc.nat(9),
    limit: fc.integer({ min: 1, max: 9 }),
  },
  { requiredKeys: [] },
)

const anyRequest = fc.record({
  method: fc.constantFrom('GET', 'HEAD'),
  url: fc.constantFrom('/v1/pets/1', '/v1/pets/99'),
})

it('walkJournal() gives one by one what entries() gives at once, of any journal by any filter', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(anyRequest, { maxLength: 8 }),
      fc.integer({ min: 0, max: 8 }),
      anyQuery,
      async (requests, journalSize, query) => {
        const sandbox = frozenSandbox({ journalSize })
        for (const request of requests) await send(sandbox, request)
        const { journal } = sandbox.state()
        const walked = [...walkJournal(journal, journalFilter.read(query))].filter(
          (entry) => entry !== undefined,
        )
        expect(walked).toEqual(sandbox.journal.entries(query))
      },
    ),
  )
})

it('walkJournal() skips what is forgotten before its turn, and gives nothing that comes later', async () => {
  const sandbox = frozenSandbox({ journalSize: 3 })
  for (let sent = 0; sent < 3; sent++) await send(sandbox)
  const walk = walkJournal(sandbox.state().journal, journalFilter.read({}))
  expect(walk.next().value?.id).toBe(1)
  await send(sandbox)
  await send(sandbox)
  expect([...walk].map((entry) => entry?.id)).toEqual([3])
})
