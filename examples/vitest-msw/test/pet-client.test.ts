import { test as sandboxTest } from 'petstore-sandbox/vitest'
import { beforeEach, describe, expect, vi } from 'vitest'
import { PetClient, PetStoreError } from '../src/pet-client.ts'

/** A test with a client of its own sandbox. */
const test = sandboxTest.extend('client', ({ apiUrl }) => {
  return new PetClient({ apiUrl, apiKey: 'free-key' })
})

// A test fails if its client breaks a rule of the interface.
test.override('failOn', 'error')

const startAt = Date.UTC(2027, 0, 15, 8, 0, 20)

// Time is faked for the client and for the sandbox alike, and goes on as soon as everybody waits.
beforeEach(({ onTestFinished }) => {
  vi.useFakeTimers({ now: startAt }).setTimerTickMode('nextTimerAsync')
  onTestFinished(() => {
    vi.useRealTimers()
  })
})

/** How many seconds have passed. */
function seconds(): number {
  return (Date.now() - startAt) / 1000
}

describe('PetClient', () => {
  test('lists pets', async ({ client }) => {
    const pets = await client.listPets({ limit: 2, status: 'sold' })
    expect(pets.map(({ name }) => name)).toEqual(['Rocky', 'Tiger'])
  })

  test('adds a pet', async ({ client, sandbox }) => {
    const pet = await client.createPet({ name: 'Rex', categoryId: 1 })
    expect(sandbox.pets.get(pet.id)).toMatchObject({ name: 'Rex', status: 'available' })
  })

  test('throws what the store rejects', async ({ client }) => {
    const rejected = client.createPet({ name: 'Rex', categoryId: 1.5 })
    await expect(rejected).rejects.toThrow(PetStoreError)
    await expect(rejected).rejects.toMatchObject({ status: 400, code: 'invalid_request' })
  })

  test('waits as long as Retry-After says', async ({ client, sandbox }) => {
    sandbox.keys.setRemaining('free-key', { minute: 0 })
    expect(await client.listPets()).toHaveLength(20)
    expect(seconds()).toBeGreaterThanOrEqual(40)
    expect(seconds()).toBeLessThan(41)
    expect(sandbox.requests.list({ status: 429 })).toHaveLength(1)
  })

  describe('where Retry-After is a date', () => {
    test.override('sandboxOptions', { gaps: { retryAfterFormat: 'http-date' } })

    test('waits until then', async ({ client, sandbox }) => {
      sandbox.keys.setRemaining('free-key', { minute: 0 })
      expect(await client.listPets()).toHaveLength(20)
      expect(seconds()).toBeGreaterThanOrEqual(40)
      expect(seconds()).toBeLessThan(41)
    })
  })

  test('sends nothing while no requests are left', async ({ client, sandbox }) => {
    sandbox.keys.setRemaining('free-key', { minute: 1 })
    await client.listPets()
    await client.listPets()
    expect(seconds()).toBe(40)
    expect(sandbox.requests.list({ status: 429 })).toEqual([])
  })

  test('adds a pet only once, also after a wait', async ({ client, sandbox }) => {
    sandbox.keys.setRemaining('free-key', { minute: 0 })
    await client.createPet({ name: 'Rex', categoryId: 1 })
    expect(sandbox.pets.list()).toHaveLength(31)
  })

  test('gives up at once where the wait is too long', async ({ client, sandbox }) => {
    sandbox.keys.ban('free-key', '10m')
    await expect(client.listPets()).rejects.toMatchObject({ code: 'key_banned' })
    await expect(client.listPets()).rejects.toMatchObject({ code: 'key_banned' })
    expect(seconds()).toBe(0)
  })

  test('backs off from errors of the server', async ({ client, sandbox }) => {
    sandbox.faults.add({ fault: 'status', status: 503, times: 3 })
    expect(await client.listPets()).toHaveLength(20)
    const at = sandbox.requests.list().map((entry) => Date.parse(entry.at))
    const waits = at.slice(1).map((one, index) => one - (at[index] ?? 0))
    expect(waits).toHaveLength(3)
    expect(waits).toEqual(waits.toSorted((left, right) => left - right))
  })

  test('reads again where the connection broke', async ({ client, sandbox }) => {
    sandbox.faults.add({ fault: 'disconnect', times: 2 })
    expect(await client.listPets()).toHaveLength(20)
  })

  test('does not add again where the connection broke', async ({ client, sandbox }) => {
    sandbox.faults.add({ fault: 'disconnect', times: 1 })
    await expect(client.createPet({ name: 'Rex', categoryId: 1 })).rejects.toThrow(TypeError)
    expect(sandbox.requests.list({ method: 'POST' })).toHaveLength(1)
  })

  test('gives up after some tries', async ({ client, sandbox }) => {
    sandbox.faults.add({ fault: 'status', status: 500 })
    await expect(client.listPets()).rejects.toMatchObject({ status: 500 })
    expect(sandbox.requests.list()).toHaveLength(5)
  })
})
