import { test } from 'petstore-sandbox/vitest'
import { afterEach, beforeEach, expect, vi } from 'vitest'
import { listPets } from './list-pets.ts'

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
