import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readConfigFile } from '../../../../src/cli/serve/config-file.ts'
import { readServeSettings, type ServeSettings } from '../../../../src/cli/serve/serve-settings.ts'
import { sandboxOptions } from '../../../../src/cli/serve/start-serving.ts'
import { serveCli, testFolder } from '../../../kit/cli-process.ts'

/** What a user sets, in each layer. */
interface Layers {
  readonly config?: Readonly<Record<string, unknown>>
  /** Variables without the beginning of their names. */
  readonly env?: Readonly<Record<string, string>>
  /** Options of the command line. */
  readonly given?: Readonly<Record<string, string>>
}

/** Writes the names of variables in full. */
function variables(env: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(env).map(([name, value]) => [`PETSTORE_SANDBOX_${name}`, value]),
  )
}

/** Reads the settings of all layers, in a folder with seed files. */
async function read({ config = {}, env = {}, given = {} }: Layers): Promise<ServeSettings> {
  const folder = testFolder()
  const keys = [{ key: 'own-key', plan: 'free' }]
  const pets = [{ id: 7, name: 'Own', categoryId: 1 }]
  writeFileSync(join(folder, 'seed.json'), JSON.stringify({ pets, keys }))
  writeFileSync(join(folder, 'keys.json'), JSON.stringify({ keys }))
  writeFileSync(join(folder, 'config.json'), JSON.stringify(config))
  const inFolder = (name: string, value: string): [string, string] => [
    name,
    /^seed.file$/i.test(name) ? join(folder, value) : value,
  ]
  const placed = (values: Readonly<Record<string, string>>): Record<string, string> =>
    Object.fromEntries(Object.entries(values).map(([name, value]) => inFolder(name, value)))
  return await readServeSettings(
    { ...placed(given), config: join(folder, 'config.json') },
    variables(placed(env)),
  )
}

const instant = (text: string): number => Date.parse(text)

