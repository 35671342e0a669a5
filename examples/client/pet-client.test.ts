import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PetClient, PetClientError, type PetStatus } from './pet-client.ts'

const client = new PetClient({
  apiUrl: process.env.PETSTORE_API_URL ?? 'http://127.0.0.1:7387/v1',
  apiKey: process.env.PETSTORE_KEY ?? 'free-key',
  // Shorter than by default, since tests have less patience than users.
  timeLimitMs: 5_000,
  lookAfterMs: [500, 2_500],
})

test('lists pets, each with an exact id', async () => {
  const pets = await client.listPets()
  assert.ok(pets.length > 0)
  assert.ok(pets.every(({ id }) => typeof id === 'bigint'))
})

test('lists pets with a status', async () => {
  const pets = await client.listPets({ limit: 5, status: 'sold' })
  assert.ok(pets.every(({ status }) => status === 'sold'))
})

test('adds a pet', async () => {
  const { id, name } = await client.createPet({ name: 'Rex', categoryId: 1n })
  assert.equal(typeof id, 'bigint')
  assert.equal(name, 'Rex')
})

test('fails at once if a pet is invalid', async () => {
  const pet = { name: 'Rex', categoryId: 1n, status: 'asleep' as PetStatus }
  await assert.rejects(client.createPet(pet), (error) => {
    assert.ok(error instanceof PetClientError)
    assert.equal(error.status, 400)
    return true
  })
})
