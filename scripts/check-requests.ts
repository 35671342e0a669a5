/** Tries what the audit says of Python's requests, and compares it with the table in `docs/reference/popular-libraries.md`. */
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const path = (file: string): string => fileURLToPath(new URL(`../${file}`, import.meta.url))

const python = ['/usr/bin/python3', 'python3', 'python'].find(
  (name) => spawnSync(name, ['-c', 'import requests, urllib3']).status === 0,
)
if (python === undefined) {
  process.stderr.write(
    'Cannot try requests: no Python has it; install it, as with "apt-get install python3-requests"\n',
  )
  process.exitCode = 1
} else {
  const args = [path('bin/petstore-sandbox'), 'exec', '--', python, '-B', '-m', 'unittest']
  const cwd = path('test/checks/audit/clients/python')
  process.exitCode = spawnSync(process.execPath, args, { cwd, stdio: 'inherit' }).status ?? 1
}
