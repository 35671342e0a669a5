import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'

const { PETSTORE_API_URL: api, PETSTORE_KEY: key } = process.env

/** Sends a request, and sends it again at once, whatever went wrong, without a limit of time. */
async function send(path, options, tries = 6) {
  try {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
    const reply = await fetch(api + path, { headers, ...options })
    const body = await reply.json()
    if (reply.ok) return body
    throw new Error(body.message)
  } catch (error) {
    if (tries === 0) throw error
    await sleep(300)
    return await send(path, options, tries - 1)
  }
}

test('lists pets', async () => {
  const pets = await send('/pets')
  assert.ok(pets.length > 0)
})

test('adds a pet, and gets it', async () => {
  const body = JSON.stringify({ name: 'Rex', categoryId: 1 })
  const { id } = await send('/pets', { method: 'POST', body })
  const pet = await send(`/pets/${id}`)
  assert.equal(pet.name, 'Rex')
})
