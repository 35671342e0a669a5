import { AsyncResource } from 'node:async_hooks'
import { describe, expect, test as plainTest } from 'vitest'
import { test } from '../../../../src/adapters/vitest.ts'

/** Sends a request as a client does that keeps every error to itself. */
async function sendQuietly(path: string): Promise<void> {
  await fetch(`https://elsewhere.test/${path}`).catch(() => {})
}

function wait(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}

/** Runs what is put into `queued`; it was there before any test, and so is in no test's context. */
const queue = setInterval(() => {
  queued?.()
  queued = undefined
}, 5)
let queued: (() => void) | undefined

describe.concurrent('side by side', () => {
  test('fails with a request that nothing handles', async () => {
    await wait(10)
    await sendQuietly('first')
    await wait(30)
  })

  test.for([1, 2, 3])('passes beside it (%i)', async (_, { apiUrl }) => {
    expect((await fetch(`${apiUrl}/pets`)).status).toBe(401)
    await wait(50)
  })

  describe('with hooks', () => {
    test.beforeEach(({ sandbox }) => {
      expect(sandbox.pets.size).toBe(30)
    })

    test('fails with a request that nothing handles, hooks or not', async ({ apiUrl }) => {
      await fetch(`${apiUrl}/pets`)
      await sendQuietly('second')
      await wait(30)
    })

    test('passes beside it', async ({ sandbox }) => {
      expect(sandbox.pets.size).toBe(30)
      await wait(50)
    })
  })

  test('passes, though a queue sends something that may be of any test', async () => {
    await new Promise<void>((resolve) => {
      queued = () => void sendQuietly('queued').then(resolve)
    })
  })

  plainTest('passes without a sandbox', async () => {
    await wait(50)
  })
})

test('fails with a request that fails as it should', async () => {
  await expect(fetch('https://elsewhere.test/third')).rejects.toThrow(TypeError)
})

test('fails alone with what a queue sends', async () => {
  await new Promise<void>((resolve) => {
    queued = () => void sendQuietly('queued').then(resolve)
  })
})

let left: Promise<void> | undefined

test('passes, and leaves a request', () => {
  left = wait(20).then(() => sendQuietly('late'))
})

test('passes after a request was left', async () => {
  await left
  clearInterval(queue)
})

describe('at one address', () => {
  test.override('apiUrl', 'https://elsewhere.test/v1')

  /** Sends a request in the context of the first test, as a queue does that this one has begun. */
  let sendByQueue: () => Promise<void>

  test('passes, and begins a queue', () => {
    sendByQueue = AsyncResource.bind(() => sendQuietly('v1/pets'))
  })

  test('passes with what an earlier queue sends to its sandbox', async ({ sandbox }) => {
    await sendByQueue()
    expect(sandbox.requests.list()).toHaveLength(1)
  })

  describe.concurrent('side by side', () => {
    test('fails with what may be its own: one', async ({ sandbox }) => {
      await wait(20)
      await sendByQueue()
      expect(sandbox.requests.list()).toEqual([])
    })

    test('fails with what may be its own: two', async ({ sandbox }) => {
      await wait(50)
      expect(sandbox.requests.list()).toEqual([])
    })
  })
})
