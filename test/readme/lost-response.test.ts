import { test } from 'petstore-sandbox/vitest'
import { expect } from 'vitest'

test.override('failOn', 'error')

test('creates a pet once, although the first response is lost', async ({ sandbox, apiUrl }) => {
  sandbox.faults.add({ fault: 'disconnect', operation: 'createPet', times: 1 })
  const headers = { authorization: 'Bearer pro-key', 'content-type': 'application/json' }
  const body = JSON.stringify({ name: 'Rex', categoryId: 1 })
  const create = () => fetch(`${apiUrl}/pets`, { method: 'POST', headers, body })
  await create().catch(async () => {
    // The pet may have been created, and only the response was lost: look before you send it again.
    const pets = await (await fetch(`${apiUrl}/pets?limit=100`, { headers })).json()
    if (!pets.some(({ name }: { name: string }) => name === 'Rex')) await create()
  })
  expect(sandbox.requests.list({ operation: 'createPet' })).toHaveLength(1)
})
