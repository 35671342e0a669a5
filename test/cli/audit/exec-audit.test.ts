import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type CliOptions, type CliResult, runCli, testFolder } from '../../kit/cli-process.ts'

/** What a script of a test may call. */
const calls = `
  const { PETSTORE_API_URL: api, PETSTORE_CONTROL_URL: control, PETSTORE_KEY: key } = process.env
  const send = (url, options) => fetch(url, options).then((reply) => reply.text())
  const ask = (path, base = api) => send(base + path, { headers: { authorization: 'Bearer ' + key } })
  const order = (method, path, body) => send(control + path, {
    method, headers: { 'content-type': 'application/json' }, body: body && JSON.stringify(body),
  })`

/** Runs a script under exec. */
function execScript(
  options: readonly string[],
  script: string,
  more?: CliOptions,
): Promise<CliResult> {
  const run = `${calls}\n;(async () => { ${script} })()`
  return runCli(['exec', ...options, '--', process.execPath, '-e', run], more)
}

/** Names the rules in a report in JSON, with how often each was found. */
function rulesIn(text: string): Readonly<Record<string, number>> {
  const found: readonly { rule: string }[] = JSON.parse(text).findings
  const names = found.map(({ rule }) => rule)
  return Object.fromEntries(names.map((name) => [name, names.filter((one) => one === name).length]))
}

const misbehave = "await ask('/pets?key=' + key)"

describe('exec --audit', () => {
  it('reports after what the command prints, and ends with 4', async () => {
    const { code, stdout, stderr } = await execScript(
      ['--audit'],
      `console.log('tests passed'); ${misbehave}`,
    )
    expect(code).toBe(4)
    expect(stdout).toMatch(/^tests passed\nAudit: 1 error.*\n\nerror {2}key-in-url\n/)
    expect(stderr).toBe('petstore-sandbox: Cannot accept what the client did: key-in-url (error)\n')
  })

  it('ends with the exit code of a command that fails, and reports all the same', async () => {
    const { code, stdout, stderr } = await execScript(
      ['--audit'],
      `${misbehave}; process.exitCode = 7`,
    )
    expect(code).toBe(7)
    expect(stdout).toContain('error  key-in-url')
    expect(stderr).toContain('Cannot accept what the client did: key-in-url (error)')
  })

  it('ends with 5 where no request came, unless the command fails itself', async () => {
    const reports = ['pretty', 'json', 'junit', 'github', 'markdown']
    const options = ['--audit', '--sandbox=bob', ...reports.flatMap((one) => ['--report', one])]
    const { code, stdout, stderr } = await execScript(options, "await order('POST', '/reset')")
    expect(code).toBe(5)
    const why =
      'Cannot judge the command: no request reached the sandbox; have it use $PETSTORE_API_URL'
    expect(stderr).toBe(`petstore-sandbox: ${why}\n`)
    const said = 'No request reached the sandbox. Does the command use $PETSTORE_API_URL?'
    expect(stdout).toMatch(/^Audit: nothing judged\n/)
    expect(stdout).toContain('\n{"findings":[],"judged":0}\n')
    expect(stdout).toContain(`::error title=requests::${said}\n`)
    expect(stdout).toContain('failures="1"')
    expect(stdout.replaceAll('&#36;', '$').split(said).length).toBeGreaterThanOrEqual(5)
    const failed = await execScript(['--audit'], 'process.exitCode = 7')
    expect(failed).toMatchObject({ code: 7, stderr: `petstore-sandbox: ${why}\n` })
  })

  it('judges what resets, deletions and a journal that keeps nothing forget', async () => {
    const { stdout } = await execScript(
      ['--audit', '--report=json', '--journal-size=0', '--sandbox=bob', '--auto-create'],
      `${misbehave}
      await order('POST', '/reset')
      await ask('/pets/1')
      await order('POST', '/reset', { only: ['journal'] })
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
      const { code, stdout } = await execScript(
        // A minute that ends meanwhile would serve it.
        ['--audit', '--report', 'json', '--frozen'],
        `const get = async (key) => {
          const reply = await fetch(api + '/pets?limit=1', { headers: { authorization: 'Bearer ' + key } })
          await reply.text()
          return reply.status
        }
        for (let sent = 0; sent < ${others}; sent++) await get('pro-key')
        while (await get(key) !== 429);
        // Longer than an answer may take on a busy machine: until then, a client need not know.
        await new Promise((resolve) => setTimeout(resolve, 2_000))
        await get(key)`,
      )
      expect(code).toBe(4)
      const early: unknown = expect.objectContaining({ rule: 'retry-too-early', severity: 'error' })
      expect(JSON.parse(stdout).findings).toContainEqual(early)
    },
  )

  it('calls nothing an error of what one of three processes was told that share a key', async () => {
    const worker = `const get = async () => {
        const reply = await fetch(process.env.PETSTORE_API_URL + '/pets?limit=1', {
          headers: { authorization: 'Bearer ' + process.env.PETSTORE_KEY },
        })
        await reply.text()
        return reply.status
      }
      ;(async () => {
        while (await get() !== 429);
      })()`
    const { code, stdout } = await execScript(
      ['--audit', '--report', 'json', '--frozen'],
      `const { spawn } = require('node:child_process')
      const end = () => new Promise((resolve) => {
        spawn(process.execPath, ['-e', ${JSON.stringify(worker)}]).on('exit', resolve)
      })
      await Promise.all([end(), end(), end()])
      await new Promise((resolve) => setTimeout(resolve, 500))
      await end()`,
    )
    expect(code).toBe(0)
    const found: readonly { severity: string }[] = JSON.parse(stdout).findings
    expect(new Set(found.map(({ severity }) => severity))).toEqual(new Set(['info']))
  })

  it('judges a key that had several requests at once as one client with --one-client', async () => {
    const script = `
      await order('PATCH', '/gaps', { deprecationHeaders: 'none' })
      const headers = { authorization: 'Bearer ' + key, connection: 'close' }
      const add = () => send(api + '/pets', {
        method: 'POST', headers: { ...headers, 'content-type': 'application/json' },
        body: JSON.stringify({ name: 'x'.repeat(500_000), categoryId: 1 }),
      })
      await Promise.all([add(), add(), add()])
      for (const path of ['', '/1', '/2', '/3', '/4', '/5']) await send(api + '/pets' + path, { headers })`
    const options = ['--audit', '--fail-on', 'warning', '--frozen']
    expect((await execScript(options, script)).code).toBe(0)
    const { code, stderr } = await execScript([...options, '--one-client'], script)
    expect(code).toBe(4)
    expect(stderr).toContain('n-plus-one (warning)')
  })

  it('writes several reports, and heeds the config file', async () => {
    const cwd = testFolder()
    const audit = { exceptions: [{ rule: 'key-in-url', reason: 'The old scanner' }] }
    writeFileSync(join(cwd, 'petstore-sandbox.config.json'), JSON.stringify({ audit }))
    const reports = ['--report', 'pretty,junit=audit.xml', '--report', 'json=audit.json']
    const { code, stdout } = await execScript(['--audit', ...reports], misbehave, { cwd })
    expect(code).toBe(0)
    expect(stdout).toContain('excepted  key-in-url\n  The old scanner')
    expect(readFileSync(join(cwd, 'audit.xml'), 'utf8')).toContain('failures="0"')
    expect(rulesIn(readFileSync(join(cwd, 'audit.json'), 'utf8'))).not.toHaveProperty('key-in-url')
  })
})
