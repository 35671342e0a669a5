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
  /** Gives a line for each thing that is wrong with a document, down to hints. */
  readonly lint: (document: object) => Promise<readonly string[]>
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

async function lintWithRedocly(document: object): Promise<readonly string[]> {
  const folder = mkdtempSync(join(tmpdir(), 'petstore-openapi-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  writeFileSync(join(folder, 'openapi.json'), JSON.stringify(document))
  const args = ['lint', 'openapi.json', '--extends', 'recommended-strict', '--format', 'json']
  const output = await runNode([redocly, ...args, '--max-problems', '1000'], folder)
  const { problems } = JSON.parse(output) as RedoclyReport
  return problems.map(
    ({ ruleId, message, location }) => `${ruleId} at ${location[0]?.pointer}: ${message}`,
  )
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

async function lintWithSpectral(document: object): Promise<readonly string[]> {
  const spectral = new Spectral()
  spectral.setRuleset(new Ruleset({ extends: [oas] }))
  const findings = await spectral.run(JSON.stringify(document))
  return findings.map(({ code, path, message }) => `${code} at ${path.join('/')}: ${message}`)
}
