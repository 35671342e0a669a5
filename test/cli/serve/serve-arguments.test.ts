import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { Cli, serveCli, testFolder } from '../../kit/cli-process.ts'
import { runMain } from '../../kit/run-main.ts'

/** Makes a folder with a config file in it. */
function folderWith(config: unknown, name = 'petstore-sandbox.config.json'): string {
  const folder = testFolder()
  writeFileSync(join(folder, name), JSON.stringify(config))
  return folder
}

/** Writes the names of variables in full. */
function variables(env: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(env).map(([name, value]) => [`PETSTORE_SANDBOX_${name}`, value]),
  )
}

describe('readServeArguments()', () => {
  it('takes the command line before a variable, and a variable before the config file', async () => {
    const cwd = folderWith({ clock: '2027-01-01', frozen: true, 'rate-limit': 'reported' })
    const env = { PETSTORE_SANDBOX_CLOCK: '2028-01-01', PETSTORE_SANDBOX_LOG: 'pretty' }
    const { cli: file } = await serveCli([], { cwd })
    expect(file.stdout).toContain('2027-01-01T00:00:00Z (stands still)')
    expect(file.stdout).toMatch(/Limits +reported\n/)
    const { cli: variable } = await serveCli([], { cwd, env })
    expect(variable.stdout).toContain('2028-01-01T00:00:00Z (stands still)')
    const args = ['--clock', '2029-01-01', '--rate-limit', 'enforced']
    const { cli: commandLine } = await serveCli(args, { cwd, env })
    expect(commandLine.stdout).toContain('2029-01-01T00:00:00Z (stands still)')
    expect(commandLine.stdout).toMatch(/Limits +enforced\n/)
  })

  it('takes a flag back with --no-frozen', async () => {
    const cwd = folderWith({ clock: '2027-01-01', frozen: true })
    const { cli } = await serveCli(['--no-frozen'], { cwd })
    expect(cli.stdout).toContain('(runs on from there)')
  })

  it('takes the last of an option that is given twice', async () => {
    const args = ['--clock', '2027-01-01', '--clock', '2028-01-01', '--frozen']
    const { cli } = await serveCli(args)
    expect(cli.stdout).toContain('2028-01-01T00:00:00Z')
  })

  it('takes gaps from the config file, variables and the command line together', async () => {
    const cwd = folderWith({ gap: { banAfter: 1, banDuration: '1h', listOrder: 'shuffled' } })
    const env = { PETSTORE_SANDBOX_GAP: 'banAfter=2, banStatus=403' }
    const { cli } = await serveCli(['--gap', 'banAfter=3', '--gap=idSequence=large'], { cwd, env })
    const [, gaps = ''] = await cli.printed(/ {2}Gaps +(.*)\n/)
    expect(gaps.split(', ').toSorted()).toEqual([
      'banAfter=3',
      'banDuration=1h',
      'banStatus=403',
      'idSequence=large',
      'listOrder=shuffled',
    ])
  })

  it.each([
    { variable: 'PETSTORE_SANDBOX_CLOCK', value: '2030-01-01', printed: /Clock +2030-01-01T/ },
    { variable: 'PETSTORE_SANDBOX_FROZEN', value: 'true', printed: /stands still/ },
    { variable: 'PETSTORE_SANDBOX_FROZEN', value: '1', printed: /stands still/ },
    { variable: 'PETSTORE_SANDBOX_FROZEN', value: 'false', printed: /the system's time/ },
    { variable: 'PETSTORE_SANDBOX_SCALE', value: '2.5', printed: /2\.5 times as fast/ },
    { variable: 'PETSTORE_SANDBOX_PETS', value: '7', printed: /Pets +7\n/ },
    { variable: 'PETSTORE_SANDBOX_RATE_LIMIT', value: 'reported', printed: /Limits +reported/ },
    { variable: 'PETSTORE_SANDBOX_LOG', value: 'json', printed: /^\{"listening":/ },
    { variable: 'PETSTORE_SANDBOX_HOST', value: 'localhost', printed: /http:/ },
    { variable: 'PETSTORE_SANDBOX_SEED', value: '', printed: /all at their defaults/ },
    { variable: 'PETSTORE_SANDBOX_HOST', value: '', printed: /http:\/\/127\.0\.0\.1:/ },
    { variable: 'PETSTORE_SANDBOX_PORT_FILE', value: '', printed: /http:/ },
  ])('reads $variable="$value"', async ({ variable, value, printed }) => {
    const { cli } = await serveCli([], { env: { [variable]: value } })
    expect(cli.stdout).toMatch(printed)
  })

  it('reads the config file that a variable names', async () => {
    const cwd = folderWith({ pets: 4 }, 'mine.json')
    const { cli } = await serveCli([], { cwd, env: { PETSTORE_SANDBOX_CONFIG: 'mine.json' } })
    expect(cli.stdout).toMatch(/Pets +4\n/)
  })

  it('reads the port from a variable', async () => {
    const cli = new Cli([], { env: { PETSTORE_SANDBOX_PORT: '0' } })
    const [, port] = await cli.printed(/127\.0\.0\.1:(\d+)\//)
    expect(Number(port)).not.toBe(7387)
  })

  it.each([
    {
      variable: 'PETSTORE_SANDBOX_PORT',
      value: 'tcp://10.0.0.1:80',
      message:
        'Cannot set PETSTORE_SANDBOX_PORT: found "tcp://10.0.0.1:80"; use a whole number from 0 to 65535',
    },
    {
      variable: 'PETSTORE_SANDBOX_FROZEN',
      value: 'yes',
      message: 'Cannot set PETSTORE_SANDBOX_FROZEN: found "yes"; use true or false',
    },
    {
      variable: 'PETSTORE_SANDBOX_RATE_LIMIT',
      value: 'off',
      message: 'Cannot set PETSTORE_SANDBOX_RATE_LIMIT: found "off"; use one of enforced, reported',
    },
    {
      variable: 'PETSTORE_SANDBOX_GAP',
      value: 'banAfter',
      message:
        'Cannot set PETSTORE_SANDBOX_GAP: found "banAfter"; use name=choice, such as retryAfterFormat=http-date',
    },
    {
      variable: 'PETSTORE_SANDBOX_PROT',
      value: '1',
      message:
        'Cannot use PETSTORE_SANDBOX_PROT: there is no such option; did you mean PETSTORE_SANDBOX_PORT?',
    },
    {
      variable: 'PETSTORE_SANDBOX_NONSENSE',
      value: '',
      message:
        'Cannot use PETSTORE_SANDBOX_NONSENSE: there is no such option; see petstore-sandbox --help',
    },
  ])('refuses $variable="$value"', async ({ variable, value, message }) => {
    expect(await runMain([], { env: { [variable]: value } })).toEqual({
      code: 2,
      stdout: '',
      stderr: `petstore-sandbox: ${message}\n`,
    })
  })

  it.each([
    { config: { frozen: true }, args: ['--scale', '5'], clock: 'scaled, 5 times as fast' },
    { config: { scale: 5 }, args: ['--frozen'], clock: 'stands still' },
    { config: { scale: 5 }, args: ['--no-frozen'], clock: 'scaled, 5 times as fast' },
    { config: { frozen: true, scale: 5 }, args: ['--no-frozen'], clock: 'scaled, 5 times as fast' },
    {
      config: { frozen: true, scale: 5 },
      args: ['--scale', '2'],
      clock: 'scaled, 2 times as fast',
    },
    { config: { frozen: true }, env: { SCALE: '3' }, clock: 'scaled, 3 times as fast' },
    { env: { FROZEN: '1' }, args: ['--scale', '5'], clock: 'scaled, 5 times as fast' },
    { config: { frozen: true }, env: { SCALE: '3' }, args: ['--frozen'], clock: 'stands still' },
  ])(
    'lets the higher one of frozen and scale count: $config, $env, $args',
    async ({ config = {}, env = {}, args = [], clock }) => {
      const { cli } = await serveCli(args, { cwd: folderWith(config), env: variables(env) })
      expect(cli.stdout).toContain(`(${clock})`)
    },
  )

  it.each([
    { config: { pets: 5 }, args: ['--seed-file', 'seed.json'], pets: 1, key: 'own-key' },
    { config: { 'seed-file': 'seed.json' }, args: ['--pets', '5'], pets: 5, key: 'own-key' },
    { env: { SEED_FILE: 'seed.json' }, args: ['--pets', '5'], pets: 5, key: 'own-key' },
    { config: { pets: 5 }, env: { SEED_FILE: 'seed.json' }, pets: 1, key: 'own-key' },
    { config: { pets: 5 }, args: ['--seed-file', 'keys.json'], pets: 5, key: 'own-key' },
    { config: { 'seed-file': 'keys.json' }, args: ['--pets', '5'], pets: 5, key: 'own-key' },
  ])(
    'lets the higher one of pets and seed-file count: $config, $env, $args',
    async ({ config = {}, env = {}, args = [], pets, key }) => {
      const cwd = folderWith(config)
      const keys = [{ key, plan: 'free' }]
      const own = [{ id: 7, name: 'Own', categoryId: 1 }]
      writeFileSync(join(cwd, 'seed.json'), JSON.stringify({ pets: own, keys }))
      writeFileSync(join(cwd, 'keys.json'), JSON.stringify({ keys }))
      const { cli } = await serveCli(args, { cwd, env: variables(env) })
      expect(cli.stdout).toMatch(new RegExp(`Pets +${pets}\\n[^]*${key}`))
    },
  )

  it.each([
    {
      config: { frozen: true, scale: 5 },
      message: 'Cannot use scale: frozen stops the clock; use one of them',
    },
    {
      env: { FROZEN: '1', SCALE: '5' },
      message:
        'Cannot use PETSTORE_SANDBOX_SCALE: PETSTORE_SANDBOX_FROZEN stops the clock; use one of them',
    },
    {
      config: { 'seed-file': 'seed.json' },
      env: { FROZEN: '1' },
      args: ['--pets', '5', '--seed-file', 'seed.json'],
      message: 'Cannot use --pets: seed.json has pets too; use one of them',
    },
  ])(
    'refuses two of one layer that exclude each other: $config, $env, $args',
    async ({ config = {}, env = {}, args = [], message }) => {
      const cwd = folderWith(config)
      writeFileSync(join(cwd, 'seed.json'), '{ "pets": [] }')
      expect(await runMain(args, { cwd, env: variables(env) })).toEqual({
        code: 2,
        stdout: '',
        stderr: `petstore-sandbox: ${message}\n`,
      })
    },
  )
})
