import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import { CliError } from '../../../src/cli/cli-error.ts'
import { mainCommands } from '../../../src/cli/commands.ts'
import { runCommandLine } from '../../../src/cli/main.ts'
import { InputError } from '../../../src/mock/input/input-error.ts'
import { scenarioNames } from '../../../src/sandbox/controls/scenarios.ts'
import { createSandbox, type Sandbox } from '../../../src/sandbox/sandbox.ts'
import type { RunningServer } from '../../../src/server/start-server.ts'
import { Cli, runCli, testFolder } from '../../kit/cli-process.ts'
import { knownCommands } from '../../kit/known-commands.ts'
import { runMain } from '../../kit/run-main.ts'
import { send } from '../../kit/send.ts'
import { testServer } from '../../kit/test-server.ts'

const startedAt = '2027-03-01T12:00:00Z'

/** Serves a sandbox whose time stands still. */
function frozenServer(): Promise<RunningServer> {
  const sandbox = createSandbox({
    clock: { now: startedAt, mode: 'frozen' },
    seed: {
      pets: [
        { id: 1, name: 'Bella', categoryId: 1, status: 'available' },
        { id: -2, name: 'Max', categoryId: 10 },
      ],
      keys: [
        { key: 'free-key', plan: 'free' },
        { key: 'pro-key', plan: 'pro' },
      ],
    },
  })
  return testServer({ sandbox })
}

/** Runs a line of words in this process, none of them with a blank; gives what is printed. */
async function run({ url }: Pick<RunningServer, 'url'>, line: string): Promise<string> {
  const written = vi.spyOn(process.stdout, 'write').mockReturnValue(true)
  try {
    await runCommandLine([...line.split(' '), '--url', url])
    return written.mock.calls
      .map(([text]) => text)
      .join('')
      .replace(/\n$/, '')
  } finally {
    written.mockRestore()
  }
}

/** What is thrown, and with which exit code. */
function rejectionText(thrown: unknown): string {
  if (thrown instanceof InputError) return thrown.message
  if (!(thrown instanceof CliError)) throw thrown
  return `${thrown.message} (exit code ${thrown.exitCode})`
}

