import { HttpResponse, http } from 'msw'
import { type SandboxFixtures, test } from 'petstore-sandbox/vitest'
import { describe, expect } from 'vitest'

const headers = { Authorization: 'Bearer free-key' }

async function statusOf(url: string): Promise<number> {
  const response = await fetch(url, { headers })
  await response.text()
  return response.status
}

test('gives each test a sandbox', async ({ sandbox, apiUrl }) => {
  sandbox.keys.setRemaining('free-key', { minute: 1 })
  expect(await statusOf(`${apiUrl}/pets`)).toBe(200)
  expect(await statusOf(`${apiUrl}/pets`)).toBe(429)
})

test('puts handlers before those of the sandbox', async ({ server, apiUrl }) => {
  server.use(http.get('*/pets', () => HttpResponse.json([], { status: 299 })))
  expect(await statusOf(`${apiUrl}/pets`)).toBe(299)
})

describe('with an address of its own', () => {
  test.override('apiUrl', 'https://api.shop.test/v1')

  test.concurrent('handles there', async ({ sandbox }) => {
    expect(await statusOf('https://api.shop.test/v1/pets')).toBe(200)
    expect(sandbox.requests.list()).toHaveLength(1)
  })
})

describe('at an address that others have too', () => {
  test.override('apiUrl', 'https://api.shop.test/v1')

  test.for([1, 2, 3, 4])('asks its own sandbox: test %i', async (count, { sandbox }) => {
    for (let sent = 0; sent < count; sent++) {
      expect(await statusOf('https://api.shop.test/v1/pets')).toBe(200)
      // By then its connection is free.
      await new Promise((resolve) => setTimeout(resolve, 0))
    }
    expect(sandbox.requests.list()).toHaveLength(count)
  })
})

// @ts-expect-error: an address is a text.
const wrong: SandboxFixtures['apiUrl'] = 1
void wrong
