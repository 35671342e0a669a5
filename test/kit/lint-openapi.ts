import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Ruleset, Spectral } from '@stoplight/spectral-core'
import { oas } from '@stoplight/spectral-rulesets'
import { onTestFinished } from 'vitest'

/** A linter with the rules that it applies. */
interface Linter {
  readonly linter: string
  /** Gives a line for each thing that is wrong with documents, down to hints. */
  readonly lint: (...documents: readonly object[]) => Promise<readonly string[]>
}

/** The linters that our OpenAPI descriptions have to pass. */
export const linters: readonly Linter[] = [
  { linter: 'Redocly, recommended-strict', lint: lintWithRedocly },
  { linter: 'Spectral, spectral:oas', lint: lintWithSpectral },
]

const redocly = fileURLToPath(
  new URL('../../node_modules/@redocly/cli/bin/cli.js', import.meta.url),
)

/** What Redocly writes with `--format json`. */
interface RedoclyReport {
  readonly problems: readonly {
    readonly ruleId: string
    readonly message: string
    readonly location: readonly { readonly pointer?: string }[]
  }[]
}

async function lintWithRedocly(...documents: readonly object[]): Promise<readonly string[]> {
  const folder = mkdtempSync(join(tmpdir(), 'petstore-openapi-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  // All at once: the program takes longer to start than to read them.
  const names = documents.map((_, index) => `${index}.json`)
  for (const [index, name] of names.entries()) {
    writeFileSync(join(folder, name), JSON.stringify(documents[index]))
  }
  const args = ['lint', ...names, '--extends', 'recommended-strict', '--format', 'json']
  const output = await runNode([redocly, ...args, '--max-problems', '1000'], folder)
  // It writes a report for each document, one after the other.
  const reports = JSON.parse(`[${output.trim().replace(/^\}\s*\{/gm, '},{')}]`) as RedoclyReport[]
  return reports
    .flatMap(({ problems }) => problems)
    .map(({ ruleId, message, location }) => `${ruleId} at ${location[0]?.pointer}: ${message}`)
}

/** Gives what a program writes; one that finds something ends with an error, too. */
function runNode(args: readonly string[], cwd: string): Promise<string> {
  const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' }
  return new Promise((resolve) => {
    execFile(process.execPath, args, { cwd, env, maxBuffer: 64 * 2 ** 20 }, (_error, stdout) =>
      resolve(stdout),
    )
  })
}

async function lintWithSpectral(...documents: readonly object[]): Promise<readonly string[]> {
  const spectral = new Spectral()
  spectral.setRuleset(new Ruleset({ extends: [oas] }))
  const found: string[] = []
  for (const document of documents) {
    for (const { code, path, message } of await spectral.run(JSON.stringify(document))) {
      found.push(`${code} at ${path.join('/')}: ${message}`)
    }
  }
  return found
}
