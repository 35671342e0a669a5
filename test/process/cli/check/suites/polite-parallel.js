import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { send } from './polite-client.js'

describe('six tests at once', { concurrency: 6 }, () => {
  for (const limit of [1, 2, 3, 4, 5, 6]) {
    it(`lists at most ${limit} pets`, async () => {
      const pets = await send(`/pets?limit=${limit}`)
      assert.equal(pets.length, limit)
    })
  }
})
