import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { isRunning } from '../../../../src/cli/processes.ts'
import { parentGone } from '../../../../src/cli/serve/serve.ts'
import {
  Cli,
  type CliOptions,
  type CliResult,
  nodePrograms,
  portIn,
  program,
  runCli,
  serveCli,
  testFolder,
} from '../../../kit/cli-process.ts'
import { lastingPort } from '../../../kit/lasting-port.ts'
import { connectRaw, type RawClient } from '../../../kit/raw-client.ts'
import { postHead } from '../../../kit/raw-request.ts'
import { runMain } from '../../../kit/run-main.ts'
import { expectServing, testServer } from '../../../kit/test-server.ts'

const pet = '{"name":"Bella","categoryId":1}'

/** The path of a file made for tests of TLS. */
function pem(name: string): string {
  return fileURLToPath(new URL(`../../../kit/tls/${name}.pem`, import.meta.url))
}

/** Begins a request that runs until its body is sent. */
async function beginRequest(url: string): Promise<RawClient> {
  const client = await connectRaw(Number(new URL(url).port))
  await client.send(postHead(`Content-Length: ${pet.length}`, 'Expect: 100-continue'))
  expect(await client.reply()).toMatchObject({ status: 100 })
  return client
}

/** Resolves when a server takes no more connections. */
async function rejecting(url: string): Promise<void> {
  const isOpen = await connectRaw(Number(new URL(url).port)).then(
    (client) => {
      client.leave()
      return true
    },
    () => false,
  )
  if (isOpen) await rejecting(url)
}

