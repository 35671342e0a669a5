import { globSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { Cli, type CliOptions, type CliResult, runCli, testFolder } from '../../kit/cli-process.ts'

const suiteAt = (name: string): string =>
  fileURLToPath(new URL(`suites/${name}.js`, import.meta.url))

/** What a report in JSON has. */
interface ExamJson {
  readonly passed: boolean
  readonly runs: number
  readonly tests: number
  readonly fixFirst: readonly { readonly what: string; readonly checks: readonly string[] }[]
  readonly checks: readonly {
    readonly check: string
    readonly grade: string
    readonly brief: string
    readonly failure?: unknown
    readonly output?: string
  }[]
  readonly findings?: readonly { readonly rule: string }[]
  readonly coverage?: unknown
  readonly interrupted?: true
}

/** Examines a command. */
function exam(
  options: readonly string[],
  command: readonly string[],
  more?: CliOptions,
): Promise<CliResult> {
  return runCli(['exam', ...options, '--', process.execPath, ...command], more)
}

function examScript(script: string, options: readonly string[] = []): Promise<CliResult> {
  return exam(options, ['-e', script])
}

const ask =
  "fetch(process.env.PETSTORE_API_URL + '/pets', { headers: { authorization: 'Bearer ' + process.env.PETSTORE_KEY } })"

describe('exam', () => {
  it('has nothing to fix in a polite client', async () => {
    const only = 'manners,minute-limit,lost,sunset-day,large-ids,coverage'
    const { code, stdout, stderr } = await exam(
      ['--only', only, '--report', 'json'],
      [suiteAt('polite')],
    )
    const report: ExamJson = JSON.parse(stdout)
    expect({ code, passed: report.passed }).toEqual({ code: 0, passed: true })
    expect(report.fixFirst).toEqual([])
    expect(report.checks).toMatchObject([
      { check: 'minute-limit', grade: 'passed', suite: 'the suite passes' },
      { check: 'lost', operation: 'createPet', grade: 'noted' },
      { check: 'lost', operation: 'listPets', grade: 'passed' },
      { check: 'sunset-day', grade: 'not-met', brief: 'the client never calls getPet' },
      { check: 'large-ids', grade: 'passed' },
    ])
    expect(report.coverage).toMatchObject({ outcomes: { covered: 2, all: 11 } })
    expect(report.runs).toBe(6)
    expect(stderr).toContain('petstore-sandbox: exam: 4 checks done in ')
  })

  it.each([
    { client: 'fetch with a limit of 8 s', command: [process.execPath, suiteAt('polite-patient')] },
    { client: 'six parallel tests', command: [process.execPath, suiteAt('polite-parallel')] },
    { client: "Python's urllib", command: ['python3', suiteAt('polite').replace(/js$/, 'py')] },
  ])('has nothing to fix or to review in a good client: $client', async ({ command }) => {
    const only = 'manners,minute-limit,shared-key,banned,down,overloaded,lost,silent,garbled'
    const options = ['--only', only, '--report', 'json']
    const { code, stdout } = await runCli(['exam', ...options, '--', ...command])
    const report: ExamJson = JSON.parse(stdout)
    expect({ code, fixFirst: report.fixFirst }).toEqual({ code: 0, fixFirst: [] })
    expect(report.checks.map(({ check }) => check)).toContain('silent')
  })

  it('names what a rude client has to fix first, and writes all that is asked for', async () => {
    const cwd = testFolder()
    const reports = ['json=exam.json', 'markdown=exam.md', 'junit=exam.xml']
    const { code, stdout } = await exam(
      [
        ...['--only', 'lost,large-ids,sunset-day,manners', '--junit', '{row}.tests.xml'],
        ...['--badge', 'exam.svg', '--report', ['pretty', ...reports].join(',')],
      ],
      ['--test-reporter=junit', '--test-reporter-destination={row}.tests.xml', suiteAt('rude')],
      { cwd },
    )
    expect(code).toBe(4)
    const read = (file: string): string => readFileSync(join(cwd, file), 'utf8')
    const report: ExamJson = JSON.parse(read('exam.json'))
    expect(report).toMatchObject({ passed: false, tests: 2 })
    // Each run has its own file.
    expect(globSync('*.tests.xml', { cwd })).toHaveLength(report.runs)
    expect(report.fixFirst.slice(0, 2)).toMatchObject([
      { what: 'duplicate-create', checks: ['lost createPet'] },
      { what: 'id-precision-loss', checks: ['large-ids'] },
    ])
    expect(report.checks).toContainEqual(
      expect.objectContaining({
        check: 'sunset-day',
        grade: 'review',
        suite: '1 of 2 tests fails: adds a pet, and gets it',
        client: expect.arrayContaining(['not served: GET /v1/pets/31 (404)']),
      }),
    )
    expect(report.findings?.map(({ rule }) => rule)).toContain('deprecated-operation')
    expect(stdout).toMatch(/^Client exam: 2 to fix, \d to review; /)
    expect(stdout).toMatch(/\n {5}\S.* exam --junit '\{row\}\.tests\.xml' --only lost -- /)
    expect(read('exam.svg')).toMatch(/^<svg .*aria-label="petstore client exam: 2 to fix"/)
    expect(read('exam.md')).toContain('- lost createPet: fix')
    expect(read('exam.xml')).toContain('name="id-precision-loss"><failure')
  })

  it('says whether a client without an answer left by itself, and which test failed why', async () => {
    const cwd = testFolder()
    const suite = (wait: string): string => `
      const { test } = require('node:test')
      test('lists', async () => {
        const reply = await ${wait}
        if (reply === undefined) throw new Error('no \\x1b[31mreply\\x1b[39m')
        await reply.text()
      })`
    const given = "{ headers: { authorization: 'Bearer ' + process.env.PETSTORE_KEY }"
    // Its process goes on for long enough for the sandbox to see that, however busy the machine is.
    const leaving = `${ask.replace(given, `${given}, signal: AbortSignal.timeout(1_000)`)}
      .catch((error) => new Promise((_, reject) => setTimeout(reject, 4_000, error)))`
    const waiting = `Promise.race([${ask}, new Promise((resolve) => setTimeout(resolve, 1_000))])`
    const checkOf = async (wait: string) => {
      writeFileSync(join(cwd, 'suite.cjs'), suite(wait))
      const options = ['--only', 'silent', '--report', 'json']
      const { stdout } = await exam(options, ['--test-force-exit', 'suite.cjs'], { cwd })
      const report: ExamJson = JSON.parse(stdout)
      return report.checks[0]
    }
    expect(await checkOf(leaving)).toMatchObject({
      grade: 'noted',
      brief: expect.stringMatching(
        /; the client closed the connection after [\d.]+ s; no request was retried$/,
      ),
    })
    const check = await checkOf(waiting)
    expect(check).toMatchObject({
      grade: 'review',
      brief: expect.stringContaining('; the client was still waiting when the process ended'),
      failure: { message: expect.stringContaining('no reply') },
    })
    expect(readFileSync(join(cwd, check?.output ?? ''), 'utf8')).toContain('no reply')
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
    const { code, stdout } = await examScript(script, ['--only', 'shared-key', '--report', 'json'])
    const report: ExamJson = JSON.parse(stdout)
    expect({ code, runs: report.runs }).toEqual({ code: 0, runs: 5 })
    expect(report.checks).toMatchObject([
      { grade: 'passed', client: expect.arrayContaining(['no ban']) },
    ])
  })

  it.each([
    { what: 'before Retry-After allows it', waitMs: '300', early: 1 },
    { what: 'in time', waitMs: "reply.headers.get('retry-after') * 1_000", early: 0 },
  ])(
    'knows whether parallel tests of the same request retry $what, where runs share a key',
    async ({ waitMs, early }) => {
      const script = `
        const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms))
        const test = async () => {
          for (let tries = 0; tries < 8; tries++) {
            const reply = await ${ask}
            await reply.text()
            if (reply.status === 200) return
            await pause(${waitMs})
          }
        }
        Promise.all(Array.from({ length: 4 }, test))`
      const { stdout } = await examScript(script, ['--only', 'shared-key', '--report', 'json'])
      const report: ExamJson = JSON.parse(stdout)
      const what = report.fixFirst.filter((one) => one.what === 'retry-too-early')
      expect(what).toHaveLength(early)
    },
  )

  it('ends runs that take longer than --patience', async () => {
    const script = `
      ${ask}.then(({ status }) => status === 200 || setInterval(() => {}, 1_000))`
    const options = ['--only', 'key-expired', '--patience', '700ms', '--report', 'json']
    const { stdout } = await examScript(script, options)
    const report: ExamJson = JSON.parse(stdout)
    expect(report.checks).toMatchObject([
      { grade: 'review', brief: expect.stringMatching(/was still running after [\d.]+ s/) },
    ])
  })

  it('says what is known when it is interrupted, and leaves nothing behind', async () => {
    const cwd = testFolder()
    const temporary = testFolder()
    const script = `${ask}.then(({ status }) => status === 200 || setInterval(() => {}, 1_000))`
    const cli = new Cli(
      [
        'exam',
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
    await cli.printed(/exam: 0 checks done/, 'stderr')
    const { code, stdout } = await cli.stop('SIGINT')
    expect(code).toBe(130)
    const report: ExamJson = JSON.parse(stdout)
    expect(report).toMatchObject({ passed: false, interrupted: true })
    expect(report.checks.map(({ grade }) => grade)).toContain('not-run')
    expect([...readdirSync(cwd), ...readdirSync(temporary)]).toEqual([])
  })

  it.each([
    { exceptions: [], code: 4 },
    { exceptions: [{ rule: 'key-in-url', reason: 'The old scanner' }], code: 0 },
  ])('heeds the exceptions of the audit: $exceptions', async ({ exceptions, code }) => {
    const cwd = testFolder()
    const config = JSON.stringify({ audit: { exceptions } })
    writeFileSync(join(cwd, 'petstore-sandbox.config.json'), config)
    const script = ask.replace("'/pets'", "'/pets?key=' + process.env.PETSTORE_KEY")
    const options = ['--only', 'manners', '--report', 'json']
    const result = await exam(options, ['-e', script], { cwd })
    expect(result.code).toBe(code)
    expect(JSON.parse(result.stdout)).toMatchObject({ passed: code === 0 })
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
    const { stdout } = await exam(['--only', 'key-expired', '--report', 'json'], ['suite.cjs'], {
      cwd,
    })
    const report: ExamJson = JSON.parse(stdout)
    expect(report.checks).toMatchObject([
      { grade: 'noted', client: expect.arrayContaining(['not served: GET /v1/pets (401)']) },
    ])
  })
})
