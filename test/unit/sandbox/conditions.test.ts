import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { conditionVariable, mostSandboxes } from '../../../src/sandbox/conditions.ts'
import { createExample, createSandbox, type Sandbox } from '../../../src/sandbox/sandbox.ts'
import { testFolder } from '../../kit/cli-process.ts'
import { requestOf } from '../../kit/send.ts'

/** Sets a condition for all sandboxes, until the test ends; returns the folder of the check. */
function under(name: Parameters<typeof conditionVariable>[0], operation?: 'listPets'): string {
  const folder = join(testFolder(), 'check')
  vi.stubEnv('PETSTORE_CHECK_DIR', folder)
  for (const [variable, value] of Object.entries(
    conditionVariable(name, { operation, requests: 2 }),
  )) {
    vi.stubEnv(variable, value)
  }
  onTestFinished(() => {
    vi.unstubAllEnvs()
  })
  return folder
}

async function statusOf(sandbox: Sandbox): Promise<unknown> {
  const outcome = await sandbox.handle(requestOf({ url: '/v1/pets?limit=100' }))
  // What is written has been written when the folder is removed.
  await sandbox.findings()
  await sandbox.coverage()
  return outcome.kind === 'response' ? outcome.status : outcome.kind
}

describe('createSandbox() under a failure condition', () => {
  it('fails from the start, and again after a reset, but not between two tests', async () => {
    under('outage', 'listPets')
    const sandbox = createSandbox()
    expect(await statusOf(sandbox)).toBe(503)
    sandbox.reset()
    await Promise.resolve()
    expect(await statusOf(sandbox)).toBe(503)
    sandbox.tests.start('one')
    sandbox.tests.end()
    sandbox.reset()
    await Promise.resolve()
    expect(await statusOf(sandbox)).toBe(200)
    sandbox.tests.start('another')
    await Promise.resolve()
    expect(await statusOf(sandbox)).toBe(503)
  })

  it('lets the time pass once the client has met a limit', async () => {
    under('minute-limit')
    const sandbox = createSandbox()
    expect(sandbox.status().clock.mode).toBe('frozen')
    expect(await statusOf(sandbox)).toBe(429)
    await Promise.resolve()
    expect(sandbox.status().clock.mode).not.toBe('frozen')
  })

  it('makes no response slow on a frozen clock, which no test would get', async () => {
    under('slow')
    expect(await statusOf(createSandbox({ clock: { mode: 'frozen' } }))).toBe(200)
    const sandbox = createSandbox()
    const [own] = sandbox.faults.list()
    sandbox.faults.add({ fault: 'status', status: 503 })
    sandbox.clock.freeze()
    await Promise.resolve()
    expect(own).toMatchObject({ fault: 'latency' })
    expect(sandbox.faults.list()).toMatchObject([{ fault: 'status' }])
    expect(await statusOf(sandbox)).toBe(503)
  })

  it('records the requests to each sandbox, with or without a condition', async () => {
    const folder = under(undefined)
    const sandbox = createSandbox()
    await statusOf(sandbox)
    const [file = ''] = readdirSync(folder).filter((name) => name.endsWith('.jsonl'))
    expect(JSON.parse(readFileSync(join(folder, file), 'utf8'))).toMatchObject({
      request: { operation: 'listPets', outcome: { status: 200 } },
    })
  })

  it('spares further sandboxes once enough have met it', async () => {
    under('key-expired')
    for (let count = 0; count < mostSandboxes; count++) {
      expect(await statusOf(createSandbox())).toBe(401)
    }
    expect(await statusOf(createSandbox())).toBe(200)
  })

  it('spares those that are no sandboxes of a client', async () => {
    const folder = under('key-expired')
    createExample()
    expect(await statusOf(createSandbox({ coverage: false }))).toBe(200)
    expect(existsSync(folder)).toBe(false)
  })
})