describe('a command for a running sandbox', () => {
  // A new line to try goes into the file, after a dollar sign; each block begins after a reset. `--update` writes what it prints.
  it('prints what was last looked through', async () => {
    const file = readFileSync(new URL('running-sandbox.txt', import.meta.url), 'utf8')
    const blocks: string[] = []
    const server = await frozenServer()
    for (const block of file.split('\n\n')) {
      server.sandbox.reset()
      for (const name of server.pool.names()) server.pool.delete(name)
      const said: string[] = []
      for (const [, line = ''] of block.matchAll(/^\$ (.*)$/gm)) {
        said.push(`$ ${line}`, await run(server, line).catch(rejectionText))
      }
      blocks.push(said.join('\n'))
    }
    await expect(`${blocks.join('\n\n')}\n`).toMatchFileSnapshot('running-sandbox.txt')
  })

  it.each([
    { line: 'clock resume', changed: ({ clock }: Sandbox) => clock.read().mode === 'running' },
    { line: 'clock system', changed: ({ clock }: Sandbox) => clock.read().mode === 'system' },
    { line: 'clock speed 2.5', changed: ({ clock }: Sandbox) => clock.read().speed === 2.5 },
    { line: 'keys issue pro', changed: ({ keys }: Sandbox) => keys.list().length === 3 },
  ])('does what $line says', async ({ line, changed }) => {
    const server = await frozenServer()
    expect(changed(server.sandbox)).toBe(false)
    await run(server, line)
    expect(changed(server.sandbox)).toBe(true)
  })

  it('lists keys with what becomes of them', async () => {
    const server = await frozenServer()
    const { keys } = server.sandbox
    keys.setRemaining('pro-key', { day: 0 })
    keys.issue({ key: 'x'.repeat(90), plan: 'free', expiresAt: '2030-01-01' })
    keys.update('free-key', { expiresAt: '2020-01-01' })
    expect(await run(server, 'keys')).toBe(
      `${'Key'.padEnd(90)}  Plan  State          This minute  Today      Expires
${'free-key'.padEnd(90)}  free  expired        60/60        1000/1000
${'pro-key'.padEnd(90)}  pro   exhausted 12h  300/300      0/10000
${'x'.repeat(90)}  free  active         60/60        1000/1000  2030-01-01T00:00:00Z`,
    )
    for (const { key } of keys.list()) keys.delete(key)
    expect(await run(server, 'keys')).toBe('No keys')
  })

  it('lists the scenarios, and the gaps with the defaults of those that are changed', async () => {
    const server = await frozenServer()
    const listed = await run(server, 'scenario')
    expect(listed).not.toContain('false')
    for (const name of scenarioNames) expect(listed).toMatch(new RegExp(`^${name} +\\S`, 'm'))
    await run(server, 'gaps retryAfterFormat=http-date')
    const gaps = await run(server, 'gaps show')
    expect(gaps).toMatch(/^retryAfterFormat +http-date +seconds$/m)
    expect(gaps).toMatch(/^banAfter +10$/m)
  })

  it('makes named sandboxes with settings, lists and deletes them', async () => {
    const server = await frozenServer()
    const { url, pool } = server
    await run(server, 'sandboxes create alice clock=2030-12-05 rateLimits=report-only')
    expect(pool.getOrCreate('alice').rateLimits).toBe('report-only')
    expect(await run(server, 'sandboxes')).toBe(
      [
        `${'Name'.padEnd(5)}  ${'Base URL'.padEnd(url.length + 19)}  Control URL`,
        `alice  ${url}/sandboxes/alice/v1  ${url}/sandboxes/alice/_sandbox`,
      ].join('\n'),
    )
    await run(server, 'sandboxes create')
    expect(pool.names()).toHaveLength(2)
    await run(server, 'sandboxes delete alice')
    expect(pool.names()).toHaveLength(1)
  })

  it('prints, saves and restores a snapshot, int64 digit for digit', async () => {
    const server = await frozenServer()
    const { sandbox } = server
    const file = join(testFolder(), 'snapshot.json')
    sandbox.pets.create({ id: 2n ** 63n - 1n, name: 'Rex', categoryId: -(2n ** 63n) })
    await send(sandbox)
    const before = sandbox.snapshot()
    expect(JSON.parse(await run(server, 'snapshot'))).toEqual(before)
    expect(await run(server, `snapshot save ${file}`)).toBe(`Saved to ${file}`)
    sandbox.reset()
    expect(await run(server, `snapshot restore ${file}`)).toBe(`Everything is as saved in ${file}`)
    expect(sandbox.snapshot()).toEqual(before)
  })

  it.each([
    {
      text: '{',
      message: ':1:2: Cannot read the file: it is not valid JSON (close brace expected)',
    },
    {
      text: `{"petstoreSandbox":1,"pets":${'['.repeat(200_000)}${']'.repeat(200_000)}}`,
      message: 'Cannot send the input: it is nested too deeply',
    },
    { text: undefined, message: ': it does not exist' },
  ])('restores nothing from a file with $text', async ({ text, message }) => {
    const server = await frozenServer()
    const before = server.sandbox.snapshot()
    const file = join(testFolder(), 'snapshot.json')
    if (text !== undefined) writeFileSync(file, text)
    await expect(run(server, `snapshot restore ${file}`)).rejects.toThrow(message)
    expect(server.sandbox.snapshot()).toEqual(before)
  })

  it.each([
    { line: 'keys', json: [{ key: 'free-key' }, { key: 'pro-key' }] },
    { line: 'gaps banAfter=3', json: { banAfter: 3, errorCodes: 'snake_case' } },
    { line: 'snapshot', json: { petstoreSandbox: 1 } },
    { line: 'status', json: { rateLimits: 'enforce', counts: { pets: 2, keys: 2 } } },
  ])('prints JSON of $line for a script', async ({ line, json }) => {
    const text = await run(await frozenServer(), `${line} --json`)
    expect(JSON.parse(text)).toMatchObject(json)
  })

  it('shows int64 digit for digit, in tables and in JSON', async () => {
    const server = await frozenServer()
    server.sandbox.pets.create([
      { id: 9223372036854775807n, name: 'Max', categoryId: -9223372036854775808n },
      { id: 9007199254740993n, name: 'Odd', categoryId: 1 },
    ])
    await run(server, 'pets delete -2')
    expect(await run(server, 'pets')).toBe(
      `                 Id  Name            Category id  Status
                  1  Bella                     1  available
   9007199254740993  Odd                       1
9223372036854775807  Max    -9223372036854775808`,
    )
    expect(await run(server, 'pets get 9223372036854775807 --json')).toBe(
      '{"id":9223372036854775807,"name":"Max","categoryId":-9223372036854775808}',
    )
    await run(server, 'pets set-status 9007199254740993 sold')
    expect(server.sandbox.pets.get(9007199254740993n).status).toBe('sold')
  })

  it('prints a snapshot that can control no terminal (R3)', async () => {
    const server = await frozenServer()
    const name = '\u009b31mRED\u202e'
    server.sandbox.pets.create({ id: 9, name, categoryId: 1 })
    const text = await run(server, 'snapshot print')
    expect(text).toContain('\\u009b31mRED\\u202e')
    expect(text).not.toContain(name)
  })

  it('shows a pet whose name would break the table, or obey the terminal', async () => {
    const server = await frozenServer()
    server.sandbox.pets.clear()
    server.sandbox.pets.create([
      { id: 1, name: 'a\nb\u001b[31m', categoryId: 1 },
      { id: 2, name: 'Ünï 猫🐱', categoryId: 1 },
      { id: 3, name: `${'w'.repeat(58)}🐱🐱🐱`, categoryId: 1 },
    ])
    expect((await run(server, 'pets')).split('\n')).toEqual([
      `Id  Name${' '.repeat(57)}  Category id  Status`,
      ` 1  ${'a\\x0ab\\x1b[31m'.padEnd(61)}            1`,
      ` 2  Ünï 猫🐱${' '.repeat(53)}            1`,
      ` 3  ${'w'.repeat(58)}🐱…            1`,
    ])
  })
})

