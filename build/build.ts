/** Builds `dist/`: the library and the command line, the console and its documents, the types, and the schema of captures. */
import { spawn } from 'node:child_process'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { renderDocuments } from './render-documents.ts'

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

rmSync(dist, { recursive: true, force: true })
const codes = await Promise.all(commands.map(run))
if (codes.every((code) => code === 0)) {
  await import('./prune-declarations.ts')
  const { captureSchema } = await import('../src/mock/controls/reports.ts')
  renderDocuments()
  const schema = `${JSON.stringify(captureSchema(), undefined, 2)}\n`
  writeFileSync(join(dist, 'capture.schema.json'), schema)
} else {
  process.exitCode = 1
}
