/** Tries what any system must be able to do: start the program, get pets, stop it, and run tests beside a sandbox. */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))

const server = spawn(process.execPath, ['bin/petstore-sandbox', '--port', '0', '--log', 'json'], {
  cwd: root,
  stdio: ['ignore', 'pipe', 'inherit'],
})
const [line] = await once(server.stdout, 'data')
const { listening } = JSON.parse(String(line).split('\n')[0] ?? '')
const headers = { authorization: 'Bearer free-key' }
const reply = await fetch(`${listening}/v1/pets?limit=3`, { headers })
const pets: unknown = await reply.json()
if (reply.status !== 200 || !Array.isArray(pets) || pets.length !== 3) {
  throw new Error(`Expected three pets, got ${reply.status}: ${JSON.stringify(pets)}`)
}
server.kill('SIGTERM')
const [code, signal] = await once(server, 'exit')
// Windows has no signals: there, the process is ended.
if (code !== 0 && process.platform !== 'win32') {
  throw new Error(`Expected a graceful stop, got ${code ?? signal}`)
}
process.stdout.write(`Served 3 pets at ${listening}, and stopped\n`)

const vitest = fileURLToPath(new URL('../node_modules/vitest/vitest.mjs', import.meta.url))
const tests = spawnSync(
  process.execPath,
  [vitest, 'run', '--project', 'unit', '--typecheck=false', 'test/unit/readme/vitest.test.ts'],
  { cwd: root, stdio: 'inherit' },
)
process.exitCode = tests.status ?? 1
