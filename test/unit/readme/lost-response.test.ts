import { test } from 'petstore-sandbox/vitest'
import { expect } from 'vitest'

test('a pet is created, although the response is lost', async ({ sandbox, apiUrl }) => {
  sandbox.faults.add({ fault: 'disconnect', operation: 'createPet', times: 1 })
  const headers = { authorization: 'Bearer pro-key', 'content-type': 'application/json' }
  const body = JSON.stringify({ name: 'Rex', categoryId: 1 })
  await expect(fetch(`${apiUrl}/pets`, { method: 'POST', headers, body })).rejects.toThrow()
  // The 30 pets of the seed, and Rex.
  expect(sandbox.pets.size).toBe(31)
})
