import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import msw from 'msw/package.json' with { type: 'json' }

/** The part of Vitest's JSON report that is looked at. */
interface Report {
  readonly testResults: readonly { readonly assertionResults: readonly TestResult[] }[]
}

/** What became of a test. */
interface TestResult {
  readonly title: string
  readonly status: string
  readonly failureMessages: readonly string[]
}

/** Runs a folder's tests in a process of their own, with the same version of MSW. */
export function runSuite(folder: string): {
  readonly results: readonly TestResult[]
  readonly stderr: string
  readonly status: number | null
  /** The captures of tests that have failed, by their paths. */
  readonly captures: ReadonlyMap<string, string>
} {
  const output = mkdtempSync(join(tmpdir(), 'petstore-sandbox-'))
  const file = join(output, 'report.json')
  const vitest = fileURLToPath(new URL('../../node_modules/vitest/vitest.mjs', import.meta.url))
  const args = [vitest, 'run', '--root', folder, '--reporter', 'json', '--outputFile', file]
  const env = { ...process.env, MSW_MAJOR: msw.version.slice(0, 1) }
  // Where nothing stays that a suite leaves.
  const how = { env, cwd: output, encoding: 'utf8' } as const
  const { stderr, status } = spawnSync(process.execPath, args, how)
  const { testResults } = JSON.parse(readFileSync(file, 'utf8')) as Report
  const captures = capturesIn(output)
  rmSync(output, { recursive: true })
  const results = testResults.flatMap(({ assertionResults }) => assertionResults)
  return { results, stderr, status, captures }
}

function capturesIn(folder: string): ReadonlyMap<string, string> {
  const place = join('test-results', 'petstore-sandbox')
  if (!existsSync(join(folder, place))) return new Map()
  const paths = readdirSync(join(folder, place)).map((name) => join(place, name))
  return new Map(paths.map((path) => [path, readFileSync(join(folder, path), 'utf8')]))
}
