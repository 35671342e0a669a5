/**
 * Builds `dist/`: the library and the command line, the console and its documents, the types, and the schema of captures.
 * With `--if-stale`, only if a source has changed since the last build.
 */
import { spawn } from 'node:child_process'
import { rmSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { renderDocuments } from './render-documents.ts'
import { lastBuilt, staleReason } from './stale-reason.ts'

const root = join(import.meta.dirname, '..')
const dist = join(root, 'dist')

/** They write into places of their own, so that they can run at the same time. */
const commands: readonly string[] = [
  'npx vite build --logLevel warn',
  'npx vite build --config vite.console.config.ts --logLevel warn',
  'npx vite build --config vite.console.config.ts --mode playground --logLevel warn',
  'npx tsc -p tsconfig.build.json',
]

function run(command: string): Promise<number | null> {
  const child = spawn(command, { cwd: root, shell: true, stdio: 'inherit' })
  return new Promise((resolve) => child.once('close', resolve))
}

async function build(): Promise<void> {
  const startedAt = new Date()
  rmSync(dist, { recursive: true, force: true })
  const codes = await Promise.all(commands.map(run))
  if (codes.some((code) => code !== 0)) {
    process.exitCode = 1
    return
  }
  await import('./prune-declarations.ts')
  const { captureSchema } = await import('../src/sandbox/controls/reports.ts')
  renderDocuments()
  writeFileSync(lastBuilt, `${JSON.stringify(captureSchema(), undefined, 2)}\n`)
  // A source that was changed meanwhile is newer.
  utimesSync(lastBuilt, startedAt, startedAt)
}

if (!process.argv.includes('--if-stale') || staleReason() !== undefined) await build()
