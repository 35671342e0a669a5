import { test } from 'petstore-sandbox/vitest'
import { afterEach, beforeEach, expect, vi } from 'vitest'

test.override('failOn', 'error')

/** The client under test: it waits as long as the store asks for, and sends again. */
async function listPets(apiUrl: string): Promise<Response> {
  const response = await fetch(`${apiUrl}/pets`, { headers: { authorization: 'Bearer free-key' } })
  if (response.status !== 429) return response
  const seconds = Number(response.headers.get('retry-after'))
  await new Promise((resolve) => setTimeout(resolve, seconds * 1000))
  return await listPets(apiUrl)
}

// Fake time goes on by itself, as soon as everybody waits.
beforeEach(() => {
  vi.useFakeTimers({ now: new Date('2027-01-15T08:00:20Z') }).setTimerTickMode('nextTimerAsync')
})
afterEach(() => {
  vi.useRealTimers()
})

test('waits once, and is served', async ({ sandbox, apiUrl }) => {
  sandbox.keys.setRemaining('free-key', { minute: 0 })
  expect((await listPets(apiUrl)).status).toBe(200)
  const answers = sandbox.requests.list().map(({ at, why }) => ({ at, why }))
  expect(answers).toEqual([
    { at: '2027-01-15T08:00:20Z', why: expect.stringContaining('60 of 60') },
    { at: '2027-01-15T08:01:00Z', why: expect.stringContaining('200: listPets') },
  ])
})
