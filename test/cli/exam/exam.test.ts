import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
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
  readonly mendFirst: readonly { readonly what: string; readonly papers: readonly string[] }[]
  readonly papers: readonly { readonly paper: string; readonly grade: string }[]
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
  "fetch(process.env.PETSTORE_URL + '/pets', { headers: { authorization: 'Bearer ' + process.env.PETSTORE_KEY } })"

describe('exam', () => {
  it('has nothing to mend in a polite client', async () => {
    const only = 'manners,minute-limit,lost,sunset-day,large-ids,coverage'
    const { code, stdout, stderr } = await exam(
      ['--only', only, '--report', 'json'],
      [suiteAt('polite')],
    )
    const report: ExamJson = JSON.parse(stdout)
    expect({ code, passed: report.passed }).toEqual({ code: 0, passed: true })
    expect(report.mendFirst).toEqual([])
    expect(report.papers).toMatchObject([
      { paper: 'minute-limit', grade: 'passed', suite: 'the suite passes' },
      { paper: 'lost', operation: 'createPet', grade: 'noted' },
      { paper: 'lost', operation: 'listPets', grade: 'passed' },
      { paper: 'sunset-day', grade: 'not met', brief: 'the client never calls getPet' },
      { paper: 'large-ids', grade: 'passed' },
    ])
    expect(report.coverage).toMatchObject({ outcomes: { met: 2, all: 11 } })
    expect(report.runs).toBe(6)
    expect(stderr).toContain('petstore-sandbox: exam: 4 papers done in ')
  })

  it('names what a rude client has to mend first, and writes all that is asked for', async () => {
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
    expect(report.mendFirst.slice(0, 2)).toMatchObject([
      { what: 'unsafe-retry-duplicated', papers: ['lost createPet'] },
      { what: 'rounded-id', papers: ['large-ids'] },
    ])
    expect(report.papers).toContainEqual(
      expect.objectContaining({
        paper: 'sunset-day',
        grade: 'look',
        suite: '1 of 2 tests fails: adds a pet, and gets it',
        client: expect.arrayContaining(['not served: GET /v1/pets/31 (404)']),
      }),
    )
    expect(report.findings?.map(({ rule }) => rule)).toContain('deprecated-operation')
    expect(stdout).toMatch(/^Client exam: 2 to mend, \d to look at; /)
    expect(stdout).toContain('\n     petstore-sandbox exam --only lost -- ')
    expect(read('exam.svg')).toMatch(/^<svg .*aria-label="petstore client exam: 2 to mend"/)
    expect(read('exam.md')).toContain('| lost createPet | mend |')
    expect(read('exam.xml')).toContain('name="rounded-id"><failure')
  })

  it.each([
    {
      script: 'process.exitCode = 3',
      says: 'the command fails as it is, without any other choice: exit code 3; fix that first',
    },
    { script: '', says: 'the command sent no request to the sandbox' },
  ])('ends with 5 where the suite is: $script', async ({ script, says }) => {
    const { code, stdout, stderr } = await examScript(script)
    expect({ code, stdout }).toEqual({ code: 5, stdout: '' })
    expect(stderr).toContain(`petstore-sandbox: Cannot examine the client: ${says}`)
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
    await cli.printed(/exam: 0 papers done/, 'stderr')
    const { code, stdout } = await cli.stop('SIGINT')
    expect(code).toBe(130)
    const report: ExamJson = JSON.parse(stdout)
    expect(report).toMatchObject({ passed: false, interrupted: true })
    expect(report.papers.map(({ grade }) => grade)).toContain('not run')
    expect([...readdirSync(cwd), ...readdirSync(temporary)]).toEqual([])
  })

  it.each([
    {
      options: ['--only', 'lost', '--skip', 'lost'],
      says: 'Cannot examine the client: no paper is left; change --only or --skip',
    },
    {
      options: ['--only', 'lots'],
      says: 'Cannot set --only: found "lots"; use one of manners, minute-limit',
    },
    { options: ['--report', 'pdf'], says: 'Cannot set --report: found "pdf"; use a format' },
  ])('refuses $options before it runs anything', async ({ options, says }) => {
    const cwd = testFolder()
    const mark = "require('node:fs').writeFileSync('ran', '')"
    const { code, stderr } = await exam(options, ['-e', mark], { cwd })
    expect({ code, ran: existsSync(join(cwd, 'ran')) }).toEqual({ code: 2, ran: false })
    expect(stderr).toContain(`petstore-sandbox: ${says}`)
  })

  it('needs a command', async () => {
    const { code, stderr } = await runCli(['exam'])
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr:
        'petstore-sandbox: Cannot run exam: the command is missing; use exam [options] -- COMMAND\n',
    })
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

  it('sets a paper anew after each reset by the suite', async () => {
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
    expect(report.papers).toMatchObject([
      { grade: 'noted', client: expect.arrayContaining(['not served: GET /v1/pets (401)']) },
    ])
  })
})
