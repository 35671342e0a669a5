import { test } from 'petstore-sandbox/vitest'
import { expect } from 'vitest'

test('comes back after 503 when it is told to', async ({ sandbox, apiUrl }) => {
  sandbox.faults.add({ fault: 'status', status: 503, retryAfter: '30s', times: 1 })
  const list = () => fetch(`${apiUrl}/pets`, { headers: { authorization: 'Bearer free-key' } })
  const refused = await list()
  expect(refused.status).toBe(503)
  sandbox.clock.advance(Number(refused.headers.get('retry-after')) * 1000)
  expect((await list()).status).toBe(200)
})

test('is slow at times, and loses the answer to the tenth POST', async ({ sandbox, apiUrl }) => {
  sandbox.faults.add([
    { fault: 'latency', ms: ['1s', '3s'], probability: 0.5 },
    { fault: 'disconnect', operation: 'createPet', skip: 9, times: 1 },
  ])
  expect(sandbox.faults.list()).toHaveLength(2)
  expect(apiUrl).toContain('/v1')
})
