import { spawnSync } from 'node:child_process'
import { appendFileSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { beginningOf } from '../../../src/cli/processes/running-process.ts'
import { lockState } from '../../../src/cli/state/state-lock.ts'
import { Cli, serveCli, testFolder } from '../../kit/cli-process.ts'

/** Says what a process would say of itself beside a state file, under a name that comes before any other. */
function claim(folder: string, pid: number, lines: string, first = '0'): string {
  const name = `.state.json.${first.repeat(16)}.${pid}.lock`
  writeFileSync(join(folder, name), lines)
  return name
}

const dead = (): number => spawnSync(process.execPath, ['--version']).pid

describe('lockState()', () => {
  it('has a file for one alone, until that one gives it back', async () => {
    const folder = testFolder()
    const file = join(folder, 'state.json')
    const giveBack = await lockState(file)
    await expect(lockState(file)).rejects.toThrow(
      `Cannot keep the state in ${file}: process ${process.pid} has it; stop that one, or use another file`,
    )
    giveBack()
    const again = await lockState(file)
    again()
    expect(readdirSync(folder)).toEqual([])
  })

  it('gives it to exactly one of many who ask at once', async () => {
    const folder = testFolder()
    const file = join(folder, 'state.json')
    for (let round = 0; round < 20; round++) {
      const asked = Array.from({ length: 8 }, () => lockState(file))
      const given = (await Promise.allSettled(asked)).flatMap((one) =>
        one.status === 'fulfilled' ? [one.value] : [],
      )
      expect(given).toHaveLength(1)
      for (const giveBack of given) giveBack()
      expect(readdirSync(folder)).toEqual([])
    }
  })

  it('knows a file by whatever link', async () => {
    const folder = testFolder()
    symlinkSync('state.json', join(folder, 'link.json'))
    const giveBack = await lockState(join(folder, 'state.json'))
    await expect(lockState(join(folder, 'link.json'))).rejects.toThrow(`process ${process.pid}`)
    giveBack()
  })

  it.each([
    { what: 'has it', lines: `${beginningOf(process.ppid)}\nheld` },
    { what: 'has asked for it first', lines: `${beginningOf(process.ppid)}\n` },
    { what: 'has just begun to ask', lines: '' },
  ])('leaves it to a living process that $what', async ({ lines }) => {
    const folder = testFolder()
    const name = claim(folder, process.ppid, lines)
    await expect(lockState(join(folder, 'state.json'))).rejects.toThrow(
      `process ${process.ppid} has it`,
    )
    expect(readdirSync(folder)).toEqual([name])
  })

  it('waits for one that has asked too, and takes it when that gives up', async () => {
    const folder = testFolder()
    const name = claim(folder, process.ppid, `${beginningOf(process.ppid)}\n`, 'f')
    const asked = lockState(join(folder, 'state.json'))
    expect(readdirSync(folder)).toHaveLength(2)
    rmSync(join(folder, name))
    const giveBack = await asked
    giveBack()
    expect(readdirSync(folder)).toEqual([])
  })

  it('gives up when one that has asked too gets it', async () => {
    const folder = testFolder()
    const name = claim(folder, process.ppid, `${beginningOf(process.ppid)}\n`, 'f')
    const asked = lockState(join(folder, 'state.json'))
    appendFileSync(join(folder, name), 'held')
    await expect(asked).rejects.toThrow(`process ${process.ppid} has it`)
    expect(readdirSync(folder)).toEqual([name])
  })

  it.each([
    { what: 'a dead process', claimIn: (folder: string) => claim(folder, dead(), 'any\nheld') },
    {
      what: 'a dead process that said nothing yet',
      claimIn: (folder: string) => claim(folder, dead(), ''),
    },
    {
      what: 'a process whose id another one has by now',
      claimIn: (folder: string) => claim(folder, process.ppid, 'long ago\nheld'),
    },
  ])('takes it from $what, and removes what that has left', async ({ claimIn }) => {
    const folder = testFolder()
    const name = claimIn(folder)
    const giveBack = await lockState(join(folder, 'state.json'))
    expect(readdirSync(folder)).not.toContain(name)
    giveBack()
  })

  it('minds no other files', async () => {
    const folder = testFolder()
    const names = ['.other.json.0000000000000000.1.lock', '.state.json.lock', 'state.json.1.lock']
    for (const name of names) writeFileSync(join(folder, name), '')
    const giveBack = await lockState(join(folder, 'state.json'))
    giveBack()
    expect(readdirSync(folder).sort()).toEqual(names.sort())
  })
})

describe('petstore-sandbox --state', () => {
  it('serves once from one file, of several processes that start at once', async () => {
    const cwd = testFolder()
    const started = Array.from(
      { length: 4 },
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
    expect(losers).toHaveLength(3)
    for (const { code, stdout, stderr } of losers) {
      expect([code, stdout]).toEqual([1, ''])
      expect(stderr).toMatch(
        /^petstore-sandbox: Cannot keep the state in state\.json: process \d+ has it; stop that one, or use another file\n$/,
      )
    }
    expect(await winner?.stop()).toMatchObject({ code: 0, stderr: '' })
    expect(readdirSync(cwd)).toEqual(['state.json'])
  })

  it('goes on after a process that was killed, and names one that has the file', async () => {
    const cwd = testFolder()
    const first = await serveCli(['--state', 'state.json'], { cwd })
    first.cli.process.kill('SIGKILL')
    await first.cli.ended()
    const second = await serveCli(['--state', 'state.json'], { cwd })
    const third = await new Cli(['--port', '0', '--state', 'state.json'], { cwd }).ended()
    expect(third.stderr).toContain(`process ${second.cli.process.pid} has it`)
    await second.cli.stop()
    expect(readdirSync(cwd)).toEqual(['state.json'])
  })
})
