import assert from 'node:assert/strict'
import { test } from 'node:test'
import { send } from './polite-client.js'

test('lists pets', async () => {
  const pets = await send('/pets?limit=100')
  assert.ok(pets.length > 0)
})

test('adds a pet, and finds it in the list', async () => {
  const body = JSON.stringify({ name: 'Rex', categoryId: 1 })
  const { id } = await send('/pets', { method: 'POST', body })
  const pets = await send('/pets?limit=100')
  assert.ok(pets.some((pet) => pet.id === id))
})
