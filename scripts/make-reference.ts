/** Writes docs/reference/types from the built declarations; with `--check`, says instead whether it is as it should be. */
import { execFileSync, execSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const reference = fileURLToPath(new URL('../docs/reference/types', import.meta.url))
const tool = fileURLToPath(new URL('reference', import.meta.url))

/** TypeDoc and the TypeScript that it reads declarations with have a lockfile of their own. */
function installTool(): void {
  const writtenAt = (path: string): number =>
    statSync(join(tool, path), { throwIfNoEntry: false })?.mtimeMs ?? Number.NEGATIVE_INFINITY
  if (writtenAt('node_modules/.package-lock.json') >= writtenAt('package-lock.json')) return
  execSync('npm ci --no-audit --no-fund', { cwd: tool, stdio: 'inherit' })
}

function write(folder: string): void {
  execFileSync(process.execPath, ['write-reference.ts', folder], { cwd: tool, stdio: 'inherit' })
}

/** Names the pages of two folders that are not the same. */
function differences(one: string, other: string): string[] {
  const textOf = (folder: string, page: string): string | undefined =>
    existsSync(join(folder, page)) ? readFileSync(join(folder, page), 'utf8') : undefined
  const pages = new Set(
    [one, other].flatMap((folder) => (existsSync(folder) ? readdirSync(folder) : [])),
  )
  return [...pages].filter((page) => textOf(one, page) !== textOf(other, page))
}

installTool()
if (process.argv.includes('--check')) {
  execFileSync(process.execPath, ['node_modules/typescript/bin/tsc'], {
    cwd: tool,
    stdio: 'inherit',
  })
  const folder = mkdtempSync(join(tmpdir(), 'petstore-sandbox-reference-'))
  write(folder)
  const pages = differences(reference, folder)
  rmSync(folder, { recursive: true })
  if (pages.length > 0) {
    process.stderr.write(
      `Cannot accept docs/reference/types: ${pages.join(', ')} differ from the types; run "npm run docs"\n`,
    )
    process.exitCode = 1
  }
} else {
  write(reference)
}
