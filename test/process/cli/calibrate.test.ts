import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { calibrate } from '../../../src/checks/calibrate/calibrate.ts'
import type { GapSettings } from '../../../src/index.ts'
import { gapNames } from '../../../src/mock/api/gaps.ts'
import { testFolder } from '../../kit/cli-process.ts'
import { runMain } from '../../kit/run-main.ts'
import { commandsIn, Shell } from '../../kit/shell.ts'
import { recordGoodTraffic } from '../../unit/checks/calibrate/good-traffic.ts'

/** A service that has made choices of its own. */
const choices: GapSettings = {
  defaultStatus: 'none',
  unknownQuery: 'reject',
  listOrder: 'id-descending',
  storeOrders: 'not-found',
  retryAfterFormat: 'http-date',
  banStatus: 403,
  errorCodes: 'UPPER_CASE',
}

const usual = (await recordGoodTraffic({})).archive()
const other = (await recordGoodTraffic(choices)).archive()

type Archive = typeof usual

/** A folder with archives in it. */
function folderWith(archives: Readonly<Record<string, Archive>>): string {
  const folder = testFolder()
  for (const [name, archive] of Object.entries(archives)) {
    writeFileSync(join(folder, name), JSON.stringify(archive))
  }
  return folder
}

/** Runs the command in a folder. */
function run(cwd: string, ...args: readonly string[]) {
  return runMain(['calibrate', ...args], { cwd })
}

describe('petstore-sandbox calibrate', () => {
  it('does what its document shows', async () => {
    const shell = new Shell()
    for (const name of ['staging.har', 'new.har']) {
      writeFileSync(join(shell.folder, name), JSON.stringify(usual))
    }
    expect(await shell.run(commandsIn('calibrate.sh'))).toMatchObject({
      code: 0,
      stderr:
        'petstore-sandbox: Nothing to write to petstore-sandbox.config.json: no confirmed value differs from it\n',
    })
  })

  it('prints as JSON what calibrate() gives, without a key', async () => {
    const cwd = folderWith({ 'a.har': usual })
    const { code, stdout } = await run(cwd, 'a.har', '--report', 'json')
    expect({ code, report: JSON.parse(stdout) }).toEqual({
      code: 0,
      report: JSON.parse(JSON.stringify(calibrate([usual]))),
    })
    for (const key of ['pro-key', 'free-key', 'revoked-key', 'unknown-token']) {
      expect(stdout).not.toContain(key)
    }
  })

  it('ends with 4 for a broken clause, and names it', async () => {
    const broken = structuredClone(usual)
    const rejected = broken.log.entries.find(({ response }) => response.status === 429)
    if (rejected === undefined) throw new Error('no rejection was recorded')
    const { response } = rejected
    response.headers = response.headers.filter(({ name }) => name !== 'retry-after')
    const { code, stdout } = await run(folderWith({ 'a.har': broken }), 'a.har')
    expect(code).toBe(4)
    expect(stdout).toContain('8.2')
  })

  it('ends with 5 where there is nothing to judge', async () => {
    const cwd = folderWith({ 'a.har': { log: { version: '1.2', entries: [] } } })
    expect(await run(cwd, 'a.har')).toMatchObject({ code: 5 })
  })

  it.each([
    { what: 'an archive that does not exist', args: ['-'] },
    { what: 'an archive that is not JSON', args: ['broken.har'] },
    { what: 'a JSON file that is no archive', args: ['list.json'] },
    { what: 'a baseline that is no report', args: ['a.har', '--baseline', 'a.har'] },
    { what: 'a config file that is none', args: ['a.har', '--write', 'a.har'] },
    { what: 'a config file that is a folder (issue 37)', args: ['a.har', '--write', '.'] },
    { what: 'a config file that is a device', args: ['a.har', '--write', '/dev/null'] },
    { what: 'a config file in no place', args: ['a.har', '--write', 'a.har/config.json'] },
    { what: 'a base URL that is no address', args: ['a.har', '--base-url', 'api.test'] },
  ])('ends with 2, one line, and no report, for $what', async ({ args }) => {
    const cwd = folderWith({ 'a.har': usual })
    writeFileSync(join(cwd, 'broken.har'), '{')
    writeFileSync(join(cwd, 'list.json'), '[]')
    const { code, stdout, stderr } = await run(cwd, ...args)
    expect({ code, stdout, lines: stderr.trim().split('\n').length }).toEqual({
      code: 2,
      stdout: '',
      lines: 1,
    })
    expect(readFileSync(join(cwd, 'a.har'), 'utf8')).toBe(JSON.stringify(usual))
  })

  it('ends with 2 where the API may be at several addresses, and names them', async () => {
    const both = structuredClone(usual)
    const [first] = structuredClone(usual.log.entries)
    if (first !== undefined) {
      first.request.url = 'https://staging.test/v1/pets'
      both.log.entries.push(first)
    }
    const cwd = folderWith({ 'a.har': both })
    const { code, stderr } = await run(cwd, 'a.har')
    expect(code).toBe(2)
    expect(stderr).toMatch(/https:\/\/api\.test\/v1.*https:\/\/staging\.test\/v1/)
    const named = await run(cwd, 'a.har', '--base-url', 'https://api.test/v1', '--report', 'json')
    expect(JSON.parse(named.stdout).gaps).toEqual(
      JSON.parse(JSON.stringify(calibrate([usual]).gaps)),
    )
  })

  it('fails with --baseline only if the service has changed', async () => {
    const cwd = folderWith({ 'usual.har': usual, 'other.har': other })
    await run(cwd, 'usual.har', '--report', 'json=before.json')
    expect(await run(cwd, 'usual.har', '--baseline', 'before.json')).toMatchObject({ code: 0 })
    const { code, stdout } = await run(cwd, 'other.har', '--baseline', 'before.json')
    expect(code).toBe(4)
    expect(stdout).toContain('listOrder')
  })

  it('writes the config with which the sandbox is that service, and keeps the rest of the file', async () => {
    const cwd = folderWith({ 'a.har': other })
    const file = join(cwd, 'config.json')
    writeFileSync(file, '{ "port": 0, "gaps": { "invalidQuery": "ignore", "banAfter": 3 } }')
    const { code, stderr } = await run(cwd, 'a.har', '--write', 'config.json')
    expect({ code, stderr }).toMatchObject({
      code: 0,
      stderr: expect.stringMatching(/Wrote \d+ values to config.json/),
    })
    const repeated = await run(cwd, 'a.har', '--write', 'config.json')
    expect(repeated.stderr).toContain('Nothing to write to config.json')
    const written = JSON.parse(readFileSync(file, 'utf8'))
    expect(written.port).toBe(0)
    // What is now shown to be the default goes.
    expect(written.gaps).not.toHaveProperty('invalidQuery')
    expect(written.gaps).toMatchObject(choices)
    const again = calibrate([(await recordGoodTraffic(written.gaps)).archive()])
    const before = calibrate([other])
    for (const name of gapNames) {
      if (before.gaps[name].result !== 'confirmed') continue
      expect({ name, values: again.gaps[name].values }).toEqual({
        name,
        values: before.gaps[name].values,
      })
    }
  })
})
