import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'

const { PETSTORE_URL: api, PETSTORE_KEY: key } = process.env
const patienceMs = 5_000

/** Sends a request; waits when it is told to, and tries a GET again after a failure, a little later each time. */
async function send(path, options = {}, tries = 3) {
  const isSafe = options.method === undefined
  const signal = AbortSignal.timeout(patienceMs)
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  const reply = await fetch(api + path, { headers, signal, ...options }).catch(String)
  const waitMs = waitAfter(reply, isSafe, tries)
  if (waitMs === undefined) return await read(reply)
  await sleep(waitMs)
  return await send(path, options, tries - 1)
}

/** How long to wait before the next try; `undefined` for none. */
function waitAfter(reply, isSafe, tries) {
  if (tries === 0) return undefined
  if (reply.headers?.has('retry-after')) {
    const waitMs = Number(reply.headers.get('retry-after')) * 1_000
    return waitMs <= patienceMs ? waitMs : undefined
  }
  const hasFailed = typeof reply === 'string' || reply.status >= 500
  return hasFailed && isSafe ? 100 * 2 ** (3 - tries) : undefined
}

/** Reads a reply; ids stay texts, digit for digit. */
async function read(reply) {
  if (typeof reply === 'string') throw new Error(reply)
  const text = await reply.text()
  if (!reply.ok) throw new Error(`${reply.status}: ${JSON.parse(text).message}`)
  return JSON.parse(text.replace(/"id":(-?\d+)/g, '"id":"$1"'))
}

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
