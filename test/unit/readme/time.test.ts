import { test } from 'petstore-sandbox/vitest'
import { afterEach, beforeEach, expect, vi } from 'vitest'

/** The client under test: it waits as long as Retry-After says, and sends the request again. */
async function listPets(apiUrl: string): Promise<Response> {
  const response = await fetch(`${apiUrl}/pets`, { headers: { authorization: 'Bearer free-key' } })
  if (response.status !== 429) return response
  const seconds = Number(response.headers.get('retry-after'))
  await new Promise((resolve) => setTimeout(resolve, seconds * 1000))
  return await listPets(apiUrl)
}

// Fake time advances by itself, whenever everything waits.
beforeEach(() => {
  vi.useFakeTimers({ now: new Date('2027-01-15T08:00:20Z') }).setTimerTickMode('nextTimerAsync')
})
afterEach(() => {
  vi.useRealTimers()
})

test('waits for the next minute', async ({ sandbox, apiUrl }) => {
  sandbox.keys.setRemaining('free-key', { minute: 0 })
  expect((await listPets(apiUrl)).status).toBe(200)
  expect(sandbox.clock.now()).toBe(Date.parse('2027-01-15T08:01:00Z'))
})
