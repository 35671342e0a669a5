import { expect } from '@playwright/test'
import { test } from 'petstore-sandbox/playwright'

test.use({ apiUrl: 'https://api.example.com/v1' })

test('a page gets 401 once its key has expired', async ({ page, sandbox }) => {
  sandbox.keys.update('free-key', { expiresAt: sandbox.clock.now() })
  const status = await page.evaluate(async () => {
    const headers = { authorization: 'Bearer free-key' }
    const response = await fetch('https://api.example.com/v1/pets', { headers })
    return response.status
  })
  expect(status).toBe(401)
  expect(sandbox.requests.last()?.why).toContain('the API key has expired')
})
