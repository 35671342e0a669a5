/** Checks that `check --full` names each mistake of a client that real services reveal. */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { defaultGaps, formatValue, type GapName, gapNames } from '../src/mock/api/gaps.ts'

const path = (file: string): string => fileURLToPath(new URL(`../${file}`, import.meta.url))

/** The gaps at which real services differ, but for redirects. */
const tried: readonly GapName[] = [
  ...(['exposedHeaders', 'cors', 'retryAfterFormat', 'newPetListed', 'rejectedRequests'] as const),
  ...(['banStatus', 'rejectsAt', 'contentType', 'resetUnit'] as const),
]

/** What has to be named: rules, one with the failure condition that shows it, and values. */
const expected = [
  ...['redirect-lost-authorization', 'redirect-changed-method', 'request-while-banned'],
  ...['retry-too-early', 'duplicate-create: late-list'],
  ...['exposedHeaders=none', 'cors=none', 'newPetListed=5s'],
  ...['retryAfterFormat=http-date', 'retryAfterFormat=unix-time', 'rejectedRequests=counted'],
  ...['banStatus=418', 'rejectsAt=earlier', 'contentType=charset', 'resetUnit=milliseconds'],
]

/** The part of a report that is read. */
interface Report {
  readonly items: readonly { readonly what: string; readonly checks: readonly string[] }[]
  readonly assumptions: readonly { readonly values: Readonly<Record<string, string>> }[]
  readonly findings: readonly { readonly rule: string }[]
}

const cwd = mkdtempSync(join(tmpdir(), 'petstore-mistakes-'))
const skipped = 'slow,no-response,invalid-json,shared-key,key-expired,outage,large-ids,clock-behind'
// A ban takes two requests.
const set = { ...defaultGaps, banAfter: 1, trailingSlash: 'redirect-308' }
const gaps = gapNames
  .filter((name) => !tried.includes(name))
  .flatMap((name) => ['--gap', `${name}=${formatValue(name, set[name])}`])
const { stdout } = spawnSync(
  process.execPath,
  [
    ...[path('bin/petstore-sandbox'), 'check', '--full', '--skip', skipped, ...gaps],
    ...['--junit', '{row}.xml', '--report', 'json', '--'],
    ...[process.execPath, path('test/process/cli/check/suites/every-mistake.js'), '{row}.xml'],
  ],
  { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] },
)
rmSync(cwd, { recursive: true })
const { items, assumptions, findings }: Report = JSON.parse(stdout)
const named = new Set([
  ...items.flatMap(({ what, checks }) => [what, ...checks.map((one) => `${what}: ${one}`)]),
  ...assumptions.flatMap(({ values }) => Object.entries(values).map((one) => one.join('='))),
  // Of the request that lost its key, the audit can't be sure whose it is.
  ...findings.map(({ rule }) => rule),
])
const missing = expected.filter((one) => !named.has(one))
process.stdout.write(`${[...named].join('\n')}\n`)
if (missing.length > 0) {
  process.stderr.write(`Cannot find in the report: ${missing.join(', ')}\n`)
  process.exitCode = 1
}
