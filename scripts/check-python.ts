/** Runs what is written in Python against the process: the conformance runner, and the recipe of the documents, which needs pytest. */
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { aptCommands, isDebianRoot, run } from './apt.ts'

const path = (file: string): string => fileURLToPath(new URL(`../${file}`, import.meta.url))

/** What Python is to run, and where. */
const programs: readonly { readonly args: readonly string[]; readonly cwd: string }[] = [
  { args: ['run.py', path('fixtures/conformance')], cwd: path('examples/conformance-runner') },
  {
    args: ['-m', 'pytest', '--quiet', '-p', 'no:cacheprovider'],
    cwd: path('test/nightly/readme/python'),
  },
]

/** Finds a Python that has pytest. */
function findPython(): string | undefined {
  return ['python3', 'python', '/usr/bin/python3'].find(
    (name) => spawnSync(name, ['-m', 'pytest', '--version']).status === 0,
  )
}

const tried =
  findPython() === undefined && isDebianRoot() ? run(aptCommands('python3-pytest')) : undefined
const python = findPython()
if (python === undefined) {
  process.stderr.write(
    `Cannot run the programs in Python: Python or pytest is missing; install Python 3.9 or newer with pytest\n${tried ?? ''}`,
  )
  process.exitCode = 1
} else {
  for (const { args, cwd } of programs) {
    const exec = [path('bin/petstore-sandbox'), 'exec', '--', python, '-B', ...args]
    const { status } = spawnSync(process.execPath, exec, { cwd, stdio: 'inherit' })
    if (status !== 0) process.exitCode = 1
  }
}