/** All commands, and those within them. */
const allCommands = knownCommands.flatMap((one) => [one, ...one.commands])

/** Commands that read or change a running sandbox by others within them. */
const groups = knownCommands.filter(({ commands }) => commands.length > 0)

describe('petstore-sandbox', () => {
  it('lists fifteen commands at most in its help', () => {
    expect(mainCommands.length).toBeLessThanOrEqual(15)
  })

  it('spells all options alike', () => {
    const names = allCommands.flatMap(({ options }) => options)
    expect(names.filter((name) => !/^[a-z]+(?:-[a-z]+)*$/.test(name))).toEqual([])
    expect(names).toContain('after-id')
  })

  it.each(knownCommands)('describes $name, and says why if it has no --json', async (command) => {
    const { name, describe } = command
    const { stdout } = await runMain([name, '--help'])
    expect(stdout.replaceAll(/\s+/g, ' ')).toContain(describe)
    expect(stdout).toMatch(/ --json |It has no --json/)
  })

  it.each(groups)('explains $name and each command within it', async ({ name, commands }) => {
    const { code, stdout, stderr } = await runMain([name, '--help'])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toMatch(new RegExp(`^npx petstore-sandbox ${name}\n`))
    for (const one of commands) {
      expect(stdout).toContain(`\n  ${one.name}`)
      const help = await runMain([...one.name.split(' '), '--help'])
      expect(help).toMatchObject({ code: 0, stderr: '' })
      expect(help.stdout).toMatch(new RegExp(`^npx petstore-sandbox ${one.name}\\b`))
    }
    for (const option of ['url', 'sandbox', 'control-token', 'json']) {
      expect(stdout).toContain(` --${option} `)
    }
  })

  it('runs a command for a running sandbox, with negative numbers, too', async () => {
    const server = await frozenServer()
    const { url, sandbox } = server
    const result = await runCli(['pets', 'get', '-2', '--json', '--url', url])
    const stdout = '{"id":-2,"name":"Max","categoryId":10}\n'
    expect(result).toEqual({ code: 0, stdout, stderr: '' })
    await runMain(['pets', 'add', '--url', url, 'Rex', '-9223372036854775808'])
    expect(sandbox.pets.get(2)).toMatchObject({ name: 'Rex', categoryId: -(2n ** 63n) })
  })

  it('minds no reader that leaves after the first line', async () => {
    const server = await frozenServer()
    server.sandbox.pets.create(
      Array.from({ length: 20_000 }, () => ({ name: 'Rex', categoryId: 1 })),
    )
    const cli = new Cli(['pets', '--url', server.url])
    await cli.printed(/\n/)
    cli.process.stdout.destroy()
    expect(await cli.ended()).toMatchObject({ code: 0, stderr: '' })
  })

  it('keeps the old file when it cannot save a snapshot', async () => {
    const folder = testFolder()
    const { url } = await frozenServer()
    writeFileSync(join(folder, 'file'), 'old')
    const save = (file: string) =>
      runMain(['snapshot', 'save', file, '--url', url], { cwd: folder })
    expect(await save('file/snapshot.json')).toMatchObject({
      code: 1,
      stderr:
        'petstore-sandbox: Cannot write file/snapshot.json: a part of its path is not a folder\n',
    })
    expect(await save('.')).toMatchObject({
      code: 1,
      stderr: 'petstore-sandbox: Cannot write .: it is a folder\n',
    })
    expect(readFileSync(join(folder, 'file'), 'utf8')).toBe('old')
  })
})
