import { execFileSync } from 'node:child_process'
import { join } from 'node:path'

const root = join(import.meta.dirname, '../..')

let files: readonly string[] | undefined

/** Lists the files that npm puts into the package; asks npm, which takes a second, once for all files of tests. */
export function packedFiles(): readonly string[] {
  files ??= askNpm()
  return files
}

function askNpm(): readonly string[] {
  const output = execFileSync('npm', ['pack', '--dry-run', '--ignore-scripts', '--json'], {
    cwd: root,
    encoding: 'utf8',
    stdio: 'pipe',
    shell: process.platform === 'win32',
  })
  const [{ files }] = JSON.parse(output) as [{ files: { path: string }[] }]
  return files.map(({ path }) => path)
}
