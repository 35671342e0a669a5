import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { commandsIn, Shell, writeTests } from '../../kit/shell.ts'
import { type TestServerOptions, testServer } from '../../kit/test-server.ts'

const token = 'secret'

const capture = new URL('../../../fixtures/captures/version-1.petstore.json', import.meta.url)

const headers = { authorization: 'Bearer free-key' }

/** Commands in a file, and what they have to print. */
interface Printing {
  readonly file: string
  readonly prints: RegExp
  /** How many requests came before. */
  readonly requests?: number
  /** The exit code; 0 by default. */
  readonly code?: number
  /** Options of the server that they are for. */
  readonly options?: TestServerOptions
}

/** Commands for a running sandbox. */
const remote: readonly Printing[] = [
  { file: 'first-request.sh', prints: /^HTTP\/1\.1 200 OK.*X-RateLimit-Remaining: 59\r\n/s },
  { file: 'qa.sh', prints: /banned (?:10m|9m\d+s).*Clock +2030-12-05/s },
  { file: 'agents-why.sh', prints: /API +http/ },
  {
    file: 'while-it-runs.sh',
    prints: /; 0 of 60 .*my-key.*sold.*status=503.*\n\nGET \/v1\/pets\n/s,
    requests: 1,
  },
  { file: 'first-429.sh', prints: /free-key/ },
  { file: 'har.sh', prints: /^$/ },
  { file: 'snapshot.sh', prints: /bug\.json/ },
  {
    file: 'capture.sh',
    prints: /^Saved \d+ steps to failed.*All 63 responses match the capture\n$/s,
    requests: 63,
  },
  { file: 'replay-vitest.sh', prints: /^Saved 3 steps to failed\.petstore\.json\n$/, requests: 3 },
  { file: 'findings.sh', prints: /nothing found.*nothing found/s, requests: 1 },
  { file: 'gaps.sh', prints: /banAfter/ },
  { file: 'faults.sh', prints: /status=503.*ms=1s-3s.*Applied/s },
  { file: 'scenarios.sh', prints: /flaky .*banned (?:5m|4m\d+s)/s },
  { file: 'completion.sh', prints: /^$/ },
  { file: 'named.sh', prints: /sandboxes\/carol\/v1.*429 Too Many Requests/s },
  { file: 'control.sh', prints: /"speed".*"remaining":1.*"http-date"/s },
  { file: 'token.sh', prints: /"now"/, options: { controlToken: token } },
]

/** Commands that serve until they are told to stop. */
const serving: readonly Printing[] = [
  { file: 'start.sh', prints: /API +http/ },
  { file: 'start-options.sh', prints: /Clock +2030-12-04T23:59:\d\d.*banAfter=3/s },
  { file: 'start-named.sh', prints: /Named +alice, bob/ },
  { file: 'start-state.sh', prints: /API +http/ },
  { file: 'start-seed.sh', prints: /Pets +1\n/ },
  { file: 'start-static.sh', prints: /API +http/ },
  { file: 'start-tls.sh', prints: /API +https/ },
  { file: 'open.sh', prints: /failed\.petstore\.json is shown at http/ },
  { file: 'replay-serve.sh', prints: /free-key.* banned.*As it was after 12 requests/s },
]

/** Commands that run others beside a sandbox. */
const around = [
  'exec.sh',
  'agents-exec.sh',
  'agents-replay.sh',
  'capture-exec.sh',
  'exec-gaps.sh',
  'check.sh',
]

/** Commands that run a suite several times. */
const full = ['check-full.sh', 'check-known.sh']

