import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readConfigFile, readExceptions } from '../../../src/cli/serve/config-file.ts'
import { readServeSettings } from '../../../src/cli/serve/serve-settings.ts'
import { serveCli, testFolder } from '../../kit/cli-process.ts'
import { runMain } from '../../kit/run-main.ts'

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

describe('readConfigFile()', () => {
  it('reads petstore-sandbox.config.json where it is in the current folder', async () => {
    const { cli } = await serveCli([], { cwd: folderWith('{ "pets": 3 }') })
    expect(cli.stdout).toMatch(/Pets +3\n/)
  })

  it('reads the file that --config names in its place', async () => {
    const cwd = folderWith('{ "pets": 3 }')
    writeFileSync(join(cwd, 'mine.json'), '\ufeff{ "pets": 4 }')
    expect(await readConfigFile(join(cwd, 'mine.json'))).toEqual({ pets: 4 })
    const { cli } = await serveCli(['--config=mine.json'], { cwd })
    expect(cli.stdout).toMatch(/Pets +4\n/)
  })

  it('reads every option', async () => {
    const config = {
      port: 0,
      host: 'localhost',
      pets: 12,
      seed: 5,
      frozen: true,
      'rate-limit': 'reported',
      scenario: ['flaky'],
      watch: false,
      sandbox: ['alice', 'bob'],
      'auto-create': true,
      'max-sandboxes': 3,
      'journal-size': 4,
      'allowed-host': ['a.test'],
      'control-token': 'secret',
      log: 'json',
    }
    const at = { clock: '2030-01-01T00:00:00Z', gap: { banAfter: 'never', banStatus: 403 } }
    expect(await settingsOf({ ...config, ...at })).toMatchObject({
      ...config,
      clock: Date.parse(at.clock),
      gap: at.gap,
    })
  })

  it('takes names as in JavaScript, too', async () => {
    const folder = folderWith('{ "portFile": "port.txt", "rateLimit": "reported" }')
    expect(await readConfigFile(join(folder, defaultFile))).toEqual({
      'port-file': join(folder, 'port.txt'),
      'rate-limit': 'reported',
    })
  })

  it.each([
    { form: 'an object', gap: { banAfter: 2, emptyName: 'reject' } },
    { form: 'a list of texts', gap: ['banAfter=2', 'emptyName=reject'] },
    { form: 'a list of objects', gap: [{ banAfter: 2 }, { emptyName: 'reject' }] },
    { form: 'one text', gap: 'banAfter=2,emptyName=reject' },
  ])('reads gaps from $form', async ({ gap }) => {
    expect(await settingsOf({ gap })).toMatchObject({ gap: { banAfter: 2, emptyName: 'reject' } })
  })

  it('finds the files that it names beside it', async () => {
    const cwd = testFolder()
    mkdirSync(join(cwd, 'settings'))
    writeFileSync(
      join(cwd, 'settings', 'mine.json'),
      '{ "seed-file": "seed.json", "static": "../dist", "state": "/tmp/state.json" }',
    )
    expect(await readConfigFile(join(cwd, 'settings', 'mine.json'))).toEqual({
      'seed-file': join(cwd, 'settings', 'seed.json'),
      static: join(cwd, 'dist'),
      state: '/tmp/state.json',
    })
  })

  it.each([
    {
      text: '{ "prot": 1 }',
      at: '1:11',
      message: /^Cannot set prot: unknown option; did you mean port\?$/,
    },
    {
      text: '{\n  "config": "a.json"\n}',
      at: '2:13',
      message: /^Cannot set config: unknown option; use port, host, /,
    },
    {
      text: '{ "__proto__": 1 }',
      at: '1:16',
      message: /^Cannot set __proto__: unknown option; use /,
    },
    {
      text: '[]',
      at: '1:1',
      message: /^Cannot set the options: found an array of 0; use an object such as /,
    },
    {
      text: 'null',
      at: '1:1',
      message: /^Cannot set the options: found null; use an object such as /,
    },
    {
      text: '{ "port": "80" }',
      at: '1:11',
      message: /^Cannot set port: found "80"; use a whole number/,
    },
    {
      text: '{ "port": true }',
      at: '1:11',
      message: /^Cannot set port: found true; use a whole number/,
    },
    {
      text: '{ "host": 5 }',
      at: '1:11',
      message: /^Cannot set host: found 5; use a non-empty string/,
    },
    {
      text: '{ "host": null }',
      at: '1:11',
      message: /^Cannot set host: found null; use a non-empty string/,
    },
    {
      text: '{ "frozen": "true" }',
      at: '1:13',
      message: /^Cannot set frozen: found "true"; use true or false/,
    },
    {
      text: '{ "clock": "noon" }',
      at: '1:12',
      message: /^Cannot set clock: found "noon"; use ISO 8601/,
    },
    {
      text: '{ "log": "loud" }',
      at: '1:10',
      message: /^Cannot set log: found "loud"; use one of pretty/,
    },
    { text: '{ "gap": [1] }', at: '1:10', message: /^Cannot set gap: found 1; use name=value/ },
    {
      text: '{ "gap": { "banAfter": "x" } }',
      at: '1:24',
      message: /^Cannot set gap\.banAfter: found "x"; /,
    },
    {
      text: '{\n  "gap": { "none": 1 } }',
      at: '2:20',
      message: /^Cannot set gap\.none: unknown property; use /,
    },
    {
      text: '{ "gap": { "__proto__": 1 } }',
      at: '1:25',
      message: /^Cannot set gap\.__proto__: unknown property; use /,
    },
    { text: '', at: '1:1', message: /^Cannot read the file: it is not valid JSON/ },
    {
      text: '{\n  "port": 0,\n}',
      at: '3:1',
      message: /^Cannot read the file: it is not valid JSON/,
    },
    {
      text: '{\r\n  "port": 0\r\n  "log": "json" }',
      at: '3:3',
      message: /^Cannot read the file: it is not valid JSON/,
    },
    { text: "{ 'port': 0 }", at: '1:3', message: /^Cannot read the file: it is not valid JSON/ },
    {
      text: '{ "port": 0 // any\n}',
      at: '1:13',
      message: /^Cannot read the file: it is not valid JSON/,
    },
    {
      text: '{ "port": 0 } true',
      at: '1:15',
      message: /^Cannot read the file: it is not valid JSON/,
    },
    {
      text: '{ "portFile": 5 }',
      at: '1:15',
      message: /^Cannot set portFile: found 5; use a non-empty string$/,
    },
    {
      text: '{ "portfile": "a" }',
      at: '1:15',
      message: /^Cannot set portfile: unknown option; did you mean port-file\?$/,
    },
    {
      text: '{ "audit": [] }',
      at: '1:12',
      message: /^Cannot set audit: found an array of 0; use an object such as \{ "exceptions": /,
    },
    {
      text: '{ "audit": { "exeptions": [] } }',
      at: '1:27',
      message: /^Cannot set audit\.exeptions: unknown property; use exceptions$/,
    },
    {
      text: '{ "audit": { "exceptions": [{ "rule": "list-cut" }] } }',
      at: '1:29',
      message:
        /^Cannot set audit\.exceptions\[0\]\.reason: it is missing; use a sentence that says why$/,
    },
    {
      text: '{ "audit": { "exceptions": [{ "rule": "list-cut", "reason": " " }] } }',
      at: '1:61',
      message:
        /^Cannot set audit\.exceptions\[0\]\.reason: found " "; use a sentence that says why$/,
    },
    {
      text: '{ "audit": { "exceptions": [{ "rule": "lists-cut", "reason": "a" }] } }',
      at: '1:39',
      message: /^Cannot set audit\.exceptions\[0\]\.rule: found "lists-cut"; use one of retry-too-/,
    },
    {
      text: '{ "audit": { "exceptions": [{ "rule": "list-cut", "reason": "a", "until": "June" }] } }',
      at: '1:75',
      message: /^Cannot set audit\.exceptions\[0\]\.until: found "June"; use ISO 8601 with a zone/,
    },
    {
      text: '{ "audit": { "exceptions": [{ "rule": "lockstep", "reason": "a" },\n{ "rule": "lockstep", "reason": "b" }] } }',
      at: '2:11',
      message:
        /^Cannot set audit\.exceptions\[1\]\.rule: lockstep has an exception already; keep one$/,
    },
    {
      text: '{ "Audit": {} }',
      at: '1:12',
      message: /^Cannot set Audit: unknown option; /,
    },
    {
      text: '{ "port-file": "a",\n  "portFile": "b" }',
      at: '2:15',
      message: /^Cannot set portFile: port-file is set twice; set it once$/,
    },
  ])('refuses $text, and says where', async ({ text, at, message }) => {
    const file = join(folderWith(text), defaultFile)
    const error = await readConfigFile(file).catch((thrown: unknown) => thrown)
    const [start, reason] = [`${file}:${at}: `, String(error).replace('CliError: ', '')]
    expect(error).toMatchObject({ exitCode: 1 })
    expect(reason.slice(0, start.length)).toBe(start)
    expect(reason.slice(start.length)).toMatch(message)
  })

  it('reads what is excepted from the audit, which is no option of serve', async () => {
    const exceptions = [
      { rule: 'list-cut', reason: 'The screen shows ten' },
      { rule: 'lockstep', reason: 'Only one client', until: '2030-01-01' },
    ]
    const file = join(folderWith(JSON.stringify({ audit: { exceptions }, port: 1 })), defaultFile)
    expect(await readConfigFile(file)).toEqual({ port: 1 })
    expect(await readExceptions(file)).toEqual([
      { ...exceptions[0], until: undefined },
      { ...exceptions[1], until: Date.UTC(2030, 0, 1) },
    ])
    expect(await readExceptions(join(folderWith('{ "audit": {} }'), defaultFile))).toEqual([])
  })

  it('is refused by the program with one line and exit code 1', async () => {
    expect(await runMain([], { cwd: folderWith('{ "port": "80" }') })).toEqual({
      code: 1,
      stdout: '',
      stderr: `petstore-sandbox: ${defaultFile}:1:11: Cannot set port: found "80"; use a whole number from 0 to 65535\n`,
    })
  })

  it('refuses a file that is not there', async () => {
    await expect(readConfigFile('missing.json')).rejects.toMatchObject({
      message: 'Cannot read missing.json: it does not exist',
      exitCode: 1,
    })
  })
})
