import { describe, expect } from 'vitest'
import { type AuditLevel, test as sandboxTest } from '../../../src/adapters/vitest.ts'

/** A `test` for a whole suite. */
const test = sandboxTest.extend<{ readonly audit: AuditLevel }>({ audit: 'error' })

function list(baseUrl: string): Promise<Response> {
  return fetch(`${baseUrl}/pets`, { headers: { authorization: 'Bearer free-key' } })
}

async function add(baseUrl: string): Promise<Response> {
  return await fetch(`${baseUrl}/pets`, {
    method: 'POST',
    headers: { authorization: 'Bearer free-key', 'content-type': 'application/json' },
    body: '{"name":"Rex","categoryId":1}',
  })
}

/** Adds a pet again once it knows, without any doubt, that the first answer is lost. */
async function addTwice(baseUrl: string): Promise<void> {
  await add(baseUrl).catch(() => {})
  for (const _ of [1, 2, 3]) await new Promise<void>((resolve) => setImmediate(resolve))
  await add(baseUrl)
}

const lost = { fault: 'disconnect', operation: 'createPet', times: 1 } as const

test('passes', async ({ baseUrl }) => {
  expect((await list(baseUrl)).status).toBe(200)
})

test('fails with what was found: duplicate-create', async ({ baseUrl, sandbox }) => {
  sandbox.faults.add(lost)
  await addTwice(baseUrl)
})

test('fails, though it resets its sandbox: duplicate-create', async ({ baseUrl, sandbox }) => {
  sandbox.faults.add(lost)
  await addTwice(baseUrl)
  sandbox.reset()
  await list(baseUrl)
})

test('fails by its own error first', async ({ baseUrl, sandbox }) => {
  sandbox.faults.add(lost)
  await addTwice(baseUrl)
  expect(sandbox.pets.size).toBe(31)
})

test('passes with a warning', async ({ baseUrl }) => {
  await fetch(`${baseUrl}/pets/1`, { headers: { authorization: 'Bearer free-key' } })
})

describe('with warnings', () => {
  test.override('audit', 'warning')

  test('fails with a warning: deprecated-operation', async ({ baseUrl }) => {
    await fetch(`${baseUrl}/pets/1`, { headers: { authorization: 'Bearer free-key' } })
  })
})

describe('without', () => {
  test.override('audit', 'off')

  test('passes, whatever its client does', async ({ baseUrl, sandbox }) => {
    sandbox.faults.add(lost)
    await addTwice(baseUrl)
  })
})

describe.concurrent('side by side', () => {
  test('fails alone: duplicate-create', async ({ baseUrl, sandbox }) => {
    sandbox.faults.add(lost)
    await addTwice(baseUrl)
  })

  test.for([1, 2, 3])('passes beside it (%i)', async (_, { baseUrl }) => {
    expect((await list(baseUrl)).status).toBe(200)
  })
})
