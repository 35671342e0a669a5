import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createSandbox, type Sandbox } from '../../../src/sandbox/sandbox.ts'
import { testFolder } from '../../kit/cli-process.ts'
import { runMain } from '../../kit/run-main.ts'
import { requestOf } from '../../kit/send.ts'
import { testServer } from '../../kit/test-server.ts'

/** Sends the key in the URL, which is an error, and calls the deprecated operation, which is a warning. */
async function misbehave(sandbox: Sandbox): Promise<void> {
  await sandbox.handle(requestOf({ url: '/v1/pets/1?key=free-key' }))
}

async function served(): Promise<{ sandbox: Sandbox; url: string }> {
  const sandbox = createSandbox()
  const { url } = await testServer({ sandbox })
  await sandbox.findings()
  return { sandbox, url }
}

/** Makes a folder with a config file. */
function folderWith(config: unknown, name = 'petstore-sandbox.config.json'): string {
  const folder = testFolder()
  writeFileSync(join(folder, name), JSON.stringify(config))
  return folder
}

describe('petstore-sandbox findings', () => {
  it('reports what was found, resets included, and ends with 4', async () => {
    const { sandbox, url } = await served()
    await misbehave(sandbox)
    sandbox.reset()
    const { code, stdout, stderr } = await runMain(['findings', '--url', url])
    expect(code).toBe(4)
    expect(stdout).toMatch(
      /^Findings: 1 error, 1 warning, 1 info\n\nerror {2}key-in-url\n {2}Sent the API key free… in the URL\. \(client 1, request 1 before a reset\)\n/,
    )
    const found = 'Cannot accept what the client did: key-in-url (error)'
    expect(stderr).toBe(`petstore-sandbox: ${found}\n`)
  })

  it('ends with 0 where nothing was found', async () => {
    const { sandbox, url } = await served()
    await sandbox.handle(requestOf({ url: '/v1/pets?limit=100' }))
    const { code, stdout, stderr } = await runMain(['findings', '--url', url, '--fail-on=info'])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toMatch(/^Findings: nothing found\n/)
  })

  it('ends with 5 where there was no request, says so in each format, and goes on counting over resets', async () => {
    const { sandbox, url } = await served()
    const asked = ['findings', '--url', url]
    const { code, stdout, stderr } = await runMain(asked)
    expect({ code, stderr }).toEqual({
      code: 5,
      stderr: 'petstore-sandbox: Cannot report findings: there is no request\n',
    })
    expect(stdout).toMatch(/^Findings: no request\n\nnone {2}requests\n {2}There is no request yet/)
    expect(stdout.replace(/\s+/g, ' ')).toContain(`Does the client use ${url}/v1?`)
    const textIn = async (format: string): Promise<string> =>
      (await runMain([...asked, '--report', format])).stdout
    expect(JSON.parse(await textIn('json'))).toEqual({ findings: [], checked: 0 })
    for (const format of ['junit', 'github', 'markdown']) {
      expect(await textIn(format)).toContain('There is no request yet')
    }
    await sandbox.handle(requestOf({ url: '/v1/pets?limit=100' }))
    sandbox.reset()
    expect((await runMain(asked)).stdout).toMatch(/^Findings: nothing found\n/)
  })

  it.each([
    { failOn: 'error', code: 0 },
    { failOn: 'warning', code: 4 },
    { failOn: 'info', code: 4 },
  ])('ends with $code for a warning and --fail-on $failOn', async ({ failOn, code }) => {
    const { sandbox, url } = await served()
    await sandbox.handle(requestOf({ url: '/v1/pets/1' }))
    const result = await runMain(['findings', '--url', url, '--fail-on', failOn])
    expect(result.code).toBe(code)
  })

  it('prints the same JSON as the control API', async () => {
    const { sandbox, url } = await served()
    await misbehave(sandbox)
    const { stdout } = await runMain(['findings', '--url', url, '--report', 'json'])
    const reply = await fetch(`${url}/_sandbox/findings`)
    expect(JSON.parse(stdout)).toEqual(await reply.json())
    expect(JSON.parse(stdout).findings[0]).toEqual({
      rule: 'key-in-url',
      severity: 'error',
      message: 'Sent the API key free… in the URL.',
      advice: expect.stringContaining('Authorization: Bearer'),
      source: expect.stringContaining('spec 5.2'),
      client: 1,
      requests: [1],
    })
  })

  it('writes several reports at once, and a summary of the job', async () => {
    const { sandbox, url } = await served()
    await misbehave(sandbox)
    const cwd = testFolder()
    const reports = ['github', 'junit=a.xml', 'markdown=a.md', 'json=a.json']
    const words = reports.flatMap((one) => ['--report', one])
    const env = { GITHUB_STEP_SUMMARY: join(cwd, 'summary.md') }
    const { code, stdout } = await runMain(['findings', '--url', url, ...words], { cwd, env })
    expect(code).toBe(4)
    expect(stdout).toMatch(/^::error title=key-in-url::Sent the API key free… in the URL\./)
    const text = (name: string): string => readFileSync(join(cwd, name), 'utf8')
    expect(text('a.xml')).toMatch(/<testsuites name="Findings" tests="24" failures="1" /)
    expect(text('summary.md')).toBe(text('a.md'))
    expect(JSON.parse(text('a.json')).findings).toHaveLength(3)
  })

  it('lets nothing that a client sends into the reports as it is', async () => {
    const { sandbox, url } = await served()
    const hostile = '/v1/\u001b[31m\r\n::error::x<script>|`*]]>%0A\u009b\uffff\ud800'
    for (let sent = 0; sent < 4; sent++) await sandbox.handle(requestOf({ url: hostile }))
    const cwd = testFolder()
    const formats = ['pretty', 'github', 'junit', 'markdown', 'json']
    const words = formats.flatMap((one) => ['--report', `${one}=${one}`])
    await runMain(['findings', '--url', url, ...words], { cwd })
    const texts = formats.map((name) => readFileSync(join(cwd, name), 'utf8'))
    for (const text of texts) {
      expect(text).toContain('error::x')
      expect(text.replaceAll('\n', '')).not.toMatch(/\p{Cc}/u)
      expect(text).not.toMatch(/^::error::x/m)
    }
    const [, , junit = '', markdown = ''] = texts
    for (const text of [junit, markdown]) expect(text).not.toMatch(/<script>|\uffff/)
    expect(markdown).not.toMatch(/(?<!\\)`/)
  })

  it('leaves out what the config file excepts, with the reason', async () => {
    const { sandbox, url } = await served()
    await misbehave(sandbox)
    const exceptions = [
      { rule: 'key-in-url', reason: 'The old scanner, until it is replaced' },
      { rule: 'too-many-parallel-requests', reason: 'Only one client' },
      { rule: 'deprecated-operation', reason: 'No time', until: '2020-01-01' },
    ]
    const cwd = folderWith({ port: 0, audit: { exceptions } })
    const { code, stdout, stderr } = await runMain(['findings', '--url', url], { cwd })
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toMatch(/^Findings: 1 warning, 1 info\n\nwarning {2}deprecated-operation\n/)
    expect(stdout).toContain('excepted  key-in-url\n  The old scanner, until it is replaced\n')
    expect(stdout).toContain('not needed any more  too-many-parallel-requests\n')
    expect(stdout).toContain('ended  deprecated-operation\n  It ended at 2020-01-01T00:00:00Z')
  })

  it.each([{ by: '--config' }, { by: 'PETSTORE_SANDBOX_CONFIG' }])(
    'reads the config file that $by names',
    async ({ by }) => {
      const { sandbox, url } = await served()
      await misbehave(sandbox)
      const exceptions = [{ rule: 'key-in-url', reason: 'The old scanner' }]
      const cwd = folderWith({ audit: { exceptions } }, 'mine.json')
      const words = by.startsWith('--') ? [by, 'mine.json'] : []
      const env = by.startsWith('--') ? {} : { [by]: 'mine.json' }
      const { code } = await runMain(['findings', '--url', url, ...words], { cwd, env })
      expect(code).toBe(0)
    },
  )
})
