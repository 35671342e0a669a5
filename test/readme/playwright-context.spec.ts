import { expect } from '@playwright/test'
import { test } from 'petstore-sandbox/playwright'

test.use({ apiUrl: 'https://api.example.com/v1' })

test('two people share one store', async ({ browser, sandbox }) => {
  for (const name of ['Rex', 'Bella']) {
    const context = await browser.newContext()
    const page = await context.newPage()
    await page.evaluate(async (name) => {
      const headers = { authorization: 'Bearer free-key', 'content-type': 'application/json' }
      const body = JSON.stringify({ name, categoryId: 1 })
      await fetch('https://api.example.com/v1/pets', { method: 'POST', headers, body })
    }, name)
    await context.close()
  }
  expect(sandbox.pets.size).toBe(32)
})
