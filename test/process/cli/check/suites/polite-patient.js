import assert from 'node:assert/strict'
import { test } from 'node:test'
import { send } from './polite-client.js'

test('lists pets, for at most eight seconds', async () => {
  const pets = await send('/pets?limit=100', { limitMs: 8_000 })
  assert.ok(pets.length > 0)
})
