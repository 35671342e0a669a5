import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import { CliError } from '../../src/cli/cli-error.ts'
import { commands } from '../../src/cli/commands.ts'
import { createParser } from '../../src/cli/parser.ts'
import { scenarioNames } from '../../src/control/scenarios.ts'
import { createSandbox, type Sandbox } from '../../src/sandbox.ts'
import type { RunningServer } from '../../src/server/start-server.ts'
import { Cli, runCli, testFolder } from '../kit/cli-process.ts'
import { runMain } from '../kit/run-main.ts'
import { send } from '../kit/send.ts'
import { testServer } from '../kit/test-server.ts'

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
    await createParser([...line.split(' '), '--url', url], { expectLog: () => {} }).parseAsync()
    return written.mock.calls
      .map(([text]) => text)
      .join('')
      .replace(/\n$/, '')
  } finally {
    written.mockRestore()
  }
}

const clockHead = 'now                   mode    scale'
const undo = 'It adds to what is there; petstore-sandbox reset undoes everything'

describe('a command for a running sandbox', () => {
  it.each([
    { line: 'clock', shown: `${clockHead}\n2027-03-01T12:00:00Z  frozen      1` },
    { line: 'clock show', shown: `${clockHead}\n2027-03-01T12:00:00Z  frozen      1` },
    {
      line: 'clock advance 61s',
      shown: 'The clock advanced by 1m1s: 2027-03-01T12:01:01Z, frozen',
    },
    {
      line: 'clock advance 1000',
      shown:
        'The clock advanced by 1s (a bare number is milliseconds): 2027-03-01T12:00:01Z, frozen',
    },
    {
      line: 'clock set 2026-01-01',
      shown: 'The clock is set: 2026-01-01T00:00:00Z, frozen',
    },
    { line: 'clock freeze', shown: 'The clock is frozen at 2027-03-01T12:00:00Z' },
    {
      line: 'keys',
      shown: `Key       Plan  State   This minute  Today
free-key  free  served  60/60        1000/1000
pro-key   pro   served  300/300      10000/10000`,
    },
    {
      line: 'keys --quiet',
      shown: `Key       Plan  State   This minute  Today
free-key  free  served  60/60        1000/1000
pro-key   pro   served  300/300      10000/10000`,
    },
    {
      line: 'keys ban pro-key 10m',
      shown: 'pro-key (pro) is banned for 10m, until 12:10:00Z',
    },
    {
      line: 'keys ban pro-key 90000000',
      shown:
        'pro-key (pro) is banned for 1d1h, until 2027-03-02T13:00:00Z (a bare number is milliseconds)',
    },
    {
      line: 'keys exhaust free-key',
      shown: 'free-key (free): 0 of 60 requests left this minute, until 12:01:00Z',
    },
    {
      line: 'keys exhaust free-key day',
      shown: 'free-key (free): 0 of 1,000 requests left today, until 2027-03-02T00:00:00Z',
    },
    {
      line: 'keys pardon free-key',
      shown: 'Pardoned: free-key (free): 60 of 60 requests left this minute, 1,000 of 1,000 today',
    },
    { line: 'keys revoke free-key', shown: 'free-key (free) is revoked' },
    {
      line: 'keys change free-key expiresAt=2027-01-01',
      shown: 'free-key (free) has expired, at 2027-01-01T00:00:00Z',
    },
    {
      line: 'keys issue enterprise big limits.minute=9 limits.day=99',
      shown: 'Issued: big (enterprise): 9 of 9 requests left this minute, 99 of 99 today',
    },
    {
      line: 'keys change pro-key remaining={"minute":1} expiresAt=2030-01-01',
      shown:
        'pro-key (pro): 1 of 300 requests left this minute, 10,000 of 10,000 today; it expires at 2030-01-01T00:00:00Z',
    },
    { line: 'keys delete pro-key', shown: 'Deleted the key pro-key' },
    {
      line: 'pets',
      shown: `id  name   categoryId  status
-2  Max            10
 1  Bella           1  available`,
    },
    { line: 'pets get -2', shown: 'id  name  categoryId  status\n-2  Max           10' },
    {
      line: 'pets status -2 sold',
      shown: 'Changed pet -2: Max, category 10, sold',
    },
    { line: 'pets add Rex 7', shown: 'Added pet 2: Rex, category 7, without a status' },
    { line: 'pets delete -2', shown: 'Deleted pet -2' },
    { line: 'pets clear', shown: 'Deleted all pets' },
    { line: 'faults', shown: 'None' },
    {
      line: 'keys change pro-key remaining.minute=1 remaining.day=2',
      shown: 'pro-key (pro): 1 of 300 requests left this minute, 2 of 10,000 today',
    },
    {
      line: 'faults add status status=503 times=2 key=123',
      shown: 'Added fault 1: status status=503 key=123 times=2',
    },
    {
      line: 'faults add latency ms=["1s","3s"]',
      shown: 'Added fault 1: latency ms=1s-3s',
    },
    { line: 'faults add latency ms=1s-3s', shown: 'Added fault 1: latency ms=1s-3s' },
    { line: 'faults add slow-body ms=500', shown: 'Added fault 1: slow-body ms=500ms' },
    { line: 'faults clear', shown: 'Removed all faults' },
    {
      line: 'scenario slow',
      shown: `Set up slow for all keys: each answer takes one to three seconds\n${undo}`,
    },
    {
      line: 'scenario apply slow pro-key',
      shown: `Set up slow for pro-key: each answer takes one to three seconds\n${undo}`,
    },
    {
      line: 'scenario banned pro-key',
      shown: `Set up banned: pro-key (pro) is banned for 5m, until 12:05:00Z\n${undo}`,
    },
    {
      line: 'scenario sunset-passed',
      shown: `Set up sunset-passed: GET /pets/{petId} has just been removed\n${undo}`,
    },
    {
      line: 'gaps banAfter=3 errorCodes=snake_case',
      shown:
        'gap         choice      default\nerrorCodes  snake_case\nbanAfter    3                10',
    },
    { line: 'reset', shown: 'Everything is as it was at the start' },
    { line: 'reset pets keys', shown: 'As at the start: pets, keys; the rest stays' },
    { line: 'keys issue pro mine --quiet', shown: 'mine' },
    { line: 'pets add Rex 7 --quiet', shown: '2' },
    { line: 'faults add timeout --quiet', shown: '1' },
    { line: 'sandboxes create alice --quiet', shown: 'alice' },
    { line: 'sandboxes create bob rate-limit=reported -q', shown: 'bob' },
    { line: 'scenario slow --quiet', shown: '' },
    { line: 'reset --quiet', shown: '' },
    { line: 'clock --quiet', shown: `${clockHead}\n2027-03-01T12:00:00Z  frozen      1` },
    {
      line: 'clock advance 1s --quiet --json',
      shown: '{"now":"2027-03-01T12:00:01Z","mode":"frozen","scale":1}',
    },
    { line: 'sandboxes', shown: 'None' },
  ])('shows the answer to $line', async ({ line, shown }) => {
    expect(await run(await frozenServer(), line)).toBe(shown)
  })

  it.each([
    { line: 'clock resume', changed: ({ clock }: Sandbox) => clock.read().mode === 'offset' },
    { line: 'clock system', changed: ({ clock }: Sandbox) => clock.read().mode === 'system' },
    { line: 'clock scale 2.5', changed: ({ clock }: Sandbox) => clock.read().scale === 2.5 },
    {
      line: 'keys issue enterprise big limits={"minute":9,"day":99}',
      changed: ({ keys }: Sandbox) => keys.list().at(-1)?.limits.day === 99,
    },
    {
      line: 'keys issue pro 123456789',
      changed: ({ keys }: Sandbox) => keys.list().at(-1)?.key === '123456789',
    },
    {
      line: 'keys issue pro ends-in==',
      changed: ({ keys }: Sandbox) => keys.list().at(-1)?.key === 'ends-in==',
    },
    {
      line: 'keys issue free key=456 expiresAt=2027-03-01',
      changed: ({ keys }: Sandbox) => keys.list().at(-1)?.state === 'expired',
    },
    { line: 'keys issue pro', changed: ({ keys }: Sandbox) => keys.list().length === 3 },
    {
      line: 'keys change free-key plan=business',
      changed: ({ keys }: Sandbox) => keys.get('free-key').limits.minute === 1_000,
    },
    {
      line: 'keys revoke free-key',
      changed: ({ keys }: Sandbox) => keys.get('free-key').state === 'revoked',
    },
    {
      line: 'pets add Rex 9223372036854775807 sold',
      changed: ({ pets }: Sandbox) => pets.list().at(-1)?.categoryId === 2n ** 63n - 1n,
    },
    { line: 'pets clear', changed: ({ pets }: Sandbox) => pets.size === 0 },
    { line: 'scenario flaky', changed: ({ faults }: Sandbox) => faults.list().length === 2 },
    { line: 'gaps set banAfter=never', changed: ({ gaps }: Sandbox) => gaps.banAfter === 'never' },
  ])('does what $line says', async ({ line, changed }) => {
    const server = await frozenServer()
    expect(changed(server.sandbox)).toBe(false)
    await run(server, line)
    expect(changed(server.sandbox)).toBe(true)
  })

  it.each([
    {
      line: 'keys change free-key remaining.minute=1',
      shown:
        'free-key (free): 1 of 60 requests left this minute; 0 of 1,000 today, until 2027-03-02T00:00:00Z',
    },
    {
      line: 'keys exhaust pro-key day',
      shown:
        'pro-key (pro) is banned for 10m, until 12:10:00Z; 0 of 10,000 requests left today, until 2027-03-02T00:00:00Z',
    },
    {
      line: 'scenario minute-limit pro-key',
      shown:
        'Set up minute-limit: pro-key (pro) is banned for 10m, until 12:10:00Z; 0 of 300 requests left this minute, until 12:01:00Z\nIt adds to what is there; petstore-sandbox reset undoes everything',
    },
  ])('says what $line has changed of a key that is refused anyway', async ({ line, shown }) => {
    const server = await frozenServer()
    const { keys } = server.sandbox
    keys.setRemaining('free-key', { day: 0 })
    keys.change('pro-key', { ban: '10m' })
    expect(await run(server, line)).toBe(shown)
  })

  it('pardons a key', async () => {
    const server = await frozenServer()
    await run(server, 'keys ban free-key 10m')
    expect(await send(server.sandbox)).toMatchObject({ status: 429 })
    await run(server, 'keys pardon free-key')
    expect(await send(server.sandbox)).toMatchObject({ status: 200 })
  })

  it('lists keys with what becomes of them', async () => {
    const server = await frozenServer()
    const { keys } = server.sandbox
    keys.setRemaining('pro-key', { day: 0 })
    keys.issue({ key: 'x'.repeat(90), plan: 'free', expiresAt: '2030-01-01' })
    keys.change('free-key', { expiresAt: '2020-01-01' })
    expect(await run(server, 'keys')).toBe(
      `${'Key'.padEnd(90)}  Plan  State        This minute  Today      Expires
${'free-key'.padEnd(90)}  free  expired      60/60        1000/1000
${'pro-key'.padEnd(90)}  pro   used up 12h  300/300      0/10000
${'x'.repeat(90)}  free  served       60/60        1000/1000  2030-01-01T00:00:00Z`,
    )
    for (const { key } of keys.list()) keys.delete(key)
    expect(await run(server, 'keys')).toBe('None')
  })

  it('removes one fault, then all', async () => {
    const server = await frozenServer()
    for (const fault of ['timeout', 'rate-limit', 'truncated-body']) {
      await run(server, `faults add ${fault}`)
    }
    await run(server, 'faults remove 2')
    expect(server.sandbox.faults.list().map(({ id }) => id)).toEqual([1, 3])
    await run(server, 'faults clear')
    expect(server.sandbox.faults.list()).toEqual([])
  })

  it('lists the scenarios, and the gaps with the defaults of those that are changed', async () => {
    const server = await frozenServer()
    const listed = await run(server, 'scenario')
    for (const name of scenarioNames) expect(listed).toMatch(new RegExp(`^${name} +\\S`, 'm'))
    await run(server, 'gaps retryAfterFormat=http-date')
    const gaps = await run(server, 'gaps show')
    expect(gaps).toMatch(/^retryAfterFormat +http-date +seconds$/m)
    expect(gaps).toMatch(/^banAfter +10$/m)
  })

  it('resets all, or the parts that are named', async () => {
    const server = await frozenServer()
    const { sandbox } = server
    for (const line of ['pets clear', 'keys delete pro-key', 'clock advance 1d']) {
      await run(server, line)
    }
    await run(server, 'reset only pets')
    expect([sandbox.pets.size, sandbox.keys.list().length]).toEqual([2, 1])
    await run(server, 'reset')
    expect([sandbox.keys.list().length, sandbox.clock.read().now]).toEqual([2, startedAt])
  })

  it('makes named sandboxes with settings, lists and deletes them', async () => {
    const server = await frozenServer()
    const { url, pool } = server
    await run(server, 'sandboxes create alice clock=2030-12-05 rateLimit=reported')
    expect(pool.get('alice').rateLimit).toBe('reported')
    expect(await run(server, 'sandboxes')).toBe(
      [
        `${'name'.padEnd(5)}  ${'baseUrl'.padEnd(url.length + 19)}  controlUrl`,
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
      text: '{}',
      message: ':1:1: Cannot set snapshot: found an object; use a snapshot of petstore-sandbox',
    },
    {
      text: '{"petstoreSandbox":99}',
      message: 'Cannot set snapshot: found a snapshot of version 99; use one of version 1',
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

  it('lets the process save its own state', async () => {
    let saves = 0
    const save = (): void => {
      saves++
    }
    expect(await run(await testServer({ save }), 'snapshot store')).toBe(
      'Saved all sandboxes to the file of --state',
    )
    expect(saves).toBe(1)
    await expect(run(await testServer(), 'snapshot store')).rejects.toThrow(
      'Cannot save the state: there is no file for it; start with --state FILE',
    )
  })

  it.each([
    { line: 'clock', json: { now: startedAt, mode: 'frozen', scale: 1 } },
    { line: 'keys', json: [{ key: 'free-key' }, { key: 'pro-key' }] },
    { line: 'pets get 1', json: { id: 1, name: 'Bella', categoryId: 1, status: 'available' } },
    { line: 'faults', json: [] },
    { line: 'gaps banAfter=3', json: { banAfter: 3, errorCodes: 'snake_case' } },
    { line: 'reset', json: {} },
    { line: 'snapshot', json: { petstoreSandbox: 1 } },
    { line: 'sandboxes', json: [] },
    { line: 'status', json: { rateLimit: 'enforced', counts: { pets: 2, keys: 2 } } },
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
      `                 id  name             categoryId  status
                  1  Bella                     1  available
   9007199254740993  Odd                       1
9223372036854775807  Max    -9223372036854775808`,
    )
    expect(await run(server, 'pets get 9223372036854775807 --json')).toBe(
      '{"id":9223372036854775807,"name":"Max","categoryId":-9223372036854775808}',
    )
    await run(server, 'pets status 9007199254740993 sold')
    expect(server.sandbox.pets.get(9007199254740993n).status).toBe('sold')
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
      `id  name${' '.repeat(57)}  categoryId  status`,
      ` 1  ${'a\\x0ab\\x1b[31m'.padEnd(61)}           1`,
      ` 2  Ünï 猫🐱${' '.repeat(53)}           1`,
      ` 3  ${'w'.repeat(58)}🐱…           1`,
    ])
  })

  it.each([
    { line: 'clock scale fast', message: 'Cannot set times: found "fast"; use a number above 0' },
    { line: 'clock advance backwards', message: 'Cannot set duration: found "backwards"; use' },
    { line: 'clock set 2030', message: 'Cannot set instant: found "2030"; use ISO 8601' },
    {
      line: 'keys issue gold',
      message: 'Cannot set plan: found "gold"; use one of free, pro, business, enterprise',
    },
    {
      line: 'keys change free-key plan',
      message: 'Cannot set key: found "plan"; use name=value, such as plan=pro',
    },
    { line: 'keys change free-key plan=gold', message: 'Cannot set key.plan: found "gold"; use' },
    { line: 'pets add Rex many', message: 'Cannot set category: found "many"; use an integer' },
    { line: 'pets get 9223372036854775808', message: 'Cannot set id: found "9223372036854775808"' },
    {
      line: 'faults add status statas=500',
      message: 'Cannot set fault.statas: unknown property; use fault, status',
    },
    { line: 'faults add status status=99', message: 'Cannot set fault.status: found "99"; use' },
    { line: 'faults add fire', message: 'Cannot set fault: found "fire"; use one of status' },
    { line: 'scenario bogus', message: 'Cannot set scenario: found "bogus"; use one of flaky' },
    { line: 'gaps bogus=1', message: 'Cannot set gaps.bogus: unknown property; use ' },
    { line: 'reset bogus', message: 'Cannot set parts[0]: found "bogus"; use one of ' },
    { line: 'sandboxes create a/b', message: 'Cannot set sandbox.name: found "a/b"; use 1 to' },
    { line: 'sandboxes delete a/b', message: 'Cannot set name: found "a/b"; use 1 to' },
  ])('refuses $line before it asks the sandbox', async ({ line, message }) => {
    const thrown = await run({ url: 'http://127.0.0.1:1' }, line).catch((error: unknown) => error)
    expect(thrown).toMatchObject({ message: expect.stringContaining(message) })
    expect(thrown instanceof CliError ? thrown.exitCode : 2).toBe(2)
  })

  it.each([
    { line: 'pets get 99', message: 'Cannot find pet 99: no pet has this id' },
    { line: 'keys ban no-key 1m', message: 'Cannot find key "no-…": no key has this text' },
    { line: 'keys issue enterprise', message: 'Cannot set key.limits: ' },
    { line: 'faults remove 7', message: 'Cannot find fault 7: ' },
    { line: 'sandboxes delete nobody', message: 'Cannot find sandbox "nobody"' },
  ])('passes on why the sandbox refuses $line', async ({ line, message }) => {
    const server = await frozenServer()
    await expect(run(server, line)).rejects.toMatchObject({
      message: expect.stringContaining(message),
      exitCode: 1,
    })
  })
})

/** The commands with actions. */
const remoteCommands = Object.entries(commands).filter(
  ([, { actions }]) => Object.keys(actions).length > 0,
)

describe('petstore-sandbox', () => {
  it.each(remoteCommands)('explains %s and each of its actions', async (command, { actions }) => {
    const { code, stdout, stderr } = await runMain([command, '--help'])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toMatch(new RegExp(`^petstore-sandbox ${command} \\[action\\]\n`))
    expect(stdout).toContain('\nActions:\n')
    for (const name of Object.keys(actions)) {
      expect(stdout).toContain(`\n  ${command} ${name}`)
      const help = await runMain([command, name, '--help'])
      expect(help).toMatchObject({ code: 0, stderr: '' })
      expect(help.stdout).toMatch(new RegExp(`^petstore-sandbox ${command} ${name}\\b`))
    }
    for (const option of ['url', 'sandbox', 'control-token', 'json']) {
      expect(stdout).toContain(` --${option} `)
    }
  })

  it('runs a command for a running sandbox, negative numbers and words after -- too', async () => {
    const server = await frozenServer()
    const { url, sandbox } = server
    const result = await runCli(['pets', 'get', '-2', '--json', '--url', url])
    const stdout = '{"id":-2,"name":"Max","categoryId":10}\n'
    expect(result).toEqual({ code: 0, stdout, stderr: '' })
    await runCli(['pets', 'add', '--url', url, '--', '--name', '-9223372036854775808'])
    expect(sandbox.pets.get(2)).toMatchObject({ name: '--name', categoryId: -(2n ** 63n) })
  })

  it.each([
    {
      words: ['clock', 'stop'],
      code: 2,
      message: /^petstore-sandbox: Cannot run clock: unknown action "stop"; /,
    },
    { words: ['pets', 'get', '99'], code: 1, message: /^petstore-sandbox: Cannot find pet 99: / },
    {
      words: ['clock', '--jsn'],
      code: 2,
      message: /^petstore-sandbox: Cannot use --jsn: .*--json\?$/m,
    },
    { words: ['clock', '--port', '1'], code: 2, message: /^petstore-sandbox: Cannot use --port: / },
    { words: ['clock', '--json=yes'], code: 2, message: /^petstore-sandbox: Cannot set --json: / },
  ])('ends $words with $code and one line', async ({ words, code, message }) => {
    const { url } = await frozenServer()
    const result = await runCli([...words, '--url', url])
    expect(result).toEqual({ code, stdout: '', stderr: expect.stringMatching(message) })
    expect(result.stderr.trimEnd().split('\n')).toHaveLength(1)
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
    const save = (file: string) => runCli(['snapshot', 'save', file, '--url', url], { cwd: folder })
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
