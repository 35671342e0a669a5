/**
 * Builds `dist/`: the library and the command line, the console and its documents, the types and their page, and the schema of captures.
 * With `--if-stale`, only if a source has changed since the last build.
 */
import { spawn } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { reachedFiles } from './reached-files.ts'
import { renderDocuments } from './render-documents.ts'
import { lastBuilt, staleReason } from './stale-reason.ts'

const root = join(import.meta.dirname, '..')
const dist = join(root, 'dist')

/** They write into places of their own, so that they can run at the same time. */
const commands: readonly string[] = [
  'npx vite build --logLevel warn',
  'npx vite build --config vite.console.config.ts --logLevel warn',
  'npx vite build --config vite.console.config.ts --mode playground --logLevel warn',
  'npx tsc -p tsconfig.build.json && node build/describe-declarations.ts && node build/write-types.ts',
]

function run(command: string): Promise<number | null> {
  const child = spawn(command, { cwd: root, shell: true, stdio: 'inherit' })
  return new Promise((resolve) => child.once('close', resolve))
}

/** Leaves of `dist/types` only what an entry of the package leads to: users can't import the rest. */
function pruneDeclarations(): void {
  const reached = new Set(reachedFiles(root))
  const entries = readdirSync(join(dist, 'types'), { recursive: true, withFileTypes: true })
  for (const entry of entries) {
    const file = join(entry.parentPath, entry.name)
    if (entry.isFile() && !reached.has(file)) rmSync(file)
  }
}

/** The package of saxes has no file of its licence, which Vite would list. */
function addLicence(): void {
  const file = join(dist, 'THIRD-PARTY.md')
  const licence = readFileSync(join(root, 'build/saxes-licence.txt'), 'utf8')
  writeFileSync(file, readFileSync(file, 'utf8').replace(/^## saxes.*\n/m, `$&\n${licence}`))
}

async function build(): Promise<void> {
  const startedAt = new Date()
  rmSync(dist, { recursive: true, force: true })
  const codes = await Promise.all(commands.map(run))
  if (codes.some((code) => code !== 0)) {
    process.exitCode = 1
    return
  }
  pruneDeclarations()
  addLicence()
  const { captureSchema } = await import('../src/sandbox/controls/captures.ts')
  renderDocuments()
  writeFileSync(lastBuilt, `${JSON.stringify(captureSchema(), undefined, 2)}\n`)
  // A source that was changed meanwhile is newer.
  utimesSync(lastBuilt, startedAt, startedAt)
  const missing = reachedFiles(root).filter((file) => !existsSync(file))
  if (missing.length === 0) return
  process.stderr.write(`Cannot build: ${missing.join(', ')} is missing; did another build run?\n`)
  process.exitCode = 1
}

if (!process.argv.includes('--if-stale') || staleReason() !== undefined) await build()
