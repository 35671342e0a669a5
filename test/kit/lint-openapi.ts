import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'

const redocly = fileURLToPath(
  new URL('../../node_modules/@redocly/cli/bin/cli.js', import.meta.url),
)

/** Runs Redocly's recommended rules over a document and gives what it finds. */
export function lintOpenapi(document: object): unknown {
  const folder = mkdtempSync(join(tmpdir(), 'petstore-openapi-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  writeFileSync(join(folder, 'openapi.json'), JSON.stringify(document))
  const options = ['lint', 'openapi.json', '--extends', 'recommended', '--format', 'json']
  const { stdout } = spawnSync(process.execPath, [redocly, ...options], {
    cwd: folder,
    encoding: 'utf8',
    env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
  })
  return JSON.parse(stdout)
}
