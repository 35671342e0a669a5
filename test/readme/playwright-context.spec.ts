import { expect, test } from '@playwright/test'
import { createSandbox } from 'petstore-sandbox'
import { routeRequests } from 'petstore-sandbox/playwright'

test('two people share one store', async ({ browser }) => {
  const sandbox = createSandbox({ clock: { mode: 'frozen' } })
  const contexts = await Promise.all([browser.newContext(), browser.newContext()])
  for (const context of contexts) {
    await routeRequests(context, sandbox, { baseUrl: 'https://api.example.com/v1' })
    const page = await context.newPage()
    await page.evaluate(() =>
      fetch('https://api.example.com/v1/pets', { headers: { authorization: 'Bearer free-key' } }),
    )
    await context.close()
  }
  expect(sandbox.keys.get('free-key').minute.remaining).toBe(58)
})
