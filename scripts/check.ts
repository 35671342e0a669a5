/** Checks the sources and the built package, as many checks at a time as there are processors; runs no tests. */
import { execFileSync, spawn } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..')
const folder = mkdtempSync(join(tmpdir(), 'petstore-sandbox-check-'))
execFileSync('npm', ['pack', '--ignore-scripts', '--pack-destination', folder], {
  cwd: root,
  stdio: 'pipe',
})
const [name = ''] = readdirSync(folder)
const packed = join(folder, name)

/** The slowest first. */
const commands = [
  'knip',
  'depcruise src',
  'tsc',
  'tsc -p tsconfig.browser.json',
  'tsc -p tsconfig.node.json',
  'cspell --no-progress',
  'node scripts/check-words.ts',
  'node scripts/check-size.ts',
  'biome check --error-on-warnings .',
  `publint --strict "${packed}"`,
]

/** Runs a command, and prints what it has written once it has ended. */
function run(command: string): Promise<boolean> {
  const child = spawn(command, { cwd: root, shell: true, stdio: ['ignore', 'pipe', 'pipe'] })
  const written: Buffer[] = []
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => written.push(chunk))
  }
  return new Promise((resolve) => {
    child.once('close', (code) => {
      process.stdout.write(`\n${code === 0 ? 'passed' : 'failed'}: ${command}\n`)
      process.stdout.write(Buffer.concat(written))
      resolve(code === 0)
    })
  })
}

/** Takes one command after the other from those that are left. */
async function work(): Promise<void> {
  for (let command = commands.shift(); command !== undefined; command = commands.shift()) {
    if (!(await run(command))) process.exitCode = 1
  }
}

await Promise.all(Array.from({ length: availableParallelism() }, work))
rmSync(folder, { recursive: true })