describe('readServeSettings()', () => {
  it('takes the command line before a variable, and a variable before the config file', async () => {
    const config = { clock: '2027-01-01', frozen: true, 'rate-limits': 'report-only' }
    const env = { CLOCK: '2028-01-01', LOG: 'pretty' }
    const given = { clock: '2029-01-01', 'rate-limits': 'enforce' }
    const common = { frozen: true, log: 'pretty' }
    expect(await read({ config })).toMatchObject({
      ...common,
      clock: instant('2027-01-01'),
      'rate-limits': 'report-only',
    })
    expect(await read({ config, env })).toMatchObject({
      ...common,
      clock: instant('2028-01-01'),
      'rate-limits': 'report-only',
    })
    expect(await read({ config, env, given })).toMatchObject({
      ...common,
      clock: instant('2029-01-01'),
      'rate-limits': 'enforce',
    })
  })

  it('has a default for what nobody sets', async () => {
    expect(await read({})).toMatchObject({
      port: 7387,
      host: '127.0.0.1',
      static: undefined,
      pets: undefined,
      'random-seed': 1,
      clock: undefined,
      frozen: false,
      gap: {},
      'rate-limits': 'enforce',
      scenario: [],
      sandbox: [],
      log: 'pretty',
    })
  })

  it('takes a flag back with --no-frozen', async () => {
    const config = { clock: '2027-01-01', frozen: true }
    expect(await read({ config, given: { frozen: 'false' } })).toMatchObject({ frozen: false })
  })

  it('takes gaps from the config file, variables and the command line together', async () => {
    const settings = await read({
      config: { gaps: { banAfter: 1, banDuration: '1h', listOrder: 'shuffled' } },
      env: { GAP: 'banAfter=2, banStatus=403' },
      given: { gap: 'banAfter=3,idSequence=large' },
    })
    expect(settings.gap).toEqual({
      banAfter: 3,
      banDuration: '1h',
      banStatus: 403,
      idSequence: 'large',
      listOrder: 'shuffled',
    })
  })

  it.each([
    { variable: 'CLOCK', value: '2030-01-01', set: { clock: instant('2030-01-01') } },
    { variable: 'CLOCK', value: '1000', set: { clock: 1000 } },
    { variable: 'FROZEN', value: '1', set: { frozen: true } },
    { variable: 'FROZEN', value: 'false', set: { frozen: false } },
    { variable: 'CLOCK_SPEED', value: '2.5', set: { 'clock-speed': 2.5 } },
    { variable: 'HOST', value: 'localhost', set: { host: 'localhost' } },
    { variable: 'HOST', value: '[::1]', set: { host: '::1' } },
    { variable: 'SCENARIO', value: 'slow,flaky', set: { scenario: ['slow', 'flaky'] } },
    {
      variable: 'ALLOWED_HOST',
      value: 'a.test,b.test',
      set: { 'allowed-host': ['a.test', 'b.test'] },
    },
    { variable: 'RANDOM_SEED', value: '', set: { 'random-seed': 1 } },
    { variable: 'HOST', value: '', set: { host: '127.0.0.1' } },
    { variable: 'PORT_FILE', value: '', set: { 'port-file': undefined } },
    { variable: 'URL', value: 'http://127.0.0.1:1', set: { host: '127.0.0.1' } },
  ])('reads PETSTORE_SANDBOX_$variable="$value"', async ({ variable, value, set }) => {
    expect(await read({ env: { [variable]: value } })).toMatchObject(set)
  })

  it('reads the config file that a variable names', async () => {
    const file = join(testFolder(), 'mine.json')
    writeFileSync(file, '{ "pets": 4 }')
    expect(await readServeSettings({}, { PETSTORE_SANDBOX_CONFIG: file })).toMatchObject({
      pets: 4,
    })
  })

  it.each([
    {
      variable: 'PETSTORE_SANDBOX_PORT',
      value: 'tcp://10.0.0.1:80',
      message:
        'Cannot set PETSTORE_SANDBOX_PORT: found "tcp://10.0.0.1:80"; use a whole number from 0 to 65535',
    },
    {
      variable: 'PETSTORE_SANDBOX_GAP',
      value: 'banAfter',
      message:
        'Cannot set PETSTORE_SANDBOX_GAP: found "banAfter"; use name=value, such as retryAfterFormat=http-date',
    },
    {
      variable: 'PETSTORE_SANDBOX_GAP',
      value: 'emptyName=maybe',
      message:
        'Cannot set PETSTORE_SANDBOX_GAP.emptyName: found "maybe"; use one of accept, reject',
    },
    {
      variable: 'PETSTORE_SANDBOX_PROT',
      value: '1',
      message:
        'Cannot use PETSTORE_SANDBOX_PROT: unknown option; did you mean PETSTORE_SANDBOX_PORT?',
    },
    {
      variable: 'PETSTORE_SANDBOX_NONSENSE',
      value: '',
      message:
        'Cannot use PETSTORE_SANDBOX_NONSENSE: unknown option; see npx petstore-sandbox --help',
    },
  ])('rejects $variable="$value"', async ({ variable, value, message }) => {
    await expect(readServeSettings({}, { [variable]: value })).rejects.toThrow(message)
  })

  it('rejects what a higher layer overrides, too', async () => {
    const env = { PORT: 'x' }
    await expect(read({ env, given: { port: '0' } })).rejects.toThrow(
      'Cannot set PETSTORE_SANDBOX_PORT: found "x"',
    )
  })

  it.each([
    {
      config: { frozen: true },
      given: { 'clock-speed': '5' },
      pace: { frozen: false, 'clock-speed': 5 },
    },
    {
      config: { 'clock-speed': 5 },
      given: { frozen: 'true' },
      pace: { frozen: true, 'clock-speed': undefined },
    },
    {
      config: { 'clock-speed': 5 },
      given: { frozen: 'false' },
      pace: { frozen: false, 'clock-speed': 5 },
    },
    {
      config: { frozen: true, 'clock-speed': 5 },
      given: { 'clock-speed': '2' },
      pace: { frozen: false, 'clock-speed': 2 },
    },
    {
      config: { frozen: true },
      env: { CLOCK_SPEED: '3' },
      given: { frozen: 'true' },
      pace: { frozen: true, 'clock-speed': undefined },
    },
  ])(
    'lets the higher one of frozen and speed count: $config, $env, $given',
    async ({ pace, ...layers }) => {
      expect(await read(layers)).toMatchObject(pace)
    },
  )

  it.each([
    { config: { pets: 5 }, given: { 'seed-file': 'seed.json' }, pets: 1 },
    { config: { 'seed-file': 'seed.json' }, given: { pets: '5' }, pets: 5 },
    { config: { pets: 5 }, env: { SEED_FILE: 'seed.json' }, pets: 1 },
    { config: { pets: 5 }, given: { 'seed-file': 'keys.json' }, pets: 5 },
    { config: { 'seed-file': 'keys.json' }, given: { pets: '5' }, pets: 5 },
  ])(
    'lets the higher one of pets and seed-file count: $config, $env, $given',
    async ({ pets, ...layers }) => {
      const { seed } = await sandboxOptions(await read(layers))
      expect(seed?.pets).toHaveLength(pets)
      expect(seed?.keys).toMatchObject([{ key: 'own-key' }])
    },
  )

  it.each([
    {
      config: { frozen: true, 'clock-speed': 5 },
      message: 'Cannot use clock-speed: frozen stops the clock; use one of them',
    },
    {
      env: { FROZEN: '1', CLOCK_SPEED: '5' },
      message:
        'Cannot use PETSTORE_SANDBOX_CLOCK_SPEED: PETSTORE_SANDBOX_FROZEN stops the clock; use one of them',
    },
    {
      given: { frozen: 'true', 'clock-speed': '5' },
      message: 'Cannot use --clock-speed: --frozen stops the clock; use one of them',
    },
  ])(
    'rejects two of one layer that exclude each other: $config, $env, $given',
    async ({ message, ...layers }) => {
      await expect(read(layers)).rejects.toMatchObject({ message, exitCode: 2 })
    },
  )

  it('rejects pets in two ways in one layer', async () => {
    const settings = await read({
      config: { 'seed-file': 'seed.json' },
      env: { FROZEN: '1' },
      given: { pets: '5', 'seed-file': 'seed.json' },
    })
    await expect(sandboxOptions(settings)).rejects.toMatchObject({
      message: `Cannot use --pets: ${settings['seed-file']} has pets too; use one of them`,
      exitCode: 2,
    })
  })
})

