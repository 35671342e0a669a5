import { test } from 'petstore-sandbox/vitest'
import { expect } from 'vitest'

// A test fails if its client breaks a rule of the interface.
test.override('failOn', 'error')

test('adds a pet once, although the first answer is lost', async ({ sandbox, apiUrl }) => {
  sandbox.faults.add({ fault: 'disconnect', operation: 'createPet', times: 1 })
  const headers = { authorization: 'Bearer pro-key', 'content-type': 'application/json' }
  const body = JSON.stringify({ name: 'Rex', categoryId: 1 })
  const add = () => fetch(`${apiUrl}/pets`, { method: 'POST', headers, body })
  await add().catch(async () => {
    // The request may have got through, and only its answer was lost: look before you send it again.
    const pets = await (await fetch(`${apiUrl}/pets?limit=100`, { headers })).json()
    if (!pets.some(({ name }: { name: string }) => name === 'Rex')) await add()
  })
  expect(sandbox.requests.list({ operation: 'createPet' })).toHaveLength(1)
  expect(await sandbox.pets.query((query) => query.where({ name: 'Rex' }))).toHaveLength(1)
})
