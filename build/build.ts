/** Builds `dist/`, unless these very sources have built what is there; `--force` builds it all the same. */
import { spawn } from 'node:child_process'
import { rmSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { BuildRecord } from './build-record.ts'
import { filesOf } from './sources.ts'

const root = join(import.meta.dirname, '..')
const dist = join(root, 'dist')
const record = new BuildRecord(root)

type Command = readonly [program: string, ...args: string[]]

/** They write into places of their own, so that they can run at the same time. */
const commands: readonly Command[] = [
  ['vite/bin/vite.js', 'build', '--logLevel', 'warn'],
  ['vite/bin/vite.js', 'build', '--config', 'vite.cli.config.ts', '--logLevel', 'warn'],
  ['vite/bin/vite.js', 'build', '--config', 'vite.console.config.ts', '--logLevel', 'warn'],
  ['typescript/bin/tsc', '-p', 'tsconfig.build.json'],
]

function run([program, ...args]: Command): Promise<number | null> {
  const child = spawn(process.execPath, [join(root, 'node_modules', program), ...args], {
    cwd: root,
    stdio: 'inherit',
  })
  return new Promise((resolve) => child.once('close', resolve))
}

async function build(): Promise<void> {
  // As it is now: who changes something meanwhile has to build again.
  const input = record.input()
  record.clear()
  rmSync(dist, { recursive: true, force: true })
  const codes = await Promise.all(commands.map(run))
  if (codes.some((code) => code !== 0)) {
    process.exitCode = 1
    return
  }
  await import('./prune-declarations.ts')
  record.write(input)
}

if (process.argv.includes('--force') || !record.isFresh()) {
  await build()
} else {
  // Who looks at times only finds it newer than the sources, as if it had just been built.
  const now = new Date()
  for (const file of filesOf(dist)) utimesSync(file, now, now)
  process.stderr.write('dist/ is as these sources build it\n')
}
