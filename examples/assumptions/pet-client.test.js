import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createPetClient } from './pet-client.js'

const client = createPetClient(process.env.PETSTORE_API_URL, process.env.PETSTORE_KEY)

test('finds the pet that has been in the store for longest', async () => {
  const { name } = await client.longestInStore()
  assert.equal(name, 'Bella')
})

test('sorts pets by name', async () => {
  const [first, second] = await client.sorted()
  assert.ok(first.name < second.name)
})

test('adds a pet', async () => {
  const { name } = await client.add('Rex')
  assert.equal(name, 'Rex')
})
