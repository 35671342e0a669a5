import { expect } from '@playwright/test'
import { test } from 'petstore-sandbox/playwright'

test.use({ apiUrl: 'https://api.example.com/v1' })

test('goes on when the minute is over', async ({ page, request, sandbox }) => {
  await page.clock.install({ time: '2027-01-15T08:00:20Z' })
  sandbox.keys.setRemaining('free-key', { minute: 0 })
  const list = () =>
    request.get('https://api.example.com/v1/pets', {
      headers: { authorization: 'Bearer free-key' },
    })
  expect((await list()).status()).toBe(429)
  await page.clock.fastForward('01:00')
  expect((await list()).status()).toBe(200)
})
