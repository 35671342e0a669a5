import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type CliOptions, type CliResult, runCli, testFolder } from '../../../kit/cli-process.ts'
import { runMain } from '../../../kit/run-main.ts'

/** What a script of a test may call. */
const calls = `
  const { PETSTORE_API_URL: api, PETSTORE_CONTROL_URL: control, PETSTORE_KEY: key } = process.env
  const send = (url, options) => fetch(url, options).then((reply) => reply.text())
  const ask = (path, base = api) => send(base + path, { headers: { authorization: 'Bearer ' + key } })
  const order = (method, path, body) => send(control + path, {
    method, headers: { 'content-type': 'application/json' }, body: body && JSON.stringify(body),
  })`

/** The words that check a script. */
function checkOf(options: readonly string[], script: string): string[] {
  const run = `${calls}\n;(async () => { ${script} })()`
  return ['check', ...options, '--', process.execPath, '-e', run]
}

/** Checks a script. */
function checkScript(
  options: readonly string[],
  script: string,
  more?: Pick<CliOptions, 'cwd' | 'env'>,
): Promise<CliResult> {
  return runMain(checkOf(options, script), more)
}

/** Checks what lists pets, as a shell does. */
function checkList(options: readonly string[]): Promise<CliResult> {
  const ask =
    'curl -sA test -o /dev/null "$PETSTORE_API_URL/pets" -H "Authorization: Bearer $PETSTORE_KEY"'
  return runMain(['check', ...options, '--', 'sh', '-c', ask])
}

/** Names the rules in a report in JSON, with how often each was found. */
function rulesIn(text: string): Readonly<Record<string, number>> {
  const found: readonly { rule: string }[] = JSON.parse(text).findings
  const names = found.map(({ rule }) => rule)
  return Object.fromEntries(names.map((name) => [name, names.filter((one) => one === name).length]))
}

const misbehave = "await ask('/pets?key=' + key)"

