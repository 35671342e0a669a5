import { describe, expect, it } from 'vitest'
import { runMain } from '../../kit/run-main.ts'

const wholePort = 'use a whole number from 0 to 65535'
const seeHelp = 'see petstore-sandbox --help'

describe('wrong usage', () => {
  it.each([
    ['opnapi', 'Cannot run "opnapi": there is no such command; did you mean openapi?'],
    ['serve now', `Cannot use "now": serve takes options only; ${seeHelp}`],
    ['gaps all', `Cannot use "all": gaps takes options only; ${seeHelp}`],
    ['gaps --port 1', `Cannot use --port: gaps has no such option; ${seeHelp}`],
    ['--prot 1', 'Cannot use --prot: serve has no such option; did you mean --port?'],
    ['--seedFile a', 'Cannot use --seedFile: serve has no such option; did you mean --seed-file?'],
    ['--frobnicate', `Cannot use --frobnicate: serve has no such option; ${seeHelp}`],
    ['--constructor 1', `Cannot use --constructor: serve has no such option; ${seeHelp}`],
    ['-p 1', `Cannot use -p: serve has no such option; ${seeHelp}`],
    ['--no-port', 'Cannot use --no-port: there is no such option; leave out --port'],
    ['--port', `Cannot use --port: it needs a value; ${seeHelp}`],
    ['--port --frozen', `Cannot use --port: it needs a value; ${seeHelp}`],
    ['--gap', `Cannot use --gap: it needs a value; ${seeHelp}`],
    ['--port=', `Cannot set --port: found ""; ${wholePort}`],
    ['--port abc', `Cannot set --port: found "abc"; ${wholePort}`],
    ['--port -1', `Cannot set --port: found -1; ${wholePort}`],
    ['--port 1.5', `Cannot set --port: found 1.5; ${wholePort}`],
    ['--port 65536', `Cannot set --port: found 65536; ${wholePort}`],
    ['--port 0 --port 0x10', `Cannot set --port: found "0x10"; ${wholePort}`],
    ['--host=', 'Cannot set --host: found ""; use a text that is not empty'],
    ['--config=', 'Cannot set --config: found ""; use a text that is not empty'],
    ['--seed-file=', 'Cannot set --seed-file: found ""; use a text that is not empty'],
    ['--port-file=', 'Cannot set --port-file: found ""; use a text that is not empty'],
    ['--pets -1', 'Cannot set --pets: found -1; use a whole number from 0 to 1000000'],
    ['--pets many', 'Cannot set --pets: found "many"; use a whole number from 0 to 1000000'],
    ['--seed -3', 'Cannot set --seed: found -3; use a whole number from 0 to 4294967295'],
    [
      '--clock noon',
      'Cannot set --clock: found "noon"; use ISO 8601 with a zone, such as 2030-12-05T00:00:00Z, or Unix milliseconds, from 1970 to 9999',
    ],
    [
      '--clock 2030-12-05T00:00',
      'Cannot set --clock: found "2030-12-05T00:00"; use ISO 8601 with a zone, such as 2030-12-05T00:00:00Z, or Unix milliseconds, from 1970 to 9999',
    ],
    [
      '--clock 2030',
      'Cannot set --clock: found "2030", which may be a year; use 2030-01-01, or 1970-01-01T00:00:02.030Z',
    ],
    [
      '--clock -1',
      'Cannot set --clock: found "-1"; use ISO 8601 with a zone, such as 2030-12-05T00:00:00Z, or Unix milliseconds, from 1970 to 9999',
    ],
    ['--scale 0', 'Cannot set --scale: found 0; use a number above 0, at most 1000000'],
    ['--scale fast', 'Cannot set --scale: found "fast"; use a number above 0, at most 1000000'],
    ['--frozen --scale 2', 'Cannot use --scale: --frozen stops the clock; use one of them'],
    ['--frozen=maybe', 'Cannot set --frozen: found "maybe"; use true or false'],
    ['--rate-limit off', 'Cannot set --rate-limit: found "off"; use one of enforced, reported'],
    ['--log loud', 'Cannot set --log: found "loud"; use one of pretty, json, silent'],
    [
      '--gap banAfter',
      'Cannot set --gap: found "banAfter"; use name=choice, such as retryAfterFormat=http-date',
    ],
    ['--gap emptyName=maybe', 'Cannot set gap emptyName: found "maybe"; use one of accept, reject'],
    [
      '--gap banAfter=-1',
      'Cannot set gap banAfter: found "-1"; use a whole number from 0 to 1000000000, or never',
    ],
  ])('of %j is refused with one line and exit code 2', async (line, message) => {
    expect(await runMain(line.split(' '))).toEqual({
      code: 2,
      stdout: '',
      stderr: `petstore-sandbox: ${message}\n`,
    })
  })

  it.each(['frobnicate', 'toString', '-', '-- gaps.json'])(
    'of the unknown command %j is refused with all commands that there are',
    async (line) => {
      const { code, stdout, stderr } = await runMain(line.split(' '))
      expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
      const command = line.split(' ').at(-1)
      expect(stderr.split(': ').slice(0, 2)).toEqual([
        'petstore-sandbox',
        `Cannot run "${command}"`,
      ])
      expect(stderr).toMatch(/: there is no such command; use one of serve, .*completion\n$/)
    },
  )

  it.each(['retryAfter', '__proto__', 'constructor'])(
    'of the unknown gap %s is refused with all gaps that there are',
    async (gap) => {
      const { code, stdout, stderr } = await runMain(['--gap', `${gap}=seconds`])
      expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
      const start = `petstore-sandbox: Cannot set gap "${gap}": `
      expect(stderr.slice(0, start.length)).toBe(start)
      expect(stderr.slice(start.length)).toMatch(/^.*retryAfterFormat.*\n$/)
    },
  )

  it('takes no part of a value for more than a text', async () => {
    const { code, stderr } = await runMain(['--host', 'a\nb\u001b[31m', '--port', '0'])
    expect(code).toBe(1)
    expect(stderr.match(/\n/g)).toHaveLength(1)
    expect(stderr).not.toContain('\u001b')
  })
})
