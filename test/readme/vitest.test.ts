import { test } from 'petstore-sandbox/vitest'
import { expect } from 'vitest'

// A test fails if its client breaks a rule of the interface.
test.override('audit', 'error')

test('adds a pet once, although the first answer is lost', async ({ sandbox, baseUrl }) => {
  sandbox.faults.add({ fault: 'disconnect', operation: 'createPet', times: 1 })
  const headers = { authorization: 'Bearer pro-key', 'content-type': 'application/json' }
  const body = JSON.stringify({ name: 'Rex', categoryId: 1 })
  const add = () => fetch(`${baseUrl}/pets`, { method: 'POST', headers, body })
  const isThere = async () => {
    const pets = await (await fetch(`${baseUrl}/pets?limit=100`, { headers })).json()
    return pets.some(({ name }: { name: string }) => name === 'Rex')
  }
  await add().catch(async () => {
    // Only the response may be lost, and the list may be late: look for a while before you send the pet again.
    for (let looks = 0; looks < 5; looks++) {
      if (await isThere()) return
      await new Promise((resolve) => setTimeout(resolve, 2_000))
    }
    await add()
  })
  expect(sandbox.requests.list({ operation: 'createPet' })).toHaveLength(1)
  expect(await sandbox.pets.query((query) => query.where({ name: 'Rex' }))).toHaveLength(1)
})
