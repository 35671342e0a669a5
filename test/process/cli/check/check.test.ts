import { globSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import {
  Cli,
  type CliOptions,
  type CliResult,
  runCli,
  testFolder,
} from '../../../kit/cli-process.ts'
import { runMain } from '../../../kit/run-main.ts'

const suiteAt = (name: string): string =>
  fileURLToPath(new URL(`suites/${name}.js`, import.meta.url))

/** What a report in JSON has. */
interface CheckJson {
  readonly passed: boolean
  readonly runs: number
  readonly tests: number
  readonly fixFirst: readonly { readonly what: string; readonly checks: readonly string[] }[]
  readonly checks: readonly {
    readonly check: string
    readonly operations?: readonly string[]
    readonly grade: string
    readonly summary: string
    readonly failure?: unknown
    readonly output?: string
  }[]
  readonly findings?: readonly { readonly rule: string }[]
  readonly assumptions?: unknown
  readonly gaps: { readonly unaffected: readonly string[] }
  readonly interrupted?: true
}

/** Checks a command under failure conditions. */
function check(
  options: readonly string[],
  command: readonly string[],
  more?: Pick<CliOptions, 'cwd'>,
): Promise<CliResult> {
  return runMain(['check', ...options, '--', process.execPath, ...command], more)
}

function checkScript(script: string, options: readonly string[] = []): Promise<CliResult> {
  return check(options, ['-e', script])
}

const ask =
  "fetch(process.env.PETSTORE_API_URL + '/pets', { headers: { authorization: 'Bearer ' + process.env.PETSTORE_KEY } })"

describe('check --full', () => {
  it('has nothing to fix in a polite client of five tests, in at most ten times its own time', async () => {
    const { code, stdout, stderr } = await check(
      ['--full', '--jobs', '2', '--report', 'json'],
      [suiteAt('polite-five')],
    )
    const report: CheckJson = JSON.parse(stdout)
    expect({ code, passed: report.passed, fixFirst: report.fixFirst }).toEqual({
      ...{ code: 0, passed: true, fixFirst: [] },
    })
    const grades = report.checks.map(({ check: name, operations = [], grade }) =>
      [name, ...operations, grade].join(' '),
    )
    expect(grades).toEqual([
      'minute-limit passed',
      'retry-after-ms info',
      'reset-ms passed',
      'hidden-headers not-triggered',
      'day-limit info',
      'shared-key passed',
      'banned info',
      'key-expired info',
      'outage createPet listPets info',
      'retry-after createPet listPets passed',
      'lost-response createPet listPets info',
      'late-list info',
      'no-response createPet listPets info',
      'invalid-json createPet listPets info',
      'flaky info',
      'slow passed',
      'clock-ahead passed',
      'clock-behind passed',
      'sunset-eve not-triggered',
      'sunset-day not-triggered',
      'sunset-after not-triggered',
      'large-ids passed',
    ])
    expect(report.assumptions).toEqual([])
    expect(report.gaps.unaffected).toContain('listOrder')
    // Two at a time.
    expect(report.runs).toBeLessThanOrEqual(24)
    expect(stderr).toMatch(/check: \d+ conditions done in /)
    const rows = [...stderr.matchAll(/check: (\d+) runs done in /g)].at(-1)?.[1]
    expect(Number(rows)).toBeLessThanOrEqual(6)
  })

  it.each([
    { client: 'fetch with a limit of 8 s', suite: 'polite-patient', only: 'outage,no-response' },
    { client: 'six parallel tests', suite: 'polite-parallel', only: 'minute-limit,shared-key' },
  ])('has nothing to fix or to review in a good client: $client', async ({ suite, only }) => {
    const options = ['--only', `baseline,${only}`, '--report', 'json']
    const { code, stdout } = await check(options, [suiteAt(suite)])
    const report: CheckJson = JSON.parse(stdout)
    expect({ code, fixFirst: report.fixFirst }).toEqual({ code: 0, fixFirst: [] })
    expect(report.checks.map(({ check: name }) => name)).toEqual(only.split(','))
  })

  it('names what a rude client has to fix first, and writes all that is asked for', async () => {
    const cwd = testFolder()
    const reports = ['json=check.json', 'markdown=check.md', 'junit=check.xml']
    const { code, stdout } = await check(
      [
        ...['--only', 'lost-response,large-ids,sunset-day,baseline', '--junit', '{row}.tests.xml'],
        ...['--report', ['pretty', ...reports].join(',')],
      ],
      ['--test-reporter=junit', '--test-reporter-destination={row}.tests.xml', suiteAt('rude')],
      { cwd },
    )
    expect(code).toBe(4)
    const read = (file: string): string => readFileSync(join(cwd, file), 'utf8')
    const report: CheckJson = JSON.parse(read('check.json'))
    expect(report).toMatchObject({ passed: false, tests: 2 })
    // Each run has its own file.
    expect(globSync('*.tests.xml', { cwd })).toHaveLength(report.runs)
    expect(report.fixFirst.slice(0, 2)).toMatchObject([
      { what: 'duplicate-create', checks: ['lost-response createPet'] },
      { what: 'id-precision-loss', checks: ['large-ids'] },
    ])
    expect(report.checks).toContainEqual(
      expect.objectContaining({
        check: 'sunset-day',
        grade: 'review',
        suite: '1 of 2 tests fails: adds a pet, and gets it',
        client: expect.arrayContaining(['rejected: GET /v1/pets/31 (404)']),
      }),
    )
    expect(report.findings?.map(({ rule }) => rule)).toContain('deprecated-operation')
    expect(stdout).toMatch(/^Check: 2 to fix, \d to review; /)
    expect(stdout).toMatch(
      /\n {5}\S.* check --junit '\{row\}\.tests\.xml' --only lost-response -- /,
    )
    expect(read('check.md')).toContain('- lost-response createPet: fix')
    expect(read('check.xml')).toContain('name="id-precision-loss"><failure')
  })

  it('says whether a client without a response left by itself, and which test failed why', async () => {
    const cwd = testFolder()
    const suite = (wait: string): string => `
      const { test } = require('node:test')
      test('lists', async () => {
        const reply = await ${wait}
        if (reply === undefined) throw new Error('no \\x1b[31mresponse\\x1b[39m')
        await reply.text()
      })`
    const given = "{ headers: { authorization: 'Bearer ' + process.env.PETSTORE_KEY }"
    // Its process goes on for long enough for the sandbox to see that, however busy the machine is.
    const leaving = `${ask.replace(given, `${given}, signal: AbortSignal.timeout(1_000)`)}
      .catch((error) => new Promise((_, reject) => setTimeout(reject, 4_000, error)))`
    const waiting = `Promise.race([${ask}, new Promise((resolve) => setTimeout(resolve, 1_000))])`
    const checkOf = async (wait: string) => {
      writeFileSync(join(cwd, 'suite.cjs'), suite(wait))
      const options = ['--only', 'no-response', '--report', 'json']
      const { stdout } = await check(options, ['--test-force-exit', 'suite.cjs'], { cwd })
      const report: CheckJson = JSON.parse(stdout)
      return report.checks[0]
    }
    expect(await checkOf(leaving)).toMatchObject({
      grade: 'info',
      summary: expect.stringMatching(
        /; the client closed the connection after [\d.]+ s; no request was retried$/,
      ),
    })
    const waited = await checkOf(waiting)
    expect(waited).toMatchObject({
      grade: 'review',
      summary: expect.stringContaining('; the client was still waiting when the process ended'),
      failure: { message: expect.stringContaining('no response') },
    })
    expect(readFileSync(join(cwd, waited?.output ?? ''), 'utf8')).toContain('no response')
  })

  it('runs copies of the suite at once with one key', async () => {
    const script = `
      const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms))
      const get = () => ${ask}
      ;(async () => {
        for (let sent = 0; sent < 4; sent++) {
          const reply = await get()
          await reply.text()
          if (reply.status === 429) await pause(reply.headers.get('retry-after') * 1_000).then(get)
        }
      })()`
    const { code, stdout } = await checkScript(script, ['--only', 'shared-key', '--report', 'json'])
    const report: CheckJson = JSON.parse(stdout)
    expect({ code, runs: report.runs }).toEqual({ code: 0, runs: 5 })
    expect(report.checks).toMatchObject([
      { grade: 'passed', client: expect.arrayContaining(['no ban']) },
    ])
  })

  it('ends runs that take longer than --timeout', async () => {
    const script = `
      ${ask}.then(({ status }) => status === 200 || setInterval(() => {}, 1_000))`
    const options = ['--only', 'key-expired', '--timeout', '700ms', '--report', 'json']
    const { stdout } = await checkScript(script, options)
    const report: CheckJson = JSON.parse(stdout)
    expect(report.checks).toMatchObject([
      { grade: 'review', summary: expect.stringMatching(/was still running after [\d.]+ s/) },
    ])
  })

  it('says what is known when it is interrupted, and leaves nothing behind', async () => {
    const cwd = testFolder()
    const temporary = testFolder()
    const script = `${ask}.then(({ status }) => status === 200 || setInterval(() => {}, 1_000))`
    const cli = new Cli(
      [
        'check',
        '--jobs=1',
        '--only=sunset-eve,slow,key-expired',
        '--report=json',
        '--',
        process.execPath,
        '-e',
        script,
      ],
      { cwd, env: { TMPDIR: temporary } },
    )
    await cli.printed(/check: 0 conditions done/, 'stderr')
    const { code, stdout } = await cli.stop('SIGINT')
    expect(code).toBe(130)
    const report: CheckJson = JSON.parse(stdout)
    expect(report).toMatchObject({ passed: false, interrupted: true })
    expect(report.checks.map(({ grade }) => grade)).toContain('not-run')
    expect([...readdirSync(cwd), ...readdirSync(temporary)]).toEqual([])
  })

  it('ends with one line if the temporary folder cannot be used', async () => {
    const cwd = testFolder()
    const none = join(cwd, 'none')
    const words = ['check', '--', process.execPath, '-e', '']
    const { code, stdout, stderr } = await runCli(words, { cwd, env: { TMPDIR: none } })
    expect({ code, stdout, stderr }).toEqual({
      code: 1,
      stdout: '',
      stderr: `petstore-sandbox: Cannot use the temporary folder ${none}: it does not exist; set TMPDIR to another\n`,
    })
  })

  it('runs no failure condition where tests use sandboxes of their own, and says so', async () => {
    const index = new URL('../../../../dist/index.js', import.meta.url)
    const script = `import('${index}').then(({ createSandbox }) =>
      createSandbox().handle({ method: 'GET', url: '/v1/pets?limit=100', headers: {}, body: '' }))`
    const { code, stdout } = await checkScript(script, ['--only', 'baseline,outage'])
    expect(code).toBe(0)
    expect(stdout).toContain('failure conditions: not run\n  not-run  all  The tests use sandboxes')
  })

  it('sets a check anew after each reset by the suite', async () => {
    const cwd = testFolder()
    const script = `
      const { PETSTORE_CONTROL_URL: control } = process.env
      const check = async () => { const { status } = await ${ask}; if (status !== 200) process.exitCode = 1 }
      ;(async () => {
        await fetch(control + '/reset', { method: 'POST' })
        await check()
        await fetch(control + '/reset', { method: 'POST' })
        await check()
      })()`
    writeFileSync(join(cwd, 'suite.cjs'), script)
    const { stdout } = await check(['--only', 'key-expired', '--report', 'json'], ['suite.cjs'], {
      cwd,
    })
    const report: CheckJson = JSON.parse(stdout)
    expect(report.checks).toMatchObject([
      { grade: 'info', client: expect.arrayContaining(['rejected: GET /v1/pets (401)']) },
    ])
  })
})
