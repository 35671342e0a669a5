import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it, onTestFinished } from 'vitest'
import { parseJunit } from '../../../src/cli/suite/read-junit.ts'
import { Cli, type CliResult, program, runCli, testFolder } from '../../kit/cli-process.ts'
import { runMain } from '../../kit/run-main.ts'

const suite = fileURLToPath(new URL('../../kit/dependent-suite.js', import.meta.url))

/** A report in JSON. */
interface ExploreJson {
  readonly runs: number
  readonly dependencies: readonly {
    readonly test?: string
    readonly choices: Readonly<Record<string, string>>
    readonly clause: string
    readonly reproduce: string
  }[]
  readonly irrelevant: readonly string[]
  readonly unaffected: readonly string[]
}

/** Explores a script of JavaScript. */
function exploreScript(script: string, options: readonly string[] = []): Promise<CliResult> {
  return runCli(['explore', ...options, '--', process.execPath, '-e', script])
}

describe('explore', () => {
  it('names the choices on which each test depends, and lines that reproduce it', async () => {
    const cwd = testFolder()
    // Of what matters to the suite these are left out, for fewer runs.
    const fixed = ['idSequence=sequential', 'quotaWindow=calendar', 'reportedWindow=tightest']
    const gaps = ['--gap', [...fixed, 'listOrder=id-ascending'].join(',')]
    const options = ['--junit', '{row}.xml', ...gaps, '--report', 'json=report.json']
    const { code, stdout } = await runCli(
      ['explore', ...options, '--', process.execPath, suite, '{row}.xml', '40'],
      { cwd },
    )
    expect({ code, stdout }).toEqual({ code: 4, stdout: '' })
    const report: ExploreJson = JSON.parse(readFileSync(join(cwd, 'report.json'), 'utf8'))
    expect(report.runs).toBeLessThanOrEqual(40)
    expect(report.dependencies).toMatchObject([
      { test: 'sends its key', choices: { bearerScheme: 'case-sensitive' }, clause: '5' },
      {
        test: 'adds a pet in one of two ways',
        choices: { emptyName: 'reject', unknownProperties: 'reject' },
        clause: '2',
      },
    ])
    expect(report.unaffected).toContain('errorCodes')
    expect(report.irrelevant).toContain('banStatus')
    for (const { test = '', reproduce } of report.dependencies) {
      const line = reproduce.replace(/^petstore-sandbox/, `'${process.execPath}' '${program}'`)
      expect(spawnSync('sh', ['-c', line], { cwd }).status).toBe(1)
      const { results } = parseJunit(readFileSync(join(cwd, '0.xml'), 'utf8'))
      expect([...results].filter(([, result]) => result === 'failed')).toEqual([[test, 'failed']])
    }
  })

  it.each([
    {
      says: 'fails as it is',
      script:
        "fetch(process.env.PETSTORE_API_URL).then(() => { console.log('why'); process.exit(3) })",
      why: /^why\npetstore-sandbox: Cannot explore: the command fails before anything is changed.*exit code 3/,
    },
    {
      says: 'asks no sandbox',
      script: '',
      why: /^petstore-sandbox: Cannot explore: the command sent no request to the sandbox/,
    },
    {
      says: 'is flaky',
      script:
        'fetch(process.env.PETSTORE_API_URL).then(() => { if (/row-1\\/|row-3\\//.test(process.env.PETSTORE_API_URL)) process.exit(1) })',
      why: /Cannot explore: the suite is flaky: of two runs at the same choices one passed.*exit code 1/,
    },
    {
      says: 'turns out to be flaky',
      // It fails from the third run on, whatever the choices.
      script:
        'fetch(process.env.PETSTORE_API_URL).then(() => { if (!/row-[12]\\//.test(process.env.PETSTORE_API_URL)) process.exit(1) })',
      why: /Cannot compare runs: the suite is flaky: in \d+ runs it passed once and failed once under the same choices/,
    },
    {
      says: 'asks the sandbox only at first',
      script:
        'if (/row-[12]$/.test(process.env.PETSTORE_SANDBOX_URL)) fetch(process.env.PETSTORE_API_URL)',
      why: /Cannot compare runs: \d+ and \d+ sent no request to their sandboxes, though others did/,
    },
    {
      says: 'is not there',
      script: undefined,
      why: /Cannot run nowhere: command not found/,
      code: 127,
    },
    {
      says: 'has no name',
      script: undefined,
      command: '',
      why: /^petstore-sandbox: Cannot run explore: the command is missing/,
      code: 2,
    },
    {
      says: 'drops the path of the address',
      script: "fetch(new URL('/v1/pets', process.env.PETSTORE_API_URL))",
      why: /^petstore-sandbox: Cannot explore: 2 requests went to \/v1 of the server/,
    },
  ])('says why it does not explore a command that $says', async (given) => {
    const { script, command = 'nowhere', why, code = 5 } = given
    const result =
      script === undefined ? await runCli(['explore', '--', command]) : await exploreScript(script)
    expect(result).toMatchObject({ code, stdout: '' })
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
    const { code, stderr } = await runCli(
      ['explore', ...options, '--', process.execPath, '-e', script],
      { cwd },
    )
    expect(code).toBe(5)
    expect(stderr).toBe(
      'red\npetstore-sandbox: Cannot explore: the command fails before anything is changed: exit code 3, failed: a (1 is not 2), in out.xml; fix that first\n',
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
    const cli = new Cli(['explore', '--jobs=1', '--', process.execPath, '-e', script], { env })
    const [suite] = (await once(opened, 'connection')) as [Socket]
    suite.on('error', () => {}).resume()
    cli.process.kill('SIGKILL')
    await once(suite, 'close')
    await cli.ended()
    const left = readdirSync(env.TMPDIR)
    expect(left).toHaveLength(1)
    // Its folder is removed by the next start.
    await runCli(['explore', '--', process.execPath, '-e', 'process.exit(3)'], { env })
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
    const { code, stderr } = await runCli(['explore', '--', process.execPath, '-e', script], {
      cwd,
    })
    expect(code).toBe(5)
    expect(stderr).toContain('exit code 3')
    const left = readFileSync(join(cwd, 'left'), 'utf8').trim().split('\n')
    // They still run: else this would throw.
    for (const pid of left) process.kill(Number(pid))
  })

  it('refuses a command that writes no test results where it should', async () => {
    const script = 'fetch(process.env.PETSTORE_API_URL)'
    const { code, stderr } = await exploreScript(script, ['--junit', 'out/{row}.xml'])
    expect(code).toBe(5)
    expect(stderr).toContain('the command wrote no test results to out/{row}.xml')
  })

  it.each([
    { what: 'a folder', path: '.', why: 'it is a folder' },
    { what: 'a place below a file', path: `${suite}/a/b.xml`, why: 'is not a folder' },
  ])('refuses $what for test results, and removes nothing', async ({ path, why }) => {
    const words = ['explore', '--junit', path, '--', process.execPath, '-e', '']
    const { code, stdout, stderr } = await runMain(words)
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toContain(`Cannot write ${path}: `)
    expect(stderr).toContain(why)
    expect(existsSync(path)).toBe(!path.endsWith('.xml'))
  })

  it('explores a suite that has its sandbox in its own process', async () => {
    const server = new URL('../../../dist/server.js', import.meta.url)
    const script = `
      import('${server}').then(async ({ startServer }) => {
        const server = await startServer({ port: 0 })
        const reply = await fetch(server.url + '/v1')
        await server.close()
        process.exitCode = reply.status === 401 && server.sandbox.gaps.dateHeaderSkew === 'none' ? 0 : 1
      })`
    const { code, stdout } = await exploreScript(script, [
      ...['--gap', 'reportedWindow=tightest,quotaWindow=calendar,unauthenticatedQuota=counted'],
      ...['--report', 'json'],
    ])
    expect(JSON.parse(stdout)).toMatchObject({
      dependencies: [{ choices: { unknownRouteWithoutKey: 'not-found' }, clause: '5' }],
    })
    expect(code).toBe(4)
  })

  it('says so, and goes on one by one, where runs at the same time disturb each other', async () => {
    const cwd = testFolder()
    writeFileSync(
      join(cwd, 'base.json'),
      '{ "dependencies": [{ "choices": { "trailingSlash": "ignore" } }] }',
    )
    const script = `
      const { PETSTORE_API_URL: url, PETSTORE_KEY: key } = process.env
      fetch(url + '/pets/?limit=1', { headers: { authorization: 'Bearer ' + key } }).then((reply) => {
        // As if the first two runs had met.
        process.exitCode = reply.status === 404 && !/row-[12]\\//.test(url) ? 0 : 1
      })`
    const gaps =
      'reportedWindow=tightest,quotaWindow=calendar,errorCodes=snake_case,countedRequests=all,listOrder=id-ascending'
    const options = ['--baseline', 'base.json', '--gap', gaps]
    const { code, stdout } = await runCli(
      ['explore', ...options, '--', process.execPath, '-e', script],
      { cwd },
    )
    expect(stdout).toContain('Two runs at the same time disturbed each other')
    expect(stdout).toContain('known  the whole suite\n  It fails with trailingSlash=ignore;')
    expect(code).toBe(0)
  })

  it('says so where a part of the requests came to no sandbox of a run', async () => {
    const script = `
      const { PETSTORE_API_URL: url } = process.env
      fetch(url).then(() => fetch(new URL('/v1/pets', url)))`
    const gaps =
      'reportedWindow=tightest,quotaWindow=calendar,errorCodes=snake_case,unauthenticatedQuota=counted,unknownRouteWithoutKey=unauthorized'
    const { code, stdout } = await exploreScript(script, ['--gap', gaps])
    expect(stdout.replace(/\s+/g, ' ')).toMatch(
      /note explore \d+ requests went to \/v1 of the server, and not to the address in PETSTORE_API_URL/,
    )
    expect(code).toBe(0)
  })

  it('prints what is known when it is interrupted, and ends what runs', async () => {
    const script = `
      console.error(process.pid)
      fetch(process.env.PETSTORE_API_URL).then(() => {
        if (!/row-[12]$/.test(process.env.PETSTORE_SANDBOX_URL)) setInterval(() => {}, 1000)
      })`
    const child = spawn(process.execPath, [
      program,
      'explore',
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
      if (text.includes('2 runs done')) child.kill('SIGINT')
    })
    const [code] = await once(child, 'close')
    expect(code).toBe(130)
    expect(stdout).toMatch(/; 2 runs, interrupted\n/)
    expect(stdout).toContain('It was interrupted: there may be more dependencies.')
    expect(stdout).toMatch(/^Explore: no dependency found so far; /)
    expect(stdout).toContain('Not known yet whether a test depends on ')
    expect(stdout).not.toContain('unaffected')
  })
})
