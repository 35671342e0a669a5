import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import { clearPortFile, removePortFile, writePortFile } from '../../../src/cli/files/write-file.ts'
import { Cli, portIn, runCli, testFolder } from '../../kit/cli-process.ts'
import { testServer } from '../../kit/test-server.ts'

describe('clearPortFile()', () => {
  it('removes what an earlier process has left, but no link to it', () => {
    const folder = testFolder()
    const [file, link] = [join(folder, 'port.txt'), join(folder, 'link.txt')]
    writeFileSync(file, '1')
    symlinkSync(file, link)
    clearPortFile(link)
    expect(readdirSync(folder)).toEqual(['link.txt'])
    clearPortFile(link)
    writePortFile(link, 80)
    expect(lstatSync(link).isSymbolicLink()).toBe(true)
    expect(readFileSync(file, 'utf8')).toBe('80')
  })
})

describe('writePortFile()', () => {
  it('replaces the file, which everybody may read, and leaves no other', () => {
    const folder = testFolder()
    const file = join(folder, 'port.txt')
    writeFileSync(file, '12345')
    const { ino } = statSync(file)
    writePortFile(file, 80)
    expect(readFileSync(file, 'utf8')).toBe('80')
    expect(statSync(file).ino).not.toBe(ino)
    expect(statSync(file).mode & 0o777).toBe(0o666 & ~process.umask())
    expect(readdirSync(folder)).toEqual(['port.txt'])
  })

  it('writes to what is no file without replacing it', () => {
    const link = join(testFolder(), 'port.txt')
    symlinkSync('/dev/null', link)
    clearPortFile(link)
    writePortFile(link, 80)
    removePortFile(link, 80, expect.unreachable)
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
    const tell = vi.fn()
    writeFileSync(file, text)
    removePortFile(file, 80, tell)
    expect(existsSync(file)).toBe(isThere)
    expect(tell).not.toHaveBeenCalled()
  })

  it('says nothing of a file that is gone', () => {
    const tell = vi.fn()
    removePortFile(join(testFolder(), 'port.txt'), 80, tell)
    expect(tell).not.toHaveBeenCalled()
  })
})

describe('petstore-sandbox --port-file', () => {
  it('is there only while the process serves', async () => {
    const cwd = testFolder()
    const file = join(cwd, 'port.txt')
    writeFileSync(file, '')
    const cli = new Cli(['--port', '0', '--port-file', 'port.txt', '--log', 'silent'], { cwd })
    expect(await portIn(file)).toMatch(/^\d+$/)
    expect(await cli.stop()).toMatchObject({ code: 0, stderr: '' })
    expect(readdirSync(cwd)).toEqual([])
  })

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
    expect(await runCli(['--port', '0', '--port-file', path], { cwd })).toEqual({
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
