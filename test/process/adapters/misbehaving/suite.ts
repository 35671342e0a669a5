import { describe, expect } from 'vitest'
import { type FailOn, test as sandboxTest } from '../../../../src/adapters/vitest.ts'

/** A `test` for a whole suite. */
const test = sandboxTest.extend<{ readonly failOn: FailOn }>({ failOn: 'error' })

function list(apiUrl: string): Promise<Response> {
  return fetch(`${apiUrl}/pets`, { headers: { authorization: 'Bearer free-key' } })
}

async function add(apiUrl: string): Promise<Response> {
  return await fetch(`${apiUrl}/pets`, {
    method: 'POST',
    headers: { authorization: 'Bearer free-key', 'content-type': 'application/json' },
    body: '{"name":"Rex","categoryId":1}',
  })
}

/** Adds a pet again once it knows, without any doubt, that the first answer is lost. */
async function addTwice(apiUrl: string): Promise<void> {
  await add(apiUrl).catch(() => {})
  for (const _ of [1, 2, 3]) await new Promise<void>((resolve) => setImmediate(resolve))
  await add(apiUrl)
}

const lost = { fault: 'disconnect', operation: 'createPet', times: 1 } as const

test('passes', async ({ apiUrl }) => {
  expect((await list(apiUrl)).status).toBe(200)
})

test('fails with what was found: duplicate-create', async ({ apiUrl, sandbox }) => {
  sandbox.faults.add(lost)
  await addTwice(apiUrl)
})

test('fails, though it resets its sandbox: duplicate-create', async ({ apiUrl, sandbox }) => {
  sandbox.faults.add(lost)
  await addTwice(apiUrl)
  sandbox.reset()
  await list(apiUrl)
})

test('fails by its own error first', async ({ apiUrl, sandbox }) => {
  sandbox.faults.add(lost)
  await addTwice(apiUrl)
  expect(sandbox.pets.size).toBe(31)
})

test('passes with a warning', async ({ apiUrl }) => {
  await fetch(`${apiUrl}/pets/1`, { headers: { authorization: 'Bearer free-key' } })
})

describe('with warnings', () => {
  test.override('failOn', 'warning')

  test('fails with a warning: deprecated-operation', async ({ apiUrl }) => {
    await fetch(`${apiUrl}/pets/1`, { headers: { authorization: 'Bearer free-key' } })
  })
})

describe('without', () => {
  test.override('failOn', 'off')

  test('passes, whatever its client does', async ({ apiUrl, sandbox }) => {
    sandbox.faults.add(lost)
    await addTwice(apiUrl)
  })
})

describe.concurrent('side by side', () => {
  test('fails alone: duplicate-create', async ({ apiUrl, sandbox }) => {
    sandbox.faults.add(lost)
    await addTwice(apiUrl)
  })

  test.for([1, 2, 3])('passes beside it (%i)', async (_, { apiUrl }) => {
    expect((await list(apiUrl)).status).toBe(200)
  })
})
