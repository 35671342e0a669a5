import { spawnSync } from 'node:child_process'
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import {
  clearPortFile,
  readJsonFile,
  removePortFile,
  replaceFile,
  writeFile,
} from '../../../src/cli/files.ts'
import { InputError } from '../../../src/mock/input/input-error.ts'
import { runCli, testFolder } from '../../kit/cli-process.ts'
import { runMain } from '../../kit/run-main.ts'
import { testServer } from '../../kit/test-server.ts'

/** A folder with what is no file to read, or too large. */
function oddFiles(): string {
  const folder = testFolder()
  spawnSync('mkfifo', [join(folder, 'pipe')])
  mkdirSync(join(folder, 'folder'))
  symlinkSync('loop', join(folder, 'loop'))
  writeFileSync(join(folder, 'large'), '')
  // It takes no room on the disk.
  truncateSync(join(folder, 'large'), 2 ** 26 + 1)
  return folder
}

const odd = [
  { file: 'pipe', why: 'it is not a regular file' },
  { file: '/dev/zero', why: 'it is not a regular file' },
  { file: 'folder', why: 'it is a folder' },
  { file: 'loop', why: 'it is a link to itself' },
  { file: 'none', why: 'it does not exist' },
  { file: 'large', why: 'it has 65 MiB; use at most 64 MiB' },
  // Its size is 0, and it has hundreds of GiB; only Linux has it.
  ...(existsSync('/proc/self/pagemap')
    ? [{ file: '/proc/self/pagemap', why: 'it has more than 64 MiB; use at most 64 MiB' }]
    : []),
]

describe('petstore-sandbox', () => {
  it.each([
    { option: '--seed-file', file: 'pipe', exitCode: 2 },
    { option: '--config', file: '/dev/zero', exitCode: 2 },
    { option: '--state', file: '/dev/zero', exitCode: 1 },
  ])('ends with one line for $option $file', async ({ option, file, exitCode }) => {
    const { code, stdout, stderr } = await runMain(['--port', '0', option, file], {
      cwd: oddFiles(),
    })
    expect([code, stdout]).toEqual([exitCode, ''])
    expect(stderr).toMatch(/^petstore-sandbox: Cannot (?:read|keep the state in) .*: it .*\n$/)
  })
})

describe('a capture that is too large', () => {
  it.each(['open', 'replay'])('is rejected in one line by %s', async (command) => {
    const { code, stderr } = await runMain([command, 'large'], { cwd: oddFiles() })
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: 'petstore-sandbox: Cannot read large: it has 65 MiB; use at most 64 MiB\n',
    })
  })
})

/** Runs the program with a file as the value of an option. */
async function runWith(option: string, content: string | Buffer) {
  const cwd = testFolder()
  writeFileSync(join(cwd, 'file.json'), content)
  const { code, stdout, stderr } = await runMain(['--port', '0', option, 'file.json'], { cwd })
  return { code, stdout, stderr }
}

function arrays(depth: number): string {
  return '['.repeat(depth) + ']'.repeat(depth)
}

const deepObject = `${'{"a":'.repeat(200_000)}1${'}'.repeat(200_000)}`

describe('readJsonFile()', () => {
  it.each(odd)('reads nothing of $file, and says why', async ({ file, why }) => {
    const path = file.startsWith('/') ? file : join(oddFiles(), file)
    await expect(readJsonFile(path, String)).rejects.toThrow(`Cannot read ${path}: ${why}`)
  })

  it.each([
    {
      form: 'arrays',
      option: '--seed-file',
      text: `{"pets":${arrays(200_000)}}`,
      reason: /^file\.json: Cannot set seed\.pets\[0\]: found an array of 1; /,
    },
    {
      form: 'unclosed arrays',
      option: '--seed-file',
      text: `{"pets":${'['.repeat(200_000)}`,
      reason: /^file\.json: Cannot read the file: it is not valid JSON$/,
    },
    {
      form: 'arrays',
      option: '--config',
      text: `{"pets":${arrays(200_000)}}`,
      reason: /^file\.json: Cannot set pets: found an array of 1; /,
    },
    {
      form: 'objects',
      option: '--state',
      text: `{"petstoreSandbox":1,"sandboxes":{"a":{"settings":{"seed":${deepObject}}}}}`,
      reason: /^file\.json: Cannot /,
    },
  ])('rejects deeply nested $form in $option with one line', async ({ option, text, reason }) => {
    const { code, stdout, stderr } = await runWith(option, text)
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr.match(/\n/g)).toHaveLength(1)
    expect(stderr.replace('petstore-sandbox: ', '').trimEnd()).toMatch(reason)
  })

  it.each([
    { form: 'Latin-1', bytes: [0xfc, 0x22, 0x7d], at: '2:15', byte: '0xfc' },
    { form: 'half a character', bytes: [0xc5], at: '2:15', byte: '0xc5' },
    { form: 'a character too long', bytes: [0xc0, 0xaf, 0x22], at: '2:15', byte: '0xc0' },
    { form: 'half of a pair', bytes: [0xed, 0xa0, 0x80], at: '2:15', byte: '0xed' },
    {
      form: 'one after a mark of its own',
      bytes: [0xef, 0xbf, 0xbd, 0x80],
      at: '2:16',
      byte: '0x80',
    },
  ])('rejects a file that is not UTF-8, but $form, and says where', async ({ bytes, at, byte }) => {
    const content = Buffer.concat([Buffer.from('\ufeff{\n  "host": "Ż🐕'), Buffer.from(bytes)])
    for (const option of ['--config', '--seed-file', '--state']) {
      expect(await runWith(option, content)).toEqual({
        code: 2,
        stdout: '',
        stderr: `petstore-sandbox: file.json:${at}: Cannot read the file: found the byte ${byte}, which is not UTF-8; save the file as UTF-8\n`,
      })
    }
  })

  it('rejects UTF-16 at its first byte', async () => {
    const content = Buffer.from('\ufeff{}', 'utf16le')
    const { stderr } = await runWith('--config', content)
    expect(stderr).toContain('file.json:1:1: Cannot read the file: found the byte 0xff,')
  })

  it.each([
    { count: 500, place: ':501:17' },
    { count: 600, place: '' },
  ])(
    'finds the place of a mistake after $count items of 60 KB, or leaves it out',
    async ({ count, place }) => {
      const item = JSON.stringify({ rule: 'x'.repeat(60_000), requests: [1, { a: 2 }] })
      const file = join(testFolder(), 'large.json')
      writeFileSync(
        file,
        `{"findings":[\n${`${item},\n`.repeat(count - 1)}{"rule": {"id": true}}]}`,
      )
      const rejecting = (): never => {
        throw new InputError('Cannot use it', ['findings', count - 1, 'rule', 'id', 'there'])
      }
      await expect(readJsonFile(file, rejecting)).rejects.toThrow(`${file}${place}: Cannot use it`)
    },
  )
})

