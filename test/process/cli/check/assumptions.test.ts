import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it, onTestFinished } from 'vitest'
import { parseJunit } from '../../../../src/cli/check/read-junit.ts'
import { Cli, type CliResult, program, runCli, testFolder } from '../../../kit/cli-process.ts'
import { runMain } from '../../../kit/run-main.ts'

const suite = fileURLToPath(new URL('../../../kit/dependent-suite.js', import.meta.url))

/** A report in JSON. */
interface AssumptionsJson {
  readonly runs: number
  readonly assumptions: readonly {
    readonly test?: string
    readonly values: Readonly<Record<string, string>>
    readonly source: string
    readonly reproduce: string
  }[]
  readonly gaps: { readonly unaffected: readonly string[] }
}

/** Searches for hidden assumptions of a script of JavaScript. */
function assumptionsOf(script: string, options: readonly string[] = []): Promise<CliResult> {
  return runMain(['check', '--assumptions', ...options, '--', process.execPath, '-e', script])
}

describe('check --assumptions', () => {
  it('names the choices on which each test depends, and lines that reproduce it', async () => {
    const cwd = testFolder()
    // Of what matters to the suite these are left out, for fewer runs.
    const fixed = [
      ...['idSequence=sequential', 'quotaWindow=calendar', 'reportedWindow=tightest'],
      ...['defaultStatus=available', 'unauthenticatedQuota=counted', 'countedRequests=all'],
      ...['contentType=plain', 'listOrder=id-ascending'],
    ]
    const gaps = ['--gap', fixed.join(',')]
    const options = ['--junit', '{row}.xml', ...gaps, '--report', 'json=report.json']
    const { code } = await runMain(
      ['check', '--assumptions', ...options, '--', process.execPath, suite, '{row}.xml', '40'],
      { cwd },
    )
    expect(code).toBe(4)
    const report: AssumptionsJson = JSON.parse(readFileSync(join(cwd, 'report.json'), 'utf8'))
    expect(report.runs).toBeLessThanOrEqual(60)
    expect(report.assumptions).toMatchObject([
      {
        test: 'adds a pet in one of two ways',
        values: { emptyName: 'reject', unknownProperties: 'reject' },
        source: 'spec 2',
      },
      { test: 'sends its key', values: { bearerScheme: 'case-sensitive' }, source: 'spec 5' },
    ])
    expect(report.gaps.unaffected).toContain('errorCodes')
    expect(report.gaps.unaffected).toContain('banStatus')
    for (const { test = '', reproduce } of report.assumptions) {
      const line = reproduce.replace(/^npx petstore-sandbox/, `'${process.execPath}' '${program}'`)
      expect(spawnSync('sh', ['-c', line], { cwd }).status).toBe(1)
      const { results } = parseJunit(readFileSync(join(cwd, '0.xml'), 'utf8'))
      expect([...results].filter(([, result]) => result === 'failed')).toEqual([[test, 'failed']])
    }
  })

  it.each([
    {
      says: 'is flaky',
      script:
        'fetch(process.env.PETSTORE_API_URL).then(() => { if (/row-1\\/|row-3\\//.test(process.env.PETSTORE_API_URL)) process.exit(1) })',
      why: /Cannot compare runs: the suite is flaky: of two runs with the same gap values one passed.*exit code 1/,
    },
    {
      says: 'turns out to be flaky',
      // It fails from the third run on, whatever the values.
      script:
        'fetch(process.env.PETSTORE_API_URL).then(() => { if (/row-([3-9]|..)\\//.test(process.env.PETSTORE_API_URL)) process.exit(1) })',
      why: /Cannot compare runs: the suite is flaky: in \d+ runs it passed once and failed once with the same gap values/,
    },
    {
      says: 'sends requests only at first',
      script:
        'if (!/row-([3-9]|..)$/.test(process.env.PETSTORE_SANDBOX_URL)) fetch(process.env.PETSTORE_API_URL)',
      why: /Cannot compare runs: [\d and]+ sent no request to their sandboxes, though others did/,
    },
    {
      says: 'is not there',
      script: undefined,
      why: /Cannot run nowhere: command not found/,
      code: 127,
    },
    {
      says: 'drops the path of the address',
      script: "fetch(new URL('/v1/pets', process.env.PETSTORE_API_URL))",
      why: /Cannot compare runs: 2 requests went to \/v1 of the server/,
    },
  ])('says why it compares no runs of a command that $says', async (given) => {
    const { script, why, code = 5 } = given
    const result =
      script === undefined
        ? await runMain(['check', '--assumptions', '--', 'nowhere'])
        : await assumptionsOf(script)
    expect(result).toMatchObject({ code })
    expect(result.stderr).toMatch(why)
  })

  it('names the first test that fails as it is, why, and where its output is', async () => {
    const cwd = testFolder()
    const xml = '<testcase name="a"><failure message="1 is not 2"/></testcase>'
    const script = `
      require('node:fs').writeFileSync('out.xml', '${xml}')
      console.log('\\x1b[31mred\\x1b[39m')
      fetch(process.env.PETSTORE_API_URL).then(() => process.exit(3))`
    const options = ['--junit', 'out.xml']
    const { code, stdout, stderr } = await runMain(
      ['check', '--assumptions', ...options, '--', process.execPath, '-e', script],
      { cwd },
    )
    expect({ code, stderr }).toEqual({ code: 3, stderr: '\x1b[31mred\x1b[39m\n' })
    expect(stdout.replace(/\s+/g, ' ')).toMatch(
      /^Check: the command failed: exit code 3, failed: a \(1 is not 2\), in out\.xml \(2 runs /,
    )
  })

  it('takes its suites with it when it is killed', async () => {
    const env = { TMPDIR: testFolder() }
    const opened = createServer()
    onTestFinished(() => void opened.close())
    opened.listen(0, '127.0.0.1')
    await once(opened, 'listening')
    const { port } = opened.address() as AddressInfo
    const script = `require('node:net').connect(${port}, '127.0.0.1')`
    const cli = new Cli(['check', '--', process.execPath, '-e', script], { env })
    const [suite] = (await once(opened, 'connection')) as [Socket]
    suite.on('error', () => {}).resume()
    cli.process.kill('SIGKILL')
    await once(suite, 'close')
    await cli.ended()
    const left = readdirSync(env.TMPDIR)
    expect(left).toHaveLength(1)
    // Its folder is removed by the next start.
    await runCli(['check', '--', process.execPath, '-e', 'process.exit(3)'], { env })
    expect(readdirSync(env.TMPDIR)).toEqual([])
  })

  it('does not wait for what the command leaves behind', async () => {
    const cwd = testFolder()
    const script = `
      const { spawn } = require('node:child_process')
      const options = { detached: true, stdio: ['ignore', 'inherit', 'ignore'] }
      const left = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], options)
      left.unref()
      require('node:fs').appendFileSync('left', left.pid + '\\n')
      process.exitCode = 3`
    const { code, stdout } = await runCli(['check', '--', process.execPath, '-e', script], {
      cwd,
    })
    expect(code).toBe(3)
    expect(stdout).toContain('exit code 3')
    const left = readFileSync(join(cwd, 'left'), 'utf8').trim().split('\n')
    // They still run: else this would throw.
    for (const pid of left) process.kill(Number(pid))
  })

  it('rejects a command that writes no test results where it should', async () => {
    const script = 'fetch(process.env.PETSTORE_API_URL)'
    const { code, stderr } = await assumptionsOf(script, ['--junit', 'out/{row}.xml'])
    expect(code).toBe(5)
    expect(stderr).toContain('the command wrote no test results to out/{row}.xml')
  })

  it.each([
    { what: 'a folder', path: '.', why: 'it is a folder' },
    { what: 'a place below a file', path: `${suite}/a/b.xml`, why: 'is not a folder' },
  ])('rejects $what for test results, and removes nothing', async ({ path, why }) => {
    const words = ['check', '--junit', path, '--', process.execPath, '-e', '']
    const { code, stdout, stderr } = await runMain(words)
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toContain(`Cannot write ${path}: `)
    expect(stderr).toContain(why)
    expect(existsSync(path)).toBe(!path.endsWith('.xml'))
  })

  it('explores a suite that has its sandbox in its own process', async () => {
    const server = new URL('../../../../dist/server.js', import.meta.url)
    const script = `
      import('${server}').then(async ({ startServer }) => {
        const server = await startServer({ port: 0 })
        const reply = await fetch(server.url + '/v1')
        await server.close()
        process.exitCode = reply.status === 401 && server.sandbox.gaps.dateHeaderSkew === 'none' ? 0 : 1
      })`
    const { code, stdout } = await assumptionsOf(script, [
      ...['--gap', 'reportedWindow=tightest,quotaWindow=calendar,unauthenticatedQuota=counted'],
      ...['--report', 'json'],
    ])
    expect(JSON.parse(stdout)).toMatchObject({
      assumptions: [{ values: { unknownRouteWithoutKey: 'not-found' }, source: 'spec 5' }],
    })
    expect(code).toBe(4)
  })

  it('says so, and goes on one by one, where runs at the same time disturb each other', async () => {
    const cwd = testFolder()
    writeFileSync(
      join(cwd, 'base.json'),
      JSON.stringify({
        items: [{ what: 'trailingSlash', grade: 'fix', checks: ['assumptions'] }],
      }),
    )
    const script = `
      const { PETSTORE_API_URL: url, PETSTORE_KEY: key } = process.env
      fetch(url + '/pets/?limit=1', { headers: { authorization: 'Bearer ' + key } }).then((reply) => {
        // As if two runs at the same time had met.
        process.exitCode = reply.status === 404 && !/row-[12]\\//.test(url) ? 0 : 1
      })`
    const gaps =
      'reportedWindow=tightest,quotaWindow=calendar,errorCodes=snake_case,countedRequests=all,listOrder=id-ascending'
    const options = ['--baseline', 'base.json', '--gap', gaps]
    const { code, stdout } = await runMain(
      ['check', '--assumptions', ...options, '--', process.execPath, '-e', script],
      { cwd },
    )
    const text = stdout.replace(/\s+/g, ' ')
    expect(text).toContain('Two runs at the same time disturbed each other')
    expect(text).toContain('known: 1, in the baseline known trailingSlash')
    expect(code).toBe(0)
  })

  it('says so where a part of the requests came to no sandbox of a run', async () => {
    const script = `
      const { PETSTORE_API_URL: url } = process.env
      fetch(url).then(() => fetch(new URL('/v1/pets', url)))`
    const gaps =
      'reportedWindow=tightest,quotaWindow=calendar,errorCodes=snake_case,unauthenticatedQuota=counted,unknownRouteWithoutKey=unauthorized'
    const { code, stdout } = await assumptionsOf(script, ['--gap', gaps])
    expect(stdout.replace(/\s+/g, ' ')).toMatch(
      /note assumptions \d+ requests went to \/v1 of the server, and not to the address in PETSTORE_API_URL/,
    )
    expect(code).toBe(0)
  })

  it('prints what is known when it is interrupted, and ends what runs', async () => {
    const script = `
      console.error(process.pid)
      fetch(process.env.PETSTORE_API_URL).then(() => {
        if (/row-([3-9]|..)$/.test(process.env.PETSTORE_SANDBOX_URL)) setInterval(() => {}, 1000)
      })`
    const child = spawn(process.execPath, [
      program,
      'check',
      '--assumptions',
      '--',
      process.execPath,
      '-e',
      script,
    ])
    onTestFinished(() => void child.kill('SIGKILL'))
    let stdout = ''
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      stdout += text
    })
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      if (text.includes('0 runs done')) child.kill('SIGINT')
    })
    const [code] = await once(child, 'close')
    expect(code).toBe(130)
    const text = stdout.replace(/\s+/g, ' ')
    expect(text).toMatch(
      /^Check: nothing to fix or to review \(2 runs in \d+s, 1 request, interrupted,/,
    )
    expect(text).toContain('hidden assumptions: none found so far')
    expect(text).toContain('It was interrupted: there may be more hidden assumptions.')
  })
})
