import { setTimeout as sleep } from 'node:timers/promises'

const { PETSTORE_API_URL: api, PETSTORE_KEY: key } = process.env
/** How long a client waits at most because it is told to, in milliseconds. */
const patienceMs = 5_000

/** Sends a request; waits when it is told to, and tries a GET again after a failure, a little later each time. */
export async function send(path, { limitMs = 5_000, ...options } = {}, tries = 3) {
  const isSafe = options.method === undefined
  const signal = AbortSignal.timeout(limitMs)
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  const reply = await fetch(api + path, { headers, signal, ...options }).catch(String)
  const waitMs = waitAfter(reply, isSafe, tries)
  if (waitMs === undefined) return await read(reply)
  await sleep(waitMs)
  return await send(path, { limitMs, ...options }, tries - 1)
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
