import { matchers } from 'petstore-sandbox/matchers'
import { test } from 'petstore-sandbox/vitest'
import { expect } from 'vitest'

expect.extend(matchers)

test('lists the pets once', async ({ sandbox, apiUrl }) => {
  await fetch(`${apiUrl}/pets`, { headers: { authorization: 'Bearer free-key' } })
  expect(sandbox).toHaveReceived('listPets', { times: 1, status: 200 })
  expect(sandbox).toHaveNoFindings()
})
