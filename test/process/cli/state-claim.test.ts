import { readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { claimState } from '../../../src/cli/state-file.ts'
import { callControl } from '../../kit/call-control.ts'
import { Cli, serveCli, testFolder } from '../../kit/cli-process.ts'
import { runMain } from '../../kit/run-main.ts'

const rejection = (file: string, pid: number | undefined): string =>
  `Cannot keep the state in ${file}: process ${pid} has it; stop that one, or use another file`

describe('claimState()', () => {
  it('refuses a file while the process that has it lives, by whatever link', () => {
    const folder = testFolder()
    const link = join(folder, 'link.json')
    symlinkSync('state.json', link)
    writeFileSync(join(folder, 'state.json.pid'), `${process.ppid}\n`)
    expect(() => claimState(link)).toThrow(rejection(link, process.ppid))
    expect(readdirSync(folder).sort()).toEqual(['link.json', 'state.json.pid'])
  })

  it.each([
    { what: 'a process that is gone', text: `${2 ** 22 + 1}\n` },
    // As in a container that is started again after a kill.
    { what: 'one of the same id', text: `${process.pid}\n` },
    { what: 'one that was killed before it wrote its id', text: '' },
    { what: 'another program', text: 'none' },
  ])('takes over what $what has left', ({ text }) => {
    const folder = testFolder()
    writeFileSync(join(folder, 'state.json.pid'), text)
    const state = claimState(join(folder, 'state.json'))
    expect(readFileSync(join(folder, 'state.json.pid'), 'utf8')).toBe(`${process.pid}\n`)
    state.release()
    expect(readdirSync(folder)).toEqual([])
  })

  it('says why it cannot be claimed', () => {
    const file = join(testFolder(), 'missing', 'state.json')
    expect(() => claimState(file)).toThrow(/^Cannot keep the state in .*state\.json: /)
  })
})

describe('petstore-sandbox --state', () => {
  it('goes on at once after a process that was killed, and shares the file with no other', async () => {
    const cwd = testFolder()
    const first = await serveCli(['--state', 'state.json'], { cwd })
    first.cli.process.kill('SIGKILL')
    await first.cli.ended()
    const second = await serveCli(['--state', 'state.json'], { cwd })
    const third = await new Cli(['--port', '0', '--state', 'state.json'], { cwd }).ended()
    const stderr = `petstore-sandbox: ${rejection('state.json', second.cli.process.pid)}\n`
    expect(third).toEqual({ code: 1, stdout: '', stderr })
    await second.cli.stop()
    expect(readdirSync(cwd)).toEqual(['state.json'])
  })

  it('lets the file go when it cannot start', async () => {
    const cwd = testFolder()
    writeFileSync(join(cwd, 'state.json'), '{}')
    const { code } = await runMain(['--port', '0', '--state', 'state.json'], { cwd })
    expect(code).toBe(2)
    expect(readdirSync(cwd)).toEqual(['state.json'])
  })

  it('leaves the file to the process that has taken it over', async () => {
    const cwd = testFolder()
    const { cli, url } = await serveCli(['--state', 'state.json'], { cwd })
    await callControl(url, 'POST', '/state/save')
    writeFileSync(join(cwd, 'state.json.pid'), `${process.pid}\n`)
    writeFileSync(join(cwd, 'state.json'), 'of another process')
    const { code, stderr } = await cli.stop()
    expect({ code, stderr }).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('state.json.pid was removed or replaced'),
    })
    expect(readFileSync(join(cwd, 'state.json'), 'utf8')).toBe('of another process')
    expect(readdirSync(cwd).sort()).toEqual(['state.json', 'state.json.pid'])
  })
})
