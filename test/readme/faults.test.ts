import { test } from 'petstore-sandbox/vitest'
import { expect } from 'vitest'

test('tries once more after 503', async ({ sandbox, baseUrl }) => {
  sandbox.faults.add({ fault: 'status', status: 503, operation: 'listPets', times: 1 })
  const list = () => fetch(`${baseUrl}/pets`, { headers: { authorization: 'Bearer free-key' } })
  expect((await list()).status).toBe(503)
  expect((await list()).status).toBe(200)
})

test('is slow now and then, and loses each tenth answer', async ({ sandbox, baseUrl }) => {
  sandbox.faults.add([
    { fault: 'latency', ms: ['1s', '3s'], probability: 0.5 },
    { fault: 'disconnect', operation: 'createPet', after: 9, times: 1 },
  ])
  expect(sandbox.faults.list()).toHaveLength(2)
  expect(baseUrl).toContain('/v1')
})
