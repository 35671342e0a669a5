// A client of the pet store in plain Node, without any dependency: it adds a pet, and lists those that are available.
// It goes on after 429 when Retry-After says so. PETSTORE_API_URL says where the API is, PETSTORE_KEY which key to send.
import { setTimeout as wait } from 'node:timers/promises'

const url = process.env.PETSTORE_API_URL ?? 'http://127.0.0.1:7387/v1'
const key = process.env.PETSTORE_KEY ?? 'free-key'

/** Sends a request; gives the body of the reply, or throws what the store says. */
async function send(method, path, body) {
  for (;;) {
    const response = await fetch(`${url}${path}`, {
      method,
      headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
      body: body === undefined ? undefined : JSON.stringify(body),
    })
    const reply = await response.json()
    if (response.ok) return reply
    if (response.status !== 429) throw new Error(`${reply.code}: ${reply.message}`)
    const seconds = Number(response.headers.get('retry-after'))
    process.stderr.write(`The store is busy: trying again in ${seconds} s\n`)
    await wait(seconds * 1000)
  }
}

try {
  const added = await send('POST', '/pets', { name: 'Rex', categoryId: 1 })
  process.stdout.write(`Added ${added.name} as number ${added.id}\n`)
  for (const { id, name } of await send('GET', '/pets?status=available&limit=100')) {
    process.stdout.write(`${String(id).padStart(4)}  ${name}\n`)
  }
} catch (error) {
  process.stderr.write(`${error.message}\n`)
  process.exitCode = 1
}
