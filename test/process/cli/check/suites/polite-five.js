import assert from 'node:assert/strict'
import { test } from 'node:test'
import { send } from './polite-client.js'

const add = (pet) => send('/pets', { method: 'POST', body: JSON.stringify(pet) })

test('lists pets', async () => {
  assert.ok((await send('/pets?limit=100')).length > 0)
})

test('lists pets that are sold', async () => {
  const pets = await send('/pets?limit=100&status=sold')
  assert.ok(pets.every(({ status }) => status === 'sold'))
})

test('lists one pet', async () => {
  assert.equal((await send('/pets?limit=1')).length, 1)
})

test('adds a pet', async () => {
  assert.equal((await add({ name: 'Rex', categoryId: 1 })).name, 'Rex')
})

test('adds a pet with a status', async () => {
  const pet = await add({ name: 'Tom', categoryId: 2, status: 'pending' })
  assert.equal(pet.status, 'pending')
})