describe('check of one run', () => {
  it('reports after what the command prints, and ends with 4', async () => {
    const { code, stdout, stderr } = await runCli(
      checkOf([], `console.log('tests passed'); ${misbehave}`),
    )
    expect(code).toBe(4)
    expect(stdout).toMatch(
      /^Check: 1 to fix, 0 to review \(1 run in \d+s, 1 request\)\n\nto fix: 1\n {2}1\. key-in-url\n/,
    )
    expect(stderr).toBe(
      'tests passed\npetstore-sandbox: Cannot accept the client: fix key-in-url\n',
    )
    // Lines of code stay in one piece.
    const texts = stdout.split('\n').filter((line) => !line.includes(process.execPath))
    const isOfScript = (line: string): boolean => /^ *(?:const|method\b|\}|;)/.test(line)
    for (const line of texts.filter((one) => !isOfScript(one)))
      expect(line.length).toBeLessThanOrEqual(80)
  })

  it('names the situations that were never exercised, and how to bring them about', async () => {
    const { stdout } = await checkList(['--all'])
    const [, missing = ''] = stdout.split('never exercised: ')
    expect(missing).toMatch(/^\d+ of \d+ documented situations\n/)
    expect(missing.match(/ todo /g)?.length).toBeGreaterThan(9)
    expect(missing).toContain(
      "todo status 429 from listPets\n     sandbox.keys.setRemaining('free-key', { minute: 0 })\n     await client().listPets()\n",
    )
  })

  it.each([
    { least: '90', code: 4, says: /fix|\d+ of 32 situations \(\d+ %\), less than 90 %\n$/ },
    { least: '1', code: 0, says: /^$/ },
  ])('ends with $code for --min-coverage $least', async ({ least, code, says }) => {
    const result = await checkList(['--min-coverage', least])
    expect(result.code).toBe(code)
    expect(result.stderr).toMatch(says)
  })

  it('finds the same where a test uses the server and where it creates a sandbox, and both together', async () => {
    const index = new URL('../../../../dist/index.js', import.meta.url)
    const inProcess = `
      const { createSandbox } = await import('${index}')
      const sandbox = createSandbox()
      sandbox.tests.start('reads a pet')
      const headers = { authorization: 'Bearer free-key' }
      await sandbox.handle({ method: 'GET', url: '/v1/pets?key=free-key', headers, body: '' })
      await Promise.all([sandbox.coverage(), sandbox.findings()])
      process.kill(process.pid, process.env.KILLED ? 'SIGKILL' : 0)`
    const foundBy = async (script: string) => {
      const { code, stdout } = await checkScript(['--json'], script)
      const { requests, findings, categories } = JSON.parse(stdout)
      const rules = findings.map(({ rule }: { rule: string }) => rule)
      return { code, requests, rules: rules.sort(), covered: categories.outcomes.covered }
    }
    const one = {
      code: 4,
      requests: 1,
      rules: ['key-in-url', 'list-truncated', 'relies-on-gap'],
      covered: 1,
    }
    expect(await foundBy(misbehave)).toEqual(one)
    expect(await foundBy(inProcess)).toEqual(one)
    expect(await foundBy(`${misbehave}; ${inProcess}`)).toEqual({
      ...{ ...one, requests: 2 },
      rules: [...one.rules, ...one.rules].sort(),
    })
    const killed = await checkScript(['--json'], inProcess, { env: { KILLED: '1' } })
    expect(killed.code).toBe(137)
    expect(JSON.parse(killed.stdout)).toMatchObject({
      passed: false,
      command: { passed: false, code: 137 },
      findings: expect.arrayContaining([
        expect.objectContaining({ rule: 'key-in-url', test: 'reads a pet' }),
      ]),
    })
  })

  it('ends with the exit code of a command that fails, and reports all the same', async () => {
    const { code, stdout } = await checkScript(
      ['--full', '--report', 'pretty,json=/dev/null'],
      `${misbehave}; process.exitCode = 7`,
    )
    expect(code).toBe(7)
    expect(stdout).toMatch(
      /^Check: the command failed: exit code 7; 1 to fix, 0 to review \(3 runs in /,
    )
    expect(stdout).toContain('\ncommand: it failed; fix that first\n')
  })

  it('ends with 5 where no request came, unless the command fails itself', async () => {
    const reports = ['pretty', 'json', 'junit', 'github', 'markdown']
    const options = ['--sandbox=bob', ...reports.flatMap((one) => ['--report', one])]
    const { code, stdout, stderr } = await checkScript(options, "await order('POST', '/reset')")
    expect(code).toBe(5)
    const why = 'Cannot check the client: no request reached a sandbox; '
    expect(stderr).toContain(`petstore-sandbox: ${why}`)
    expect(stdout).toContain(`::error title=command::${why}`)
    expect(stdout).toContain('"passed":false')
    expect(stdout.split(why).length).toBeGreaterThanOrEqual(5)
    const failed = await checkScript([], 'process.exitCode = 7')
    expect(failed).toMatchObject({ code: 7, stderr: '' })
  })

  it('judges what resets, deletions and a request log that keeps nothing forget', async () => {
    const { stdout } = await checkScript(
      ['--report=json', '--max-requests=0', '--sandbox=bob', '--auto-create'],
      `${misbehave}
      await order('POST', '/reset')
      await ask('/pets/1')
      await order('POST', '/reset', { only: ['requests'] })
      const { baseUrl } = JSON.parse(await order('POST', '/sandboxes', { name: 'alice' }))
      await ask('/pets?key=' + key, baseUrl)
      await order('DELETE', '/sandboxes/alice')
      for (const name of ['bob', 'carol'])
        await ask('/pets?key=' + key, baseUrl.replace('alice', name))`,
    )
    expect(rulesIn(stdout)).toMatchObject({ 'key-in-url': 4, 'deprecated-operation': 1 })
  })

  it.each([0, 2])(
    'judges a client that ignores Retry-After the same after $0 other requests over its pool',
    async (others) => {
      const { code, stdout } = await checkScript(
        // A minute that ends meanwhile would serve it.
        ['--report', 'json', '--frozen', '--gap', 'banAfter=never'],
        `const get = async (key) => {
          const reply = await fetch(api + '/pets?limit=1', { headers: { authorization: 'Bearer ' + key } })
          await reply.text()
          return reply.status
        }
        for (let sent = 0; sent < ${others}; sent++) await get('pro-key')
        while (await get(key) !== 429);
        // Until the sandbox was never so late, meanwhile, that the client might not have known.
        const isKnown = ({ rule, severity }) => rule === 'retry-too-early' && severity === 'error'
        for (let ms = 500; !JSON.parse(await order('GET', '/findings')).findings.some(isKnown); ms *= 1.5) {
          await new Promise((resolve) => setTimeout(resolve, ms))
          await get(key)
        }`,
      )
      expect(code).toBe(4)
      const early: unknown = expect.objectContaining({ rule: 'retry-too-early', severity: 'error' })
      expect(JSON.parse(stdout).findings).toContainEqual(early)
    },
  )

  it.each([
    {
      what: 'test results that the command did not write',
      options: ['--junit', 'tests.xml'],
      script: misbehave,
      says: 'Cannot read test results: the command wrote no test results to tests.xml; have it write JUnit XML there',
    },
    {
      what: 'a line of a sandbox that is no JSON',
      options: [],
      script: `const { mkdirSync, writeFileSync } = require('node:fs')
        const folder = process.env.PETSTORE_CHECK_DIR
        mkdirSync(folder, { recursive: true })
        writeFileSync(folder + '/a.jsonl', 'garbage\\n')`,
      says: 'a.jsonl: Unexpected token',
    },
  ])('explains in one line what it cannot read: $what', async ({ options, script, says }) => {
    const { stderr } = await checkScript(options, script, { cwd: testFolder() })
    expect(stderr).toContain(says)
    expect(stderr.trim().split('\n')).toHaveLength(1)
  })

  it('names the signal that ended the command', async () => {
    const { code, stdout } = await checkScript([], "process.kill(process.pid, 'SIGKILL')")
    expect(code).toBe(137)
    expect(stdout).toMatch(/^Check: the command failed: ended by SIGKILL /)
  })

  it('calls nothing an error of what one of three processes was told that share a key', async () => {
    const worker = `const get = async () => {
        const reply = await fetch(process.env.PETSTORE_API_URL + '/pets?limit=1', {
          headers: { authorization: 'Bearer ' + process.env.PETSTORE_KEY },
        })
        await reply.text()
        return reply.status
      }
      // Whose body comes late, so that those of all processes are under way at once.
      const add = () => new Promise((resolve) => {
        const headers = {
          authorization: 'Bearer ' + process.env.PETSTORE_KEY,
          'content-type': 'application/json',
        }
        const url = process.env.PETSTORE_API_URL + '/pets'
        const request = require('node:http').request(url, { method: 'POST', headers }, (response) => {
          response.resume().once('end', resolve)
        })
        request.write('{"name":"Rex",')
        setTimeout(() => request.end('"categoryId":1}'), 500)
      })
      process.stdin.once('data', async () => {
        await add()
        while (await get() !== 429);
        process.exit()
      })
      process.stdout.write('ready')`
    const { code, stdout } = await checkScript(
      ['--report', 'json', '--frozen'],
      `const { spawn } = require('node:child_process')
      const start = () => new Promise((resolve) => {
        const child = spawn(process.execPath, ['-e', ${JSON.stringify(worker)}])
        child.stdout.once('data', () => resolve(child))
      })
      const end = (child) => new Promise((resolve) => {
        child.on('exit', resolve)
        child.stdin.write('go')
      })
      const three = await Promise.all([start(), start(), start()])
      await Promise.all(three.map(end))
      await new Promise((resolve) => setTimeout(resolve, 500))
      await end(await start())`,
    )
    expect(code).toBe(0)
    const found: readonly { severity: string }[] = JSON.parse(stdout).findings
    expect(new Set(found.map(({ severity }) => severity))).toEqual(new Set(['info']))
  })

  it('writes several reports, and heeds the config file', async () => {
    const cwd = testFolder()
    const audit = { exceptions: [{ rule: 'key-in-url', reason: 'The old scanner' }] }
    writeFileSync(join(cwd, 'petstore-sandbox.config.json'), JSON.stringify({ audit }))
    const reports = ['--report', 'pretty,junit=audit.xml', '--report', 'json=audit.json']
    const { code, stdout } = await checkScript([...reports], misbehave, { cwd })
    expect(code).toBe(0)
    expect(stdout).toContain(
      'exceptions: 1 in use, 0 to remove\n  in use  key-in-url  1 finding: The old scanner',
    )
    expect(readFileSync(join(cwd, 'audit.xml'), 'utf8')).toContain('failures="0"')
    expect(rulesIn(readFileSync(join(cwd, 'audit.json'), 'utf8'))).not.toHaveProperty('key-in-url')
  })
})