describe('serve()', () => {
  it('writes the port alone to --port-file once it serves, and prints nothing with --log silent', async () => {
    const cwd = testFolder()
    const written = portIn(join(cwd, 'port.txt'))
    const cli = new Cli(['--port', '0', '--port-file', 'port.txt', '--log', 'silent'], { cwd })
    const port = await written
    expect(port).toMatch(/^\d+$/)
    await expectServing({ url: `http://127.0.0.1:${port}` })
    expect(await cli.stop()).toEqual({ code: 0, stdout: '', stderr: '' })
  })

  it.each([{ path: 'none' }, { path: 'file' }])(
    'ends when --static is no folder: $path',
    async ({ path }) => {
      const cwd = testFolder()
      writeFileSync(join(cwd, 'file'), 'text')
      const env = { PETSTORE_SANDBOX_STATIC: path }
      for (const how of [
        { args: ['--static', path], env: {} },
        { args: [], env },
      ]) {
        expect(await runMain(['--port', '0', ...how.args], { cwd, env: how.env })).toEqual({
          code: 2,
          stdout: '',
          stderr: `petstore-sandbox: Cannot serve ${path}: it is not a folder\n`,
        })
      }
    },
  )

  it('serves https with --tls-cert and --tls-key, and prints that address', {
    tags: ['everyday'],
  }, async () => {
    const { cli, url } = await serveCli(['--tls-cert', pem('cert'), '--tls-key', pem('key')])
    expect(url).toMatch(/^https:/)
    const env = { NODE_EXTRA_CA_CERTS: pem('cert') }
    const { code, stdout } = await runCli(['status', '--url', url], { env })
    expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining(`${url}/v1`) })
    await cli.stop()
  })

  it.each([
    {
      args: ['--tls-cert', 'none.pem', '--tls-key', pem('key')],
      code: 2,
      reason: 'Cannot read none.pem: it does not exist',
    },
    {
      args: ['--tls-cert', pem('cert'), '--tls-key', pem('other-key')],
      code: 2,
      reason: `Cannot use ${pem('other-key')}: it belongs to another certificate; use the key made with it`,
    },
  ])('ends in one line: $reason', async ({ args, code, reason }) => {
    expect(await runMain(['--port', '0', ...args])).toEqual({
      code,
      stdout: '',
      stderr: `petstore-sandbox: ${reason}\n`,
    })
  })

  it('says at the start that the certificate has expired, and serves', async () => {
    const tls = ['--tls-cert', pem('expired-cert'), '--tls-key', pem('key')]
    const { cli, url } = await serveCli(tls)
    expect(url).toMatch(/^https:/)
    expect(await cli.stop()).toMatchObject({
      code: 0,
      stderr: `petstore-sandbox: Clients may reject the certificate ${pem('expired-cert')}: it expired on 2026-11-26\n`,
    })
  })

  it.each(['schlüssel€', ' token', 'to\nken', '\u0007'])(
    'ends in one line for a control token that no header can carry: %j',
    async (token) => {
      const env = { PETSTORE_SANDBOX_CONTROL_TOKEN: token }
      for (const { name, args, given } of [
        { name: '--control-token', args: ['--control-token', token], given: {} },
        { name: 'PETSTORE_SANDBOX_CONTROL_TOKEN', args: [], given: env },
      ]) {
        const { code, stdout, stderr } = await runMain(['--port', '0', ...args], { env: given })
        expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
        expect(stderr).toMatch(/^petstore-sandbox: .*printable ASCII characters.*\n$/)
        expect(stderr).toContain(name)
      }
    },
  )

  it('saves the state and removes the port file when its terminal is closed', {
    tags: ['everyday'],
  }, async () => {
    const cwd = testFolder()
    const options = ['--state', 'state.json', '--port-file', 'port.txt']
    const { cli } = await serveCli(options, { cwd })
    await portIn(join(cwd, 'port.txt'))
    cli.process.kill('SIGHUP')
    expect(await cli.ended()).toMatchObject({ code: 0, stderr: '' })
    expect(readdirSync(cwd)).toEqual(['state.json'])
  })

  it('says in one line that the port is in use', async () => {
    const { port } = await testServer()
    expect(await runMain(['--port', String(port)])).toEqual({
      code: 1,
      stdout: '',
      stderr: `petstore-sandbox: Cannot listen on 127.0.0.1:${port}: the port is in use; stop what uses it, or use another with --port (0 for any)\n`,
    })
  })

  it.each(['192.0.2.1', 'nowhere.invalid'])(
    'says in one line that the machine does not have the address %s',
    async (host) => {
      expect(await runMain(['--port', '0', '--host', host])).toEqual({
        code: 1,
        stdout: '',
        stderr: `petstore-sandbox: Cannot listen on ${host}:0: this machine has no such address; set one with --host\n`,
      })
    },
  )

  it.each(['SIGINT', 'SIGTERM'] as const)(
    'lets a running request end, and takes a second %s for the first',
    { tags: ['everyday'] },
    async (signal) => {
      const { cli, url } = await serveCli()
      const client = await beginRequest(url)
      cli.process.kill(signal)
      await rejecting(url)
      cli.process.kill(signal)
      await client.send(pet)
      expect(await client.reply()).toMatchObject({ status: 201 })
      expect(await cli.ended()).toMatchObject({ code: 0, stderr: '' })
      expect(cli.stdout).toMatch(/ 201 {2}POST {2}\/v1\/pets {2}/)
    },
  )

  it('serves on when the reader of its log goes away', async () => {
    const { cli, url } = await serveCli()
    cli.process.stdout.destroy()
    for (let count = 0; count < 5; count++) await expectServing({ url })
    expect(await cli.stop()).toMatchObject({ code: 0, stderr: '' })
  })

  it('serves on when nobody reads its log, and ends all the same', async () => {
    const { cli, url } = await serveCli(['--log', 'json', '--rate-limits', 'report-only'])
    cli.process.stdout.pause()
    const headers = { Authorization: 'Bearer free-key' }
    const long = `${url}/v1/pets?limit=1&${'x'.repeat(300)}`
    for (let count = 0; count < 1_000; count++) {
      const reply = await fetch(long, { headers })
      expect(reply.status).toBe(200)
      await reply.arrayBuffer()
    }
    const ended = new Promise((resolve) => {
      cli.process.once('exit', resolve)
    })
    cli.process.kill('SIGTERM')
    expect(await ended).toBe(0)
    cli.process.stdout.resume()
  })

  it('stops gracefully when npm start is killed', {
    tags: ['everyday'],
  }, async () => {
    const cwd = testFolder()
    const words = [program, '--port', '0', '--port-file', 'port.txt', '--state', 'state.json']
    const npm = spawn(process.execPath, ['-e', asNpm, process.execPath, ...words], {
      cwd,
      env: { PATH: process.env.PATH, npm_lifecycle_event: 'start' },
    })
    npm.stdout.resume()
    npm.stderr.resume()
    const closed = once(npm, 'close')
    await portIn(join(cwd, 'port.txt'))
    npm.kill('SIGKILL')
    await closed
    expect(existsSync(join(cwd, 'state.json'))).toBe(true)
  })
})

