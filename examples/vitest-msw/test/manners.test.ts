import type { Sandbox } from 'petstore-sandbox'
import { matchers } from 'petstore-sandbox/matchers'
import { test as sandboxTest } from 'petstore-sandbox/vitest'
import { beforeEach, describe, expect, vi } from 'vitest'
import { PetClient } from '../src/pet-client.ts'
import { RudeClient } from '../src/rude-client.ts'

expect.extend(matchers)

/** A test with both clients of its own sandbox. */
const test = sandboxTest
  .extend('polite', ({ apiUrl }) => new PetClient({ apiUrl, apiKey: 'free-key' }))
  .extend('rude', ({ apiUrl }) => new RudeClient({ apiUrl, apiKey: 'free-key' }))

beforeEach(({ onTestFinished }) => {
  vi.useFakeTimers({ now: Date.UTC(2027, 0, 15, 8, 0, 20) }).setTimerTickMode('nextTimerAsync')
  onTestFinished(() => {
    vi.useRealTimers()
  })
})

const rex = { name: 'Rex', categoryId: 1 }

/** What the audit says of a client, a line for each finding. */
async function verdictOn(sandbox: Sandbox): Promise<string> {
  const findings = await sandbox.findings()
  return findings.map(({ severity, rule, message }) => `${severity} ${rule}: ${message}`).join('\n')
}

describe('when the minute is used up', () => {
  test('the good client waits', async ({ polite, sandbox }) => {
    sandbox.keys.setRemaining('free-key', { minute: 0 })
    await polite.listPets()
    expect(sandbox).toHaveSeenWait('listPets')
    expect(sandbox).toHaveSeenRetry('listPets', { times: 1 })
    expect(sandbox).toHaveNoFindings({ atLeast: 'warning' })
  })

  test('the rude one does not', async ({ rude, sandbox }) => {
    sandbox.keys.setRemaining('free-key', { minute: 0 })
    await expect(rude.listPets()).rejects.toThrow()
    expect(sandbox).not.toHaveSeenWait('listPets')
    expect(sandbox).not.toHaveNoFindings()
    expect(await verdictOn(sandbox)).toContain('error retried-until-banned: ')
  })
})

describe('when the answer to a new pet is lost', () => {
  test('the good client leaves it at that', async ({ polite, sandbox }) => {
    sandbox.faults.add({ fault: 'disconnect', operation: 'createPet', times: 1 })
    await expect(polite.createPet(rex)).rejects.toThrow()
    expect(sandbox).toHaveReceived('createPet', { times: 1, body: rex })
    expect(sandbox).toHaveNoFindings({ atLeast: 'warning' })
  })

  test('the rude one adds the pet twice', async ({ rude, sandbox }) => {
    sandbox.faults.add({ fault: 'disconnect', operation: 'createPet', times: 1 })
    await rude.createPet(rex)
    expect(sandbox).toHaveSeenDuplicate('createPet')
    expect(await verdictOn(sandbox)).toContain('error duplicate-create: ')
  })
})

describe('when the store is down', () => {
  test('the good client backs off', async ({ polite, sandbox }) => {
    sandbox.faults.add({ fault: 'status', status: 503 })
    await expect(polite.listPets()).rejects.toThrow()
    expect(sandbox).toHaveSeenRetry('listPets', { times: 4 })
    expect(sandbox).toHaveNoFindings({ atLeast: 'warning' })
  })

  test('the rude one knocks on', async ({ rude, sandbox }) => {
    sandbox.faults.add({ fault: 'status', status: 503 })
    await expect(rude.listPets()).rejects.toThrow()
    expect(sandbox).toHaveSeenRetry('listPets', { times: 10 })
  })
})