describe('replaceFile()', () => {
  it('writes through no link that stands where its predecessors wrote first', () => {
    const folder = testFolder()
    writeFileSync(join(folder, 'victim'), 'mine')
    symlinkSync('victim', join(folder, `.state.json.${process.pid}.part`))
    replaceFile(join(folder, 'state.json'), 'state')
    expect(readFileSync(join(folder, 'victim'), 'utf8')).toBe('mine')
    expect(lstatSync(join(folder, 'state.json')).isFile()).toBe(true)
    expect(readFileSync(join(folder, 'state.json'), 'utf8')).toBe('state')
  })
})

describe('clearPortFile()', () => {
  it('removes what an earlier process has left, but no link to it', () => {
    const folder = testFolder()
    const [file, link] = [join(folder, 'port.txt'), join(folder, 'link.txt')]
    writeFileSync(file, '1')
    symlinkSync(file, link)
    clearPortFile(link)
    expect(readdirSync(folder)).toEqual(['link.txt'])
    clearPortFile(link)
    writeFile(link, '80', 0o666)
    expect(lstatSync(link).isSymbolicLink()).toBe(true)
    expect(readFileSync(file, 'utf8')).toBe('80')
  })
})

describe('writeFile()', () => {
  it('replaces the file, which everybody may read, and leaves no other', () => {
    const folder = testFolder()
    const file = join(folder, 'port.txt')
    writeFileSync(file, '12345')
    const { ino } = statSync(file)
    writeFile(file, '80', 0o666)
    expect(readFileSync(file, 'utf8')).toBe('80')
    expect(statSync(file).ino).not.toBe(ino)
    expect(statSync(file).mode & 0o777).toBe(0o666 & ~process.umask())
    expect(readdirSync(folder)).toEqual(['port.txt'])
  })

  it('writes to what is no file without replacing it', () => {
    const link = join(testFolder(), 'port.txt')
    symlinkSync('/dev/null', link)
    clearPortFile(link)
    writeFile(link, '80', 0o666)
    removePortFile(link, 80)
    expect(statSync(link).isCharacterDevice()).toBe(true)
  })
})

describe('removePortFile()', () => {
  it.each([
    { text: '80', isThere: false },
    { text: '81', isThere: true },
    { text: '', isThere: true },
  ])('leaves a file with "$text" after port 80: $isThere', ({ text, isThere }) => {
    const file = join(testFolder(), 'port.txt')
    writeFileSync(file, text)
    removePortFile(file, 80)
    expect(existsSync(file)).toBe(isThere)
  })
})

describe('petstore-sandbox --port-file', () => {
  it('is not left from before by a process that cannot serve', async () => {
    const { port } = await testServer()
    const cwd = testFolder()
    writeFileSync(join(cwd, 'port.txt'), '1')
    const args = ['--port', String(port), '--port-file', 'port.txt']
    expect(await runCli(args, { cwd })).toMatchObject({ code: 1, stdout: '' })
    expect(readdirSync(cwd)).toEqual([])
  })

  it.each([
    { path: 'folder', reason: 'it is a folder' },
    { path: 'none/port.txt', reason: 'its folder does not exist' },
    { path: 'file/port.txt', reason: 'a part of its path is not a folder' },
  ])('cannot be $path', async ({ path, reason }) => {
    const cwd = testFolder()
    mkdirSync(join(cwd, 'folder'))
    writeFileSync(join(cwd, 'file'), '')
    expect(await runMain(['--port', '0', '--port-file', path], { cwd })).toEqual({
      code: 1,
      stdout: '',
      stderr: `petstore-sandbox: Cannot write ${path}: ${reason}\n`,
    })
  })

  it('is removed when the command of exec has ended', async () => {
    const cwd = testFolder()
    const show = ['-e', 'console.log(fs.readFileSync("port.txt", "utf8"))']
    const args = ['exec', '--port-file', 'port.txt', '--', process.execPath, ...show]
    const { code, stdout } = await runCli(args, { cwd })
    expect(code).toBe(0)
    expect(stdout).toMatch(/^\d+\n$/)
    expect(readdirSync(cwd)).toEqual([])
  })
})
