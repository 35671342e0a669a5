import { globSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { serveCli } from '../kit/cli-process.ts'
import { expectComplete } from '../kit/expect-complete.ts'
import { commandsIn, Shell } from '../kit/shell.ts'

const token = 'secret'

/** Commands in a file, and what they have to print. */
interface Printing {
  readonly file: string
  readonly prints: RegExp
  /** Options of the process that they are for. */
  readonly options?: readonly string[]
}

/** Commands for a running sandbox. */
const remote: readonly Printing[] = [
  { file: 'first-request.sh', prints: /^HTTP\/1\.1 200 OK.*X-RateLimit-Remaining: 59\r\n/s },
  { file: 'qa.sh', prints: /banned until.*active.*0 of 1,000/s },
  { file: 'qa-session.sh', prints: /key_banned.*404: /s },
  { file: 'while-it-runs.sh', prints: /my-key.*sold.*status=503.*http-date/s },
  { file: 'har.sh', prints: /^$/ },
  { file: 'gaps.sh', prints: /banAfter/ },
  { file: 'faults.sh', prints: /status=503.*\["1s","3s"\].*struck/s },
  { file: 'named.sh', prints: /sandboxes\/carol\/v1.*429 Too Many Requests/s },
  { file: 'control.sh', prints: /"scale".*"remaining":1.*"http-date"/s },
  { file: 'token.sh', prints: /"now"/, options: ['--control-token', token] },
]

/** Commands that serve until they are told to stop. */
const serving: readonly Printing[] = [
  { file: 'start.sh', prints: /API +http/ },
  { file: 'start-options.sh', prints: /Clock +2030-12-04T23:59:0\d.*banAfter=3/s },
  { file: 'start-named.sh', prints: /Named +alice, bob/ },
  { file: 'start-state.sh', prints: /API +http/ },
  { file: 'start-seed.sh', prints: /Pets +1\n/ },
  { file: 'start-static.sh', prints: /API +http/ },
]

/** Commands that run others beside a sandbox. */
const around = ['exec.sh', 'exec-gaps.sh']

describe('the commands in the documents', () => {
  it('are all run here', () => {
    expectComplete({
      found: [...remote, ...serving].map(({ file }) => file).concat(around, 'follow.sh'),
      needed: globSync('*.sh', { cwd: new URL('shell', import.meta.url) }),
      what: 'a row for a file of commands',
      where: 'test/readme/shell.test.ts',
    })
  })

  it.each(remote)('do what they say, as printed: $file', async (row) => {
    const { file, prints, options = [] } = row
    const { url } = await serveCli(['--log', 'json', ...options])
    const shell = new Shell(url, { PETSTORE_SANDBOX_CONTROL_TOKEN: token })
    const { code, stdout } = await shell.run(commandsIn(file))
    expect(stdout).toMatch(prints)
    expect(code).toBe(0)
  })

  it.each(serving)('serve, as printed: $file', async ({ file, prints }) => {
    const shell = new Shell(undefined, { PETSTORE_SANDBOX_PORT: '0' })
    const pets = [{ id: 1, name: 'Rex', categoryId: 1 }]
    writeFileSync(join(shell.folder, 'my-pets.json'), JSON.stringify({ pets }))
    mkdirSync(join(shell.folder, 'dist'))
    writeFileSync(join(shell.folder, 'dist/index.html'), '<!doctype html>')
    const child = shell.start(`exec ${commandsIn(file)}`)
    let output = ''
    await new Promise<void>((resolve) => {
      child.once('close', () => resolve())
      for (const stream of [child.stdout, child.stderr]) {
        stream.setEncoding('utf8').on('data', (text: string) => {
          output += text
          if (/Try\n/.test(output)) child.kill('SIGTERM')
        })
      }
    })
    expect(output).toMatch(prints)
    expect(child.exitCode).toBe(0)
  })

  it.each(around)('run a command beside a sandbox, as printed: %s', async (file) => {
    const shell = new Shell()
    const script = 'console.log(process.env.PETSTORE_URL, process.env.PETSTORE_KEY)'
    const scripts = { test: `node -e "${script}"` }
    writeFileSync(join(shell.folder, 'package.json'), JSON.stringify({ scripts }))
    const { code, stdout } = await shell.run(commandsIn(file))
    const runs = commandsIn(file).trimEnd().split('\n').length
    expect(stdout.match(/^http:\/\/127\.0\.0\.1:\d+\/v1 free-key$/gm)).toHaveLength(runs)
    expect(code).toBe(0)
  })

  it('follow the requests of a running sandbox: follow.sh', async () => {
    const { url } = await serveCli(['--log', 'json'])
    const shell = new Shell(url)
    const child = shell.start(`exec ${commandsIn('follow.sh')}`)
    const line = new Promise<string>((resolve) => child.stdout.once('data', resolve))
    const { code } = await shell.run(commandsIn('first-request.sh'))
    expect(String(await line)).toContain('/v1/pets?limit=3')
    child.kill('SIGINT')
    expect(code).toBe(0)
  })
})
