import { expect, it } from 'vitest'

it('rejects the fixtures of Node in a browser, and says what to use', async () => {
  await expect(import('petstore-sandbox/vitest')).rejects.toThrow(
    'call startWorker() of petstore-sandbox/msw-worker in beforeAll()',
  )
})
