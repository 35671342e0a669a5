import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it, onTestFinished } from 'vitest'
import { openApiDocument } from '../../../../src/mock/api/openapi.ts'
import { controlDescription } from '../../../kit/control-description.ts'
import { controlHost } from '../../../kit/control-host.ts'

const redocly = fileURLToPath(
  new URL('../../../../node_modules/@redocly/cli/bin/cli.js', import.meta.url),
)

/** What Redocly writes with `--format json`. */
interface RedoclyReport {
  readonly problems: readonly {
    readonly ruleId: string
    readonly message: string
    readonly location: readonly { readonly pointer?: string }[]
  }[]
}

/** Gives a line for each thing that Redocly finds wrong with documents, down to hints. */
async function lint(...documents: readonly object[]): Promise<readonly string[]> {
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
  const reports: RedoclyReport[] = JSON.parse(`[${output.trim().replace(/^\}\s*\{/gm, '},{')}]`)
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

it('finds nothing wrong in the descriptions, also of a named sandbox', async () => {
  const root = 'http://sandbox.test/sandboxes/mine'
  const { process: _process, ...named } = controlHost({ origin: root })
  const documents = [
    await openApiDocument(),
    await openApiDocument(`${root}/v1`),
    await controlDescription(controlHost()),
    await controlDescription(named),
  ]
  expect(await lint(...documents)).toEqual([])
})

it('finds a mistake', async () => {
  const wrong = { ...(await openApiDocument()), security: [{ noSuchScheme: [] }] }
  expect((await lint(wrong)).join('\n')).toMatch(/noSuchScheme/)
})