describe('parentGone()', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  it.each([
    { event: 'start', isTold: true },
    { event: 'test', isTold: false },
  ])('tells a process of npm $event so: $isTold', async ({ event, isTold }) => {
    const told = vi.fn()
    const parent = vi.spyOn(process, 'ppid', 'get').mockReturnValue(1)
    onTestFinished(() => parent.mockRestore())
    void parentGone({ npm_lifecycle_event: event }).then(told)
    await vi.advanceTimersByTimeAsync(900)
    expect(told).not.toHaveBeenCalled()
    parent.mockReturnValue(0)
    await vi.advanceTimersByTimeAsync(10_000)
    expect(told).toHaveBeenCalledTimes(isTold ? 1 : 0)
  })
})

/** Runs a shell that becomes the words given, as npm does. */
const asNpm = `
const words = ['-c', 'exec "$0" "$@"', ...process.argv.slice(1)]
const shell = require('node:child_process').spawn('sh', words, { stdio: ['ignore', 'inherit', 'inherit'] })
shell.on('exit', () => {})
`

/** Runs a command of a shell beside a sandbox. */
function execShell(
  command: string,
  options: readonly string[] = [],
  how: Pick<CliOptions, 'cwd' | 'env'> = {},
): Promise<CliResult> {
  return runMain(['exec', ...options, '--', 'sh', '-c', command], how)
}

/** Gives the variables that a command is given. */
async function variablesOf(
  options: readonly string[] = [],
  { cwd = testFolder(), env = {} }: Pick<CliOptions, 'cwd' | 'env'> = {},
): Promise<Readonly<Record<string, string>>> {
  const result = await execShell('env -0 > variables', options, { cwd, env })
  expect(result).toEqual({ code: 0, stdout: '', stderr: '' })
  const lines = readFileSync(join(cwd, 'variables'), 'utf8')
    .split('\0')
    .filter((line) => line.startsWith('PETSTORE_'))
  return Object.fromEntries(lines.map((line) => line.split(/=(.*)/s)))
}

