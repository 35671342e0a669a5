import { expect } from '@playwright/test'
import { routeRequests, type SandboxFixtures, test } from 'petstore-sandbox/playwright'

test.use({ apiUrl: 'https://api.shop.test/v1', sandboxOptions: { rateLimits: 'enforce' } })

test('handles the requests of a page', async ({ context, page, sandbox }) => {
  await context.route('https://shop.test/', (route) =>
    route.fulfill({ contentType: 'text/html', body: '<!doctype html>' }),
  )
  await page.goto('https://shop.test/')
  sandbox.keys.setRemaining('free-key', { minute: 1 })
  const statuses = await page.evaluate(async () => {
    const headers = { Authorization: 'Bearer free-key' }
    const found: number[] = []
    while (found.length < 2) {
      found.push((await fetch('https://api.shop.test/v1/pets', { headers })).status)
    }
    return found
  })
  expect(statuses).toEqual([200, 429])
})

test('handles the requests of the test itself', async ({ request, sandbox }) => {
  const headers = { Authorization: 'Bearer free-key' }
  const response = await request.get('https://api.shop.test/v1/pets', { headers })
  expect(response.status()).toBe(200)
  expect(sandbox.requests.list()).toHaveLength(1)
})

// @ts-expect-error: a fixture is no sandbox.
void ((fixtures: SandboxFixtures, context: never) => routeRequests(context, fixtures))
