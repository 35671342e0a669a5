import { test } from 'petstore-sandbox/vitest'
import { expect } from 'vitest'

test('adds a pet, although the first answer is lost', async ({ sandbox, baseUrl }) => {
  sandbox.faults.add({ fault: 'disconnect', operation: 'createPet', times: 1 })
  const add = () =>
    fetch(`${baseUrl}/pets`, {
      method: 'POST',
      headers: { authorization: 'Bearer pro-key', 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'Rex', categoryId: 1 }),
    })
  await add().catch(add)
  expect(sandbox.journal.entries({ operation: 'createPet' })).toHaveLength(2)
  // The first one got through as well: only its answer was lost.
  expect(await sandbox.pets.query((query) => query.where({ name: 'Rex' }))).toHaveLength(2)
})