describe('petstore-sandbox', () => {
  it('takes options from all three layers', async () => {
    const cwd = testFolder()
    writeFileSync(join(cwd, 'petstore-sandbox.config.json'), '{ "clock": "2027-01-01" }')
    const env = { PETSTORE_SANDBOX_FROZEN: '1', PETSTORE_SANDBOX_PORT: '0' }
    const { cli } = await serveCli(['--pets', '1', '--pets', '3'], { cwd, env })
    expect(cli.stdout).toContain('2027-01-01T00:00:00Z, frozen')
    expect(cli.stdout).toMatch(/Pets +3\n/)
  })
})

const defaultFile = 'petstore-sandbox.config.json'

/** Makes a folder with a file of some text in it. */
function folderWith(text: string, name = defaultFile): string {
  const folder = testFolder()
  writeFileSync(join(folder, name), text)
  return folder
}

/** Reads the settings of a config file. */
function settingsOf(config: unknown) {
  return readServeSettings({ config: join(folderWith(JSON.stringify(config)), defaultFile) }, {})
}

/** Config files that are rejected. */
const wrongFiles = [
  '{ "prot": 1 }',
  '{\n  "config": "a.json"\n}',
  '{ "__proto__": 1 }',
  '[]',
  '{ "port": "80" }',
  '{ "host": 5 }',
  '{ "frozen": "true" }',
  '{ "clock": "noon" }',
  '{ "gaps": { "banAfter": "x" } }',
  '{\n  "gaps": { "none": 1 } }',
  '{ "gaps": { "__proto__": 1 } }',
  '{ "gap": { "banAfter": 3 } }',
  '{ "seed": 7 }',
  '',
  '{\n  "port": 0,\n}',
  '{\r\n  "port": 0\r\n  "log": "json" }',
  "{ 'port': 0 }",
  '{ "port": 0 // any\n}',
  '{ "port": 0 } true',
  '{ "portfile": "a" }',
  '{ "audit": [] }',
  '{ "audit": { "exeptions": [] } }',
  '{ "audit": { "exceptions": [{ "rule": "list-truncated", "reason": " " }] } }',
  '{ "audit": { "exceptions": [{ "rule": "lists-cut", "reason": "a" }] } }',
  '{ "audit": { "exceptions": [{ "rule": "list-truncated", "reason": "a", "until": "June" }] } }',
  '{ "audit": { "exceptions": [{ "rule": "too-many-parallel-requests", "reason": "a" },\n{ "rule": "too-many-parallel-requests", "reason": "b" }] } }',
  '{ "Audit": {} }',
  '{ "port-file": "a",\n  "portFile": "b" }',
]

