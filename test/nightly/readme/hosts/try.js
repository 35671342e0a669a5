/** Serves in a host, loses a reply there, and goes on: `node try.js <host> <program> <words>`. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'

const [, , host, program, ...words] = process.argv
const server = spawn(program, [...words, 'serve.js', host], { stdio: ['ignore', 'pipe', 'ignore'] })
process.once('exit', () => server.kill())
const [port] = await once(server.stdout, 'data')
const pets = `http://127.0.0.1:${String(port).trim()}/v1/pets`
const headers = { authorization: 'Bearer pro-key', 'content-type': 'application/json' }

/** Lists the pets, after it has added one: gives what became of the second. */
async function add() {
  await (await fetch(pets, { headers })).text()
  const reply = await fetch(pets, {
    method: 'POST',
    headers,
    body: '{"name":"Rex","categoryId":1}',
  })
  return await reply.json()
}

await assert.rejects(add, TypeError)
assert.equal((await add()).id, 32)
process.exit()
