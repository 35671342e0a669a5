import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { stripVTControlCharacters } from 'node:util'
import { defaultPort } from '../../src/server/server-options.ts'

const program = fileURLToPath(new URL('../../bin/petstore-sandbox', import.meta.url))

interface Sent {
  readonly path: string
  readonly key: string
  readonly body?: string
}

/** What is sent to the program, for a line of its log each. */
const requests: readonly Sent[] = [
  { path: '/pets?limit=3', key: 'free-key' },
  { path: '/pets', key: 'pro-key', body: '{"name":"Rex","categoryId":1}' },
  { path: '/pets/99', key: 'free-key' },
  { path: '/pets', key: 'minute-exhausted-key' },
]

/** Runs the program with its colours, and gives what it prints, as if it served on its usual port. */
export async function recordTerminal(): Promise<string> {
  const options = ['--port', '0', '--clock', '2027-01-15T08:00:20Z', '--frozen']
  const child = spawn(process.execPath, [program, ...options], {
    env: { PATH: process.env.PATH, FORCE_COLOR: '1' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const lines: string[] = []
  const waiting = [...requests]
  try {
    for await (const line of createInterface({ input: child.stdout })) {
      lines.push(line)
      // The banner's last line, or one of the log.
      if (!/^ {2}curl|\d ms/.test(stripVTControlCharacters(line))) continue
      const next = waiting.shift()
      if (next === undefined) break
      await send(next, originIn(lines))
    }
  } finally {
    child.kill('SIGTERM')
  }
  const output = lines.join('\n')
  return output.replaceAll(originIn(lines), `http://127.0.0.1:${defaultPort}`)
}

function originIn(lines: readonly string[]): string {
  const [origin] = /http:\/\/127\.0\.0\.1:\d+/.exec(lines.join('\n')) ?? []
  if (origin === undefined) throw new Error(`Cannot record the program: it printed ${lines}`)
  return origin
}

async function send({ path, key, body }: Sent, origin: string): Promise<void> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  const how = body === undefined ? {} : { method: 'POST', body }
  const reply = await fetch(`${origin}/v1${path}`, { headers, ...how })
  await reply.text()
}
