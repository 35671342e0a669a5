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
  readonly items: readonly {
    readonly grade: string
    readonly what: string
    readonly checks: readonly string[]
  }[]
  readonly conditions: readonly {
    readonly condition: string
    readonly operation?: string
    readonly state: string
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

/** Returns the names of what is to fix or to review. */
function worstIn({ items }: CheckJson): readonly string[] {
  return items.filter(({ grade }) => grade !== 'info').map(({ what }) => what)
}

function checkScript(script: string, options: readonly string[] = []): Promise<CliResult> {
  return check(options, ['-e', script])
}

const ask =
  "fetch(process.env.PETSTORE_API_URL + '/pets', { headers: { authorization: 'Bearer ' + process.env.PETSTORE_KEY } })"

describe('check --full', () => {
  it('has nothing to fix or to review in a polite client of five tests, each condition in its own run', async () => {
    const { code, stdout, stderr } = await check(
      ['--full', '--report', 'json'],
      [suiteAt('polite-five')],
    )
    const report: CheckJson = JSON.parse(stdout)
    expect({ code, passed: report.passed, worst: worstIn(report) }).toEqual({
      ...{ code: 0, passed: true, worst: [] },
    })
    const states = report.conditions.map(({ condition, operation, state }) =>
      [condition, operation, state].filter(Boolean).join(' '),
    )
    const perOperation = ['outage', 'retry-after', 'lost-response']
    const silent = ['no-response', 'invalid-json']
    const both = (name: string) => [`${name} createPet passed`, `${name} listPets passed`]
    expect(states).toEqual([
      ...['minute-limit', 'day-limit', 'shared-key', 'banned', 'key-expired'].map(
        (name) => `${name} passed`,
      ),
      ...perOperation.flatMap(both),
      'late-list passed',
      ...silent.flatMap(both),
      ...['slow', 'clock-behind'].map((name) => `${name} passed`),
      ...['sunset-eve', 'sunset-day'].map((name) => `${name} not-met`),
      'large-ids passed',
    ])
    expect(report.assumptions).toEqual([])
    expect(report.gaps.unaffected).toContain('listOrder')
    // Two as a baseline, one for each condition that is met, two more copies with a shared key, four with other values.
    const met = states.filter((state) => state.endsWith(' passed'))
    expect(report.runs).toBe(2 + met.length + 2 + 4)
    expect(stderr).toMatch(/check: \d+ conditions done in /)
  })

  it.each([
    { client: 'fetch with a limit of 8 s', suite: 'polite-patient', only: 'outage,no-response' },
    { client: 'six parallel tests', suite: 'polite-parallel', only: 'minute-limit,shared-key' },
  ])('has nothing to fix or to review in a good client: $client', async ({ suite, only }) => {
    const options = ['--only', `baseline,${only}`, '--report', 'json']
    const { code, stdout } = await check(options, [suiteAt(suite)])
    const report: CheckJson = JSON.parse(stdout)
    expect({ code, worst: worstIn(report) }).toEqual({ code: 0, worst: [] })
    expect(report.conditions.map(({ condition }) => condition)).toEqual(only.split(','))
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
    expect(report.items.slice(0, 2)).toMatchObject([
      { what: 'duplicate-create', checks: ['lost-response createPet'] },
      { what: 'id-precision-loss', checks: ['large-ids'] },
    ])
    expect(report.conditions).toContainEqual(
      expect.objectContaining({
        condition: 'sunset-day',
        state: 'review',
        suite: '1 of 2 tests fails: adds a pet, and gets it',
        client: expect.arrayContaining(['rejected: GET /v1/pets/31 (404)']),
      }),
    )
    expect(report.findings?.map(({ rule }) => rule)).toContain('deprecated-operation')
    expect(stdout).toMatch(/^Check: 2 to fix, \d to review · /)
    expect(stdout).toMatch(
      /\n {5}\S.* check --junit '\{row\}\.tests\.xml' --only lost-response -- /,
    )
    expect(read('check.md')).toContain('1. duplicate-create under lost-response (createPet)')
    expect(read('check.xml')).toContain('name="id-precision-loss"><failure')
  })

  it('says whether a client without a response left by itself, and which test failed why', async () => {
    const cwd = testFolder()
    const suite = (signal: string): string => `
      const { test } = require('node:test')
      test('lists', async () => {
        const reply = await ${ask.replace("{ headers: { authorization: 'Bearer ' + process.env.PETSTORE_KEY }", `{ headers: { authorization: 'Bearer ' + process.env.PETSTORE_KEY }${signal}`)}
        await reply.text()
      })`
    const conditionOf = async (signal: string) => {
      writeFileSync(join(cwd, 'suite.cjs'), suite(signal))
      const options = ['--only', 'no-response', '--timeout', '5s', '--report', 'json']
      const { stdout } = await check(options, ['suite.cjs'], { cwd })
      const report: CheckJson = JSON.parse(stdout)
      return report.conditions[0]
    }
    const left = await conditionOf(', signal: AbortSignal.timeout(1_000)')
    expect(left).toMatchObject({
      state: 'passed',
      summary: expect.stringMatching(/; the client closed the connection after [\d.]+ s$/),
      failure: { message: expect.stringContaining('aborted due to timeout') },
    })
    expect(readFileSync(join(cwd, left?.output ?? ''), 'utf8')).toContain('aborted due to timeout')
    expect(await conditionOf('')).toMatchObject({
      state: 'review',
      summary: expect.stringMatching(/; the client was still waiting after [\d.]+ s; /),
    })
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
    expect(report.conditions).toMatchObject([
      { state: 'passed', client: expect.arrayContaining(['no ban']) },
    ])
  })

  it('ends runs that take longer than --timeout', async () => {
    const script = `
      ${ask}.then(({ status }) => status === 200 || setInterval(() => {}, 1_000))`
    const options = ['--only', 'key-expired', '--timeout', '700ms', '--report', 'json']
    const { stdout } = await checkScript(script, options)
    const report: CheckJson = JSON.parse(stdout)
    expect(report.conditions).toMatchObject([
      { state: 'review', summary: expect.stringMatching(/was still running after [\d.]+ s/) },
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
    expect(report.conditions.map(({ state }) => state)).toContain('not-run')
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

  it('runs no failure condition where tests use sandboxes that it does not reach, and says so', async () => {
    const index = new URL('../../../../dist/index.js', import.meta.url)
    const script = `import('${index}').then(({ SandboxPool }) =>
      new SandboxPool().create({ name: 'one' }).sandbox.handle({ method: 'GET', url: '/v1/pets?limit=100', headers: {}, body: '' }))`
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
        console.log('2 passed')
      })()`
    writeFileSync(join(cwd, 'suite.cjs'), script)
    const { stdout } = await check(['--only', 'key-expired', '--report', 'json'], ['suite.cjs'], {
      cwd,
    })
    const report: CheckJson = JSON.parse(stdout)
    expect(report.conditions).toMatchObject([
      { state: 'passed', client: expect.arrayContaining(['rejected: GET /v1/pets (401)']) },
    ])
  })
})
