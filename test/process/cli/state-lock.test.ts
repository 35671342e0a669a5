import {
  mkdirSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { lockState } from '../../../src/cli/state-file.ts'
import { callControl } from '../../kit/call-control.ts'
import { Cli, serveCli, testFolder } from '../../kit/cli-process.ts'
import { runMain } from '../../kit/run-main.ts'

const rejection = (file: string): string =>
  `Cannot keep the state in ${file}: another process has it; stop that one, or use another file`

describe('lockState()', () => {
  it('has a file for one alone, until that one releases it, by whatever link', async () => {
    const folder = testFolder()
    const file = join(folder, 'state.json')
    const link = join(folder, 'link.json')
    symlinkSync('state.json', link)
    const lock = await lockState(file)
    await expect(lockState(link)).rejects.toThrow(rejection(link))
    await lock.release()
    const again = await lockState(link)
    await again.release()
    expect(readdirSync(folder)).toEqual(['link.json'])
  })

  it('gives each of many files to exactly one of many who ask at once', async () => {
    const folder = testFolder()
    const files = Array.from({ length: 20 }, (_, index) => join(folder, `state-${index}.json`))
    const given = await Promise.all(
      files.map(async (file) => {
        const asked = Array.from({ length: 8 }, () => lockState(file))
        const settled = await Promise.allSettled(asked)
        return settled.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
      }),
    )
    for (const locks of given) expect(locks).toHaveLength(1)
    for (const lock of given.flat()) await lock.release()
    expect(readdirSync(folder)).toEqual([])
  })

  it.each([
    { when: 'long ago', touchedAt: new Date(0) },
    { when: 'just now', touchedAt: new Date() },
  ])('takes over what a process that was killed $when has left', async ({ touchedAt }) => {
    const folder = testFolder()
    const left = join(folder, 'state.json.lock')
    mkdirSync(left)
    await utimes(left, touchedAt, touchedAt)
    const lock = await lockState(join(folder, 'state.json'))
    await lock.release()
    expect(readdirSync(folder)).toEqual([])
  })

  it('minds no other files', async () => {
    const folder = testFolder()
    const names = ['.state.json.lock', 'other.json.lock', 'state.json.1.lock']
    for (const name of names) writeFileSync(join(folder, name), '')
    const lock = await lockState(join(folder, 'state.json'))
    await lock.release()
    expect(readdirSync(folder).sort()).toEqual(names.sort())
  })
})

describe('petstore-sandbox --state', () => {
  it('serves once from one file, of several processes that start at once', async () => {
    const cwd = testFolder()
    const started = Array.from(
      { length: 2 },
      () => new Cli(['--port', '0', '--state', 'state.json', '--log', 'json'], { cwd }),
    )
    const results = await Promise.all(
      started.map((cli) =>
        Promise.race([
          cli.printed(/"listening"/).then(
            () => undefined,
            () => cli.ended(),
          ),
          cli.ended(),
        ]),
      ),
    )
    const winner = started[results.indexOf(undefined)]
    expect(winner).toBeDefined()
    const losers = results.filter((result) => result !== undefined)
    const stderr = `petstore-sandbox: ${rejection('state.json')}\n`
    expect(losers).toEqual([{ code: 1, stdout: '', stderr }])
    expect(await winner?.stop()).toMatchObject({ code: 0, stderr: '' })
    expect(readdirSync(cwd)).toEqual(['state.json'])
  })

  it('goes on after a process that was killed, and shares the file with no other', async () => {
    const cwd = testFolder()
    const first = await serveCli(['--state', 'state.json'], { cwd })
    first.cli.process.kill('SIGKILL')
    await first.cli.ended()
    const second = await serveCli(['--state', 'state.json'], { cwd })
    const third = await new Cli(['--port', '0', '--state', 'state.json'], { cwd }).ended()
    expect(third).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(rejection('state.json')),
    })
    await second.cli.stop()
    expect(readdirSync(cwd)).toEqual(['state.json'])
  })

  it('ends by a signal that nothing handles, and leaves no lock', async () => {
    const cwd = testFolder()
    const { cli } = await serveCli(['--state', 'state.json'], { cwd })
    expect(readdirSync(cwd)).toEqual(['state.json.lock'])
    cli.process.kill('SIGQUIT')
    await cli.ended()
    expect(cli.process.signalCode).toBe('SIGQUIT')
    expect(readdirSync(cwd)).toEqual([])
  })

  it('releases the file when it cannot start', async () => {
    const cwd = testFolder()
    writeFileSync(join(cwd, 'state.json'), '{}')
    const { code } = await runMain(['--port', '0', '--state', 'state.json'], { cwd })
    expect(code).toBe(2)
    expect(readdirSync(cwd)).toEqual(['state.json'])
  })

  it('says that it has lost its lock, and leaves the file to the process that took it', async () => {
    const cwd = testFolder()
    const { cli, url } = await serveCli(['--state', 'state.json'], { cwd })
    await callControl(url, 'POST', '/state/save')
    const lock = join(cwd, 'state.json.lock')
    rmdirSync(lock)
    mkdirSync(lock)
    // As a process does, again and again: the one that has lost it may be about to touch it, too.
    const touches = setInterval(() => utimesSync(lock, new Date(0), new Date(0)), 100)
    writeFileSync(join(cwd, 'state.json'), 'of another process')
    await cli.printed(/its lock state\.json\.lock was removed or taken over/, 'stderr')
    clearInterval(touches)
    expect(await cli.stop()).toMatchObject({ code: 1 })
    expect(readFileSync(join(cwd, 'state.json'), 'utf8')).toBe('of another process')
    expect(readdirSync(cwd)).toEqual(['state.json', 'state.json.lock'])
  })
})