describe('execBeside()', () => {
  it.each(nodePrograms())(
    'runs a command that uses the sandbox, whose output it is (Node $version)',
    { tags: ['everyday'] },
    async ({ path }) => {
      const ask =
        'curl -s "$PETSTORE_API_URL/pets?limit=1" -H "Authorization: Bearer $PETSTORE_KEY"'
      const result = await runCli(['exec', '--', 'sh', '-c', ask], { node: path })
      expect(result).toMatchObject({ code: 0, stderr: '' })
      expect(JSON.parse(result.stdout)).toMatchObject([{ id: 1, name: 'Bella' }])
    },
  )

  it('tells the command where the sandbox is, and a key for each plan', async () => {
    const variables = await variablesOf()
    const [, origin] =
      /^(http:\/\/127\.0\.0\.1:\d+)\/v1$/.exec(variables.PETSTORE_API_URL ?? '') ?? []
    expect(variables).toEqual({
      PETSTORE_API_URL: `${origin}/v1`,
      PETSTORE_CONTROL_URL: `${origin}/_sandbox`,
      PETSTORE_SANDBOX_URL: origin,
      PETSTORE_KEY: 'free-key',
      PETSTORE_FREE_KEY: 'free-key',
      PETSTORE_PRO_KEY: 'pro-key',
      PETSTORE_BUSINESS_KEY: 'business-key',
      PETSTORE_ENTERPRISE_KEY: 'enterprise-key',
    })
  })

  it('names only keys that are served, and none of a sandbox around it', async () => {
    const cwd = testFolder()
    const keys = [
      { key: 'old', plan: 'free', revoked: true },
      { key: 'banned', plan: 'pro', ban: '5m' },
      { key: 'new', plan: 'business' },
    ]
    writeFileSync(join(cwd, 'seed.json'), JSON.stringify({ keys }))
    const env = {
      PETSTORE_PRO_KEY: 'around',
      PETSTORE_KEY: 'around',
      PETSTORE_CONTROL_TOKEN: 'around',
      PETSTORE_OTHER: 'kept',
    }
    expect(await variablesOf(['--seed-file', 'seed.json'], { cwd, env })).toEqual({
      PETSTORE_API_URL: expect.any(String),
      PETSTORE_CONTROL_URL: expect.any(String),
      PETSTORE_SANDBOX_URL: expect.any(String),
      PETSTORE_KEY: 'new',
      PETSTORE_BUSINESS_KEY: 'new',
      PETSTORE_OTHER: 'kept',
    })
  })

  it('names keys that are rejected if a scenario leaves no others', async () => {
    const variables = await variablesOf(['--scenario', 'minute-exhausted'])
    expect(variables).toMatchObject({ PETSTORE_KEY: 'free-key', PETSTORE_PRO_KEY: 'pro-key' })
  })

  it('tells the command the choices at gaps, on top of those that are explored around it', async () => {
    const env = { PETSTORE_SANDBOX_GAPS: 'banStatus=403,listOrder=shuffled' }
    const options = ['--gap', 'listOrder=id-descending']
    expect(await variablesOf(options, { env })).toMatchObject({
      PETSTORE_SANDBOX_GAPS: 'listOrder=id-descending,banStatus=403',
    })
  })

  it('tells the command the control token, which its own commands then send', async () => {
    expect(await variablesOf(['--control-token', 'secret'])).toMatchObject({
      PETSTORE_CONTROL_TOKEN: 'secret',
      PETSTORE_SANDBOX_CONTROL_TOKEN: 'secret',
    })
    const beside = ['exec', '--control-token', 'secret', '--frozen', '--clock', '2030-12-05']
    const clock = [process.execPath, program, 'clock', '--json']
    expect(await runCli([...beside, '--', ...clock])).toEqual({
      code: 0,
      stdout: '{"now":"2030-12-05T00:00:00Z","mode":"frozen","speed":1}\n',
      stderr: '',
    })
  })

  it('leaves all that is after -- to the command', async () => {
    const words = [
      '--port',
      '5x',
      '--watch=all',
      '--json=1',
      '--help',
      '-v',
      '--',
      '007',
      '1e3',
      '',
      ' ',
    ]
    const cwd = testFolder()
    const command = ['sh', '-c', 'printf "%s\\0" "$@" > words', 'sh', ...words]
    expect(await runMain(['exec', '--', ...command], { cwd })).toMatchObject({ code: 0 })
    expect(readFileSync(join(cwd, 'words'), 'utf8')).toBe(words.map((one) => `${one}\0`).join(''))
  })

  it('needs no -- before a command without options', async () => {
    const cwd = testFolder()
    writeFileSync(join(cwd, 'script.sh'), 'printf %s "$1" > word')
    const result = await runMain(['exec', 'sh', 'script.sh', '007'], { cwd })
    expect(result).toEqual({ code: 0, stdout: '', stderr: '' })
    expect(readFileSync(join(cwd, 'word'), 'utf8')).toBe('007')
  })

  it('prints nothing of its own, and hands on what the command reads and writes', async () => {
    const cli = new Cli(['exec', '--', 'sh', '-c', 'read -r text; echo "$text" >&2'])
    cli.process.stdin.write('hello\n')
    expect(await cli.ended()).toEqual({ code: 0, stdout: '', stderr: 'hello\n' })
  })

  it.each([
    { command: 'exit 7', code: 7 },
    { command: 'kill -KILL $$', code: 137 },
  ])('ends with $code after $command', async ({ command, code }) => {
    expect(await execShell(command)).toEqual({ code, stdout: '', stderr: '' })
  })

  it.each([
    {
      words: ['--', 'no-such-command', '--flag'],
      code: 127,
      message: 'Cannot run no-such-command: command not found',
    },
    {
      words: ['--', './file.txt'],
      code: 126,
      message: 'Cannot run ./file.txt: it is not executable, or this user may not run it',
    },
    {
      words: ['--', './script.sh'],
      code: 126,
      message: 'Cannot run ./script.sh: it is not executable, or this user may not run it',
    },
    {
      words: ['--', ''],
      code: 2,
      message: 'Cannot run exec: the command is missing; use exec [options] -- COMMAND',
    },
  ])('says what is wrong with exec $words', async ({ words, code, message }) => {
    const cwd = testFolder()
    writeFileSync(join(cwd, 'file.txt'), 'no program')
    writeFileSync(join(cwd, 'script.sh'), '#!/no/such/shell\n', { mode: 0o755 })
    expect(await runMain(['exec', ...words], { cwd })).toEqual({
      code,
      stdout: '',
      stderr: `petstore-sandbox: ${message}\n`,
    })
  })

  it('ends although a seed file is watched and command not found', async () => {
    const cwd = testFolder()
    writeFileSync(join(cwd, 'seed.json'), '{"pets":[]}')
    const options = ['--watch', '--seed-file', 'seed.json', '--state', 'state.json']
    const result = await runMain(['exec', ...options, '--', 'no-such-command'], { cwd })
    expect(result.code).toBe(127)
    expect(JSON.parse(readFileSync(join(cwd, 'state.json'), 'utf8')).pets.list).toEqual([])
  })

  it('saves the state when the command has ended', async () => {
    const cwd = testFolder()
    const clear = 'curl -sX DELETE "$PETSTORE_CONTROL_URL/pets"; exit 3'
    const { code } = await execShell(clear, ['--state', 'state.json'], { cwd })
    expect(code).toBe(3)
    expect(JSON.parse(readFileSync(join(cwd, 'state.json'), 'utf8')).pets.list).toEqual([])
  })

  it('serves on a free port although the environment and the config file name a used one', async () => {
    const { port } = await testServer()
    const cwd = testFolder()
    writeFileSync(join(cwd, 'petstore-sandbox.config.json'), JSON.stringify({ port }))
    const env = { PETSTORE_SANDBOX_PORT: String(port) }
    expect(await variablesOf([], { cwd, env })).toMatchObject({
      PETSTORE_API_URL: expect.not.stringContaining(`:${port}/`),
      PETSTORE_SANDBOX_PORT: String(port),
    })
  })

  it('frees its port, although what the command has started has a connection open', async () => {
    const port = await lastingPort()
    const client = `
      require('node:net').connect(${port}, '127.0.0.1', () => process.kill(process.ppid, 'SIGKILL'))
        .on('close', () => process.exit())`
    const { code } = await runMain([
      ...['exec', '--port', String(port), '--', 'sh', '-c'],
      ...['"$0" -e "$1" & wait', process.execPath, client],
    ])
    expect(code).toBe(137)
    const server = createServer()
    onTestFinished(() => {
      server.close()
    })
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject)
      server.listen(port, '127.0.0.1', resolve)
    })
  })

  it('can run within itself, each command beside its own sandbox', async () => {
    const print = 'env | grep ^PETSTORE_'
    const inner = `${print}; echo; exec '${process.execPath}' '${program}' exec -- sh -c '${print}'`
    const words = ['exec', '--control-token', 'secret', '--', 'sh', '-c', inner]
    const { code, stdout, stderr } = await runCli(words)
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    const [around = '', within = ''] = stdout.split('\n\n')
    const urlOf = (text: string): string => /^PETSTORE_API_URL=(.*)$/m.exec(text)?.[1] ?? ''
    expect(urlOf(within)).toMatch(/^http:/)
    expect(urlOf(within)).not.toBe(urlOf(around))
    expect(within).toMatch(/^PETSTORE_KEY=free-key$/m)
    expect(within).toMatch(/^PETSTORE_CONTROL_TOKEN=secret$/m)
  })

  it.each(['SIGTERM', 'SIGINT'] as const)(
    'passes %s on to the command, which decides what becomes of it',
    async (signal) => {
      // Its wait ends with the signal; sleep may have ended with its own.
      const script = `
        trap 'echo got it; kill $! 2>/dev/null; exit 9' ${signal.slice('SIG'.length)}
        sleep 600 >/dev/null 2>&1 &
        echo ready
        wait`
      const cli = new Cli(['exec', '--', 'sh', '-c', script])
      await cli.printed(/ready/)
      cli.process.kill(signal)
      expect(await cli.ended()).toEqual({ code: 9, stdout: 'ready\ngot it\n', stderr: '' })
    },
  )

  it('ends with 143 when a signal that was passed on ends the command', async () => {
    const cli = new Cli(['exec', '--', 'sh', '-c', 'echo ready; exec sleep 600'])
    await cli.printed(/ready/)
    expect(await cli.stop('SIGTERM')).toMatchObject({ code: 143, stderr: '' })
  })

  // R6: only the command itself got the signal.
  it.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)(
    'leaves no child of its command behind after %s',
    async (signal) => {
      const sleeps = [1, 2, 3].map(() => 'sleep 600 >/dev/null 2>&1 & echo $!').join('; ')
      const cli = new Cli(['exec', '--', 'sh', '-c', `${sleeps}; echo ready; wait`])
      const { input } = await cli.printed(/ready/)
      cli.process.kill(signal)
      await cli.ended()
      const ids = input.match(/^\d+$/gm) ?? []
      expect(ids).toHaveLength(3)
      await expect.poll(() => ids.filter((id) => isRunning(Number(id)))).toEqual([])
    },
  )

  it('leaves nobody behind when Ctrl+C is sent to all of its group', {
    tags: ['everyday'],
  }, async () => {
    // More than one command, so that the shell stays above the one that runs. That one says that it does: a shell drops a
    // signal that comes just before it starts a command.
    const script = `"${process.execPath}" -e "console.log('ready'); setInterval(() => {}, 1e6)"; :`
    const words = [program, 'exec', '--', 'sh', '-c', script]
    const leader = spawn(process.execPath, words, { detached: true, cwd: testFolder() })
    const group = -(leader.pid ?? Number.NaN)
    onTestFinished(() => {
      if (leader.exitCode === null) process.kill(group, 'SIGKILL')
    })
    leader.stdout.setEncoding('utf8')
    await new Promise((resolve) => {
      leader.stdout.once('data', resolve)
    })
    // It ends when the last one that writes to it has, whoever started it.
    const closed = new Promise((resolve) => {
      leader.once('close', resolve)
    })
    process.kill(group, 'SIGINT')
    expect(await closed).toBe(130)
  })
})
