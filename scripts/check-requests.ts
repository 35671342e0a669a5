/** Tries what Python's clients do, and compares it with the tables in `docs/reference/popular-libraries.md`. */
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const path = (file: string): string => fileURLToPath(new URL(`../${file}`, import.meta.url))

const python = ['python3', 'python', '/usr/bin/python3'].find(
  (name) => spawnSync(name, ['-c', 'import httpx, requests, urllib3']).status === 0,
)
if (python === undefined) {
  process.stderr.write(
    'Cannot try the clients: no Python has them all; install httpx, requests and urllib3, as with pip\n',
  )
  process.exitCode = 1
} else {
  const args = [path('bin/petstore-sandbox'), 'exec', '--', python, '-B', '-m', 'unittest']
  const cwd = path('test/nightly/checks/audit/clients/python')
  process.exitCode = spawnSync(process.execPath, args, { cwd, stdio: 'inherit' }).status ?? 1
}
