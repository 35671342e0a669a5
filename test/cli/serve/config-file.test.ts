import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { runCli, serveCli, testFolder } from '../../kit/cli-process.ts'
import { runMain } from '../../kit/run-main.ts'

const usualFile = 'petstore-sandbox.config.json'

/** Makes a folder with a file of some text in it. */
function folderWith(text: string, name = usualFile): string {
  const folder = testFolder()
  writeFileSync(join(folder, name), text)
  return folder
}

describe('readConfigFile()', () => {
  it('reads petstore-sandbox.config.json where it is in the current folder', async () => {
    const { cli } = await serveCli([], { cwd: folderWith('{ "pets": 3 }') })
    expect(cli.stdout).toMatch(/Pets +3\n/)
  })

  it('reads the file that --config names in its place', async () => {
    const cwd = folderWith('{ "pets": 3 }')
    writeFileSync(join(cwd, 'mine.json'), '\ufeff{ "pets": 4 }')
    for (const args of [['--config', 'mine.json'], ['--config=mine.json']]) {
      const { cli } = await serveCli(args, { cwd })
      expect(cli.stdout).toMatch(/Pets +4\n/)
    }
  })

  it('reads every option', async () => {
    const config = {
      port: 0,
      host: 'localhost',
      pets: 12,
      seed: 5,
      clock: '2030-01-01T00:00:00Z',
      frozen: true,
      gap: { banAfter: 'never', banStatus: 403 },
      'rate-limit': 'reported',
      log: 'pretty',
      'port-file': 'port.txt',
    }
    const { cli } = await serveCli([], { cwd: folderWith(JSON.stringify(config)) })
    expect(cli.stdout).toMatch(/Pets +12\n/)
    expect(cli.stdout).toMatch(/Clock +2030-01-01T00:00:00Z \(stands still\)/)
    expect(cli.stdout).toMatch(/Limits +reported\n/)
    expect(cli.stdout).toContain('banAfter=never')
    expect(cli.stdout).toContain('banStatus=403')
  })

  it.each([
    { form: 'an object', gap: { banAfter: 2, emptyName: 'reject' } },
    { form: 'a list of texts', gap: ['banAfter=2', 'emptyName=reject'] },
    { form: 'a list of objects', gap: [{ banAfter: 2 }, { emptyName: 'reject' }] },
    { form: 'one text', gap: 'banAfter=2,emptyName=reject' },
  ])('reads gaps from $form', async ({ gap }) => {
    const { cli } = await serveCli([], { cwd: folderWith(JSON.stringify({ gap })) })
    expect(cli.stdout).toMatch(/Gaps +emptyName=reject, banAfter=2\n/)
  })

  it('finds the files that it names beside it', async () => {
    const cwd = testFolder()
    mkdirSync(join(cwd, 'settings'))
    writeFileSync(join(cwd, 'settings', 'mine.json'), '{ "seed-file": "seed.json" }')
    writeFileSync(join(cwd, 'settings', 'seed.json'), '{ "pets": [] }')
    const { cli } = await serveCli(['--config', 'settings/mine.json'], { cwd })
    expect(cli.stdout).toMatch(/Pets +0\n/)
  })

  it.each([
    {
      text: '{ "prot": 1 }',
      at: '1:11',
      message: /^Cannot use the config: there is no option "prot"; use port, host, /,
    },
    {
      text: '{\n  "config": "a.json"\n}',
      at: '2:13',
      message: /^Cannot use the config: there is no option "config"; use port, /,
    },
    {
      text: '{ "__proto__": 1 }',
      at: '1:16',
      message: /^Cannot use the config: there is no option "__proto__"; use /,
    },
    {
      text: '[]',
      at: '1:1',
      message: /^Cannot use the config: found an array of 0; use an object/,
    },
    { text: 'null', at: '1:1', message: /^Cannot use the config: found null; use an object/ },
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
    { text: '{ "host": 5 }', at: '1:11', message: /^Cannot set host: found 5; use a text/ },
    { text: '{ "host": null }', at: '1:11', message: /^Cannot set host: found null; use a text/ },
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
    { text: '{ "gap": [1] }', at: '1:10', message: /^Cannot set gap: found 1; use name=choice/ },
    {
      text: '{ "gap": { "banAfter": "x" } }',
      at: '1:10',
      message: /^Cannot set gap banAfter: found "x"; /,
    },
    {
      text: '{\n  "gap": { "none": 1 } }',
      at: '2:10',
      message: /^Cannot set gap "none": there is none; use /,
    },
    {
      text: '{ "gap": { "__proto__": 1 } }',
      at: '1:10',
      message: /^Cannot set gap "__proto__": there is none; use /,
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
  ])('refuses $text, and says where', async ({ text, at, message }) => {
    const { code, stdout, stderr } = await runMain([], { cwd: folderWith(text) })
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    const start = `petstore-sandbox: ${usualFile}:${at}: `
    expect(stderr.slice(0, start.length)).toBe(start)
    expect(stderr.slice(start.length)).toMatch(message)
    expect(stderr.match(/\n/g)).toHaveLength(1)
  })

  it('refuses a file that is not there', async () => {
    expect(await runCli(['--config', 'missing.json'])).toEqual({
      code: 1,
      stdout: '',
      stderr: 'petstore-sandbox: Cannot read missing.json: there is no such file or folder\n',
    })
  })
})