describe('the commands in the documents', () => {
  it.each(remote)('do what they say, as printed: $file', async (row) => {
    const { file, prints, options, requests = 0, code: expected = 0 } = row
    const { url } = await testServer(options)
    for (let sent = 0; sent < requests; sent++) await fetch(`${url}/v1/pets`, { headers })
    const shell = new Shell(url, { PETSTORE_SANDBOX_CONTROL_TOKEN: token })
    // The one that is about a global install.
    if (file === 'completion.sh') shell.installGlobally()
    const { code, stdout } = await shell.run(commandsIn(file))
    expect(stdout).toMatch(prints)
    expect(code).toBe(expected)
  })

  it.each(serving)('serve, as printed: $file', async ({ file, prints }) => {
    const shell = new Shell(undefined, { PETSTORE_SANDBOX_PORT: '0' })
    const pets = [{ id: 1, name: 'Rex', categoryId: 1 }]
    writeFileSync(join(shell.folder, 'my-pets.json'), JSON.stringify({ pets }))
    cpSync(capture, join(shell.folder, 'failed.petstore.json'))
    cpSync(new URL('../../kit/tls', import.meta.url), shell.folder, { recursive: true })
    mkdirSync(join(shell.folder, 'dist'))
    writeFileSync(join(shell.folder, 'dist/index.html'), '<!doctype html>')
    const child = shell.start(`exec ${commandsIn(file)}`)
    let output = ''
    await new Promise<void>((resolve) => {
      child.once('close', () => resolve())
      for (const stream of [child.stdout, child.stderr]) {
        stream.setEncoding('utf8').on('data', (text: string) => {
          output += text
          // Once: one that comes while the process is ending would end it by itself.
          if (!child.killed && /Try\n|to end\.\n/.test(output)) child.kill('SIGTERM')
        })
      }
    })
    expect(output).toMatch(prints)
    expect(child.exitCode).toBe(0)
  })

  it.each(around)('run a command beside a sandbox, as printed: %s', async (file) => {
    const shell = new Shell()
    writeTests(shell)
    expect(await shell.run(commandsIn(file))).toMatchObject({ code: 0 })
    const runs = commandsIn(file).match(/ (?:exec|check) /g)?.length ?? 0
    const tested = readFileSync(join(shell.folder, 'tested'), 'utf8')
    expect(tested).toMatch(new RegExp(`^(?:http://127\\.0\\.0\\.1:\\d+/v1 free-key\\n){${runs}}$`))
  })

  it('run a script beside a sandbox, as printed: agents-limits.sh', async () => {
    const { code, stdout, stderr } = await new Shell().run(commandsIn('agents-limits.sh'))
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toMatch(/0 of 60.*rate_limit_exceeded.*60 of 60/s)
  })

  it('start and stop a server, as printed: agents-server.sh', async () => {
    const shell = new Shell()
    const { code, stdout, stderr } = await shell.run(`${commandsIn('agents-server.sh')}wait`)
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toMatch(/API +http/)
    expect(existsSync(join(shell.folder, 'port.txt'))).toBe(false)
  })

  it('check the client of a suite, as printed', async () => {
    const shell = new Shell()
    const ask =
      'curl -s -m 3 -A test -H "Authorization: Bearer $PETSTORE_KEY" "$PETSTORE_API_URL/pets"'
    shell.install('npm', `${ask} -o /dev/null || true`)
    const { code, stderr } = await shell.run(full.map(commandsIn).join('\n'))
    expect({ code, stderr }).toMatchObject({
      code: 0,
      stderr: expect.stringMatching(/conditions? done in/),
    })
  })

  it.each([...commandsIn('check-assumptions.sh').trimEnd().split('\n')])(
    'search a suite for hidden assumptions: %s',
    async (line) => {
      const shell = new Shell()
      shell.install('npm', 'exit 0')
      const { code, stderr } = await shell.run(line)
      expect(stderr).toMatch(/Cannot compare runs: the command sent no request to the sandbox/)
      expect(code).toBe(5)
    },
  )

  it('tell tests apart with the JUnit XML of Vitest behind npm test: check-assumptions.sh', async () => {
    const shell = new Shell()
    const xml = '<testsuites><testsuite name="a"><testcase name="lists"/></testsuite></testsuites>'
    const list = `curl -sA test -o /dev/null "$PETSTORE_API_URL/pets" -H "Authorization: Bearer $PETSTORE_KEY"`
    // Vitest writes the file only with its reporter for JUnit.
    shell.install(
      'npm',
      `${list}\n[ "$3" = --reporter=junit ] && mkdir -p out && echo '${xml}' > "\${4#--outputFile=}"`,
    )
    const { code, stdout } = await shell.run(
      commandsIn('check-assumptions.sh').trimEnd().split('\n')[1] ?? '',
    )
    expect({ code, stdout }).toMatchObject({ code: 0, stdout: expect.stringMatching(/1 test,/) })
  })

  it('report what tests have left in a folder: check-from.sh', async () => {
    const shell = new Shell()
    const index = new URL('../../../dist/index.js', import.meta.url)
    const script = `
      import { createSandbox } from '${index}'
      for (const url of ['/v1/pets', '/v1/pets/1'])
        for (const authorization of ['Bearer free-key', '', 'Bearer banned-key'])
          await createSandbox().handle({ method: 'GET', url, headers: { authorization }, body: '' })
      await createSandbox().handle({ method: 'POST', url: '/v1/pets', headers: {}, body: '' })`
    writeFileSync(join(shell.folder, 'test.mjs'), script)
    shell.install('npm', 'exec node test.mjs')
    const { code, stdout, stderr } = await shell.run(commandsIn('check-from.sh'))
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toMatch(/^never exercised: \d+ of 32 documented situations/m)
    expect(readFileSync(join(shell.folder, 'check.xml'), 'utf8')).toContain('<testsuites')
  })

  it('follow the requests of a running sandbox: follow.sh', async () => {
    const { url } = await testServer()
    const shell = new Shell(url)
    const child = shell.start(`exec ${commandsIn('follow.sh')}`)
    const line = new Promise<string>((resolve) => child.stdout.once('data', resolve))
    const { code } = await shell.run(commandsIn('first-request.sh'))
    expect(String(await line)).toContain('/v1/pets?limit=3')
    child.kill('SIGINT')
    expect(code).toBe(0)
  })
})