describe('readConfigFile()', () => {
  it('reads petstore-sandbox.config.json where it is in the current folder', async () => {
    const { cli } = await serveCli([], { cwd: folderWith('{ "pets": 3 }') })
    expect(cli.stdout).toMatch(/Pets +3\n/)
  })

  it('reads the file that --config names in its place', async () => {
    const cwd = folderWith('{ "pets": 3 }')
    writeFileSync(join(cwd, 'mine.json'), '\ufeff{ "pets": 4 }')
    expect((await readConfigFile(join(cwd, 'mine.json'))).options).toEqual({ pets: 4 })
    const { cli } = await serveCli(['--config=mine.json'], { cwd })
    expect(cli.stdout).toMatch(/Pets +4\n/)
  })

  it('reads every option', async () => {
    const config = {
      port: 0,
      host: 'localhost',
      pets: 12,
      'random-seed': 5,
      frozen: true,
      'rate-limits': 'report-only',
      scenario: ['flaky'],
      watch: false,
      sandbox: ['alice', 'bob'],
      'auto-create': true,
      'max-sandboxes': 3,
      'max-requests': 4,
      'allowed-host': ['a.test'],
      'control-token': 'secret',
      log: 'json',
    }
    const at = { clock: '2030-01-01T00:00:00Z', gaps: { banAfter: 'never', banStatus: 403 } }
    expect(await settingsOf({ ...config, ...at })).toMatchObject({
      ...config,
      clock: Date.parse(at.clock),
      gap: at.gaps,
    })
  })

  it('takes names as in JavaScript, too', async () => {
    const folder = folderWith('{ "portFile": "port.txt", "randomSeed": 7 }')
    expect((await readConfigFile(join(folder, defaultFile))).options).toEqual({
      'port-file': join(folder, 'port.txt'),
      'random-seed': 7,
    })
  })

  it.each([
    { form: 'an object', gaps: { banAfter: 2, emptyName: 'reject' } },
    { form: 'a list of texts', gaps: ['banAfter=2', 'emptyName=reject'] },
    { form: 'a list of objects', gaps: [{ banAfter: 2 }, { emptyName: 'reject' }] },
    { form: 'one text', gaps: 'banAfter=2,emptyName=reject' },
  ])('reads gaps from $form', async ({ gaps }) => {
    expect(await settingsOf({ gaps })).toMatchObject({ gap: { banAfter: 2, emptyName: 'reject' } })
  })

  it('finds the files that it names beside it', async () => {
    const cwd = testFolder()
    mkdirSync(join(cwd, 'settings'))
    writeFileSync(
      join(cwd, 'settings', 'mine.json'),
      '{ "seed-file": "seed.json", "static": "../dist", "state": "/tmp/state.json" }',
    )
    expect((await readConfigFile(join(cwd, 'settings', 'mine.json'))).options).toEqual({
      'seed-file': join(cwd, 'settings', 'seed.json'),
      static: join(cwd, 'dist'),
      state: '/tmp/state.json',
    })
  })

  it('rejects a wrong file, and says where and why', async () => {
    const said: string[] = []
    for (const text of wrongFiles) {
      const file = join(folderWith(text), defaultFile)
      const error = await readConfigFile(file).catch((thrown: unknown) => thrown)
      expect(error).toMatchObject({ exitCode: 2 })
      const { message } = error as Error
      expect(message.slice(0, file.length)).toBe(file)
      said.push(text.replaceAll('\r', '\\r'), `  ${message.slice(file.length + 1).slice(0, 160)}`)
    }
    await expect(`${said.join('\n')}\n`).toMatchFileSnapshot('wrong-config-files.txt')
  })

  it('reads what is excepted from the audit, which is no option of serve', async () => {
    const exceptions = [
      { rule: 'list-truncated', reason: 'The screen shows ten' },
      { rule: 'too-many-parallel-requests', reason: 'Only one client', until: '2030-01-01' },
    ]
    const file = join(folderWith(JSON.stringify({ audit: { exceptions }, port: 1 })), defaultFile)
    expect(await readConfigFile(file)).toEqual({
      options: { port: 1 },
      exceptions: [
        { ...exceptions[0], until: undefined },
        { ...exceptions[1], until: Date.UTC(2030, 0, 1) },
      ],
    })
    const empty = await readConfigFile(join(folderWith('{ "audit": {} }'), defaultFile))
    expect(empty.exceptions).toEqual([])
  })
})
