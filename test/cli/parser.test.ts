import { describe, expect, it } from 'vitest'
import { createParser } from '../../src/cli/parser.ts'
import { runMain } from '../kit/run-main.ts'

const wholePort = 'use a whole number from 0 to 65535'
const instant =
  'use ISO 8601 with a zone, such as 2030-12-05T00:00:00Z, or Unix milliseconds, from 1970 to 9999'

/** Parses a line of words that is wrong; gives what is thrown. */
async function refusalOf(line: string): Promise<unknown> {
  try {
    return await createParser(line.split(' '), { expectLog: () => {} }).parseAsync()
  } catch (thrown) {
    return thrown
  }
}

describe('wrong usage', () => {
  it.each([
    ['opnapi', 'Cannot run "opnapi": unknown command; did you mean openapi?'],
    ['gap list', 'Cannot run "gap": unknown command; did you mean gaps?'],
    ['serve now', 'Cannot run serve: "now" is one word too many; use serve [options]'],
    [
      'gaps all',
      'Cannot set gaps: found "all"; use name=value, such as retryAfterFormat=http-date',
    ],
    ['gaps --port 1', 'Cannot use --port: unknown option; see petstore-sandbox gaps --help'],
    ['--prot 1', 'Cannot use --prot: unknown option; did you mean --port?'],
    ['--seedFile a', 'Cannot use --seedFile: unknown option; did you mean --seed-file?'],
    ['--verison', 'Cannot use --verison: unknown option; did you mean --version?'],
    ['--frobnicate', 'Cannot use --frobnicate: unknown option; see petstore-sandbox --help'],
    ['--json', 'Cannot use --json: unknown option; see petstore-sandbox --help'],
    ['--constructor 1', 'Cannot use --constructor: unknown option; see petstore-sandbox --help'],
    ['-x 1', 'Cannot use -x: unknown option; see petstore-sandbox --help'],
    ['--no-port', `Cannot set --port: found "false"; ${wholePort}`],
    ['--port', `Cannot set --port: it is missing; ${wholePort}`],
    ['--port --frozen', `Cannot set --port: it is missing; ${wholePort}`],
    [
      '--gap',
      'Cannot set --gap: it is missing; use name=value, such as retryAfterFormat=http-date',
    ],
    ['--port=', `Cannot set --port: found ""; ${wholePort}`],
    ['--port abc', `Cannot set --port: found "abc"; ${wholePort}`],
    ['--port -1', `Cannot set --port: found -1; ${wholePort}`],
    ['--port 1.5', `Cannot set --port: found 1.5; ${wholePort}`],
    ['--port 65536', `Cannot set --port: found 65536; ${wholePort}`],
    ['--port 0 --port 0x10', `Cannot set --port: found "0x10"; ${wholePort}`],
    ['--host=', 'Cannot set --host: found ""; use a non-empty string'],
    ['--config=', 'Cannot set --config: found ""; use a non-empty string'],
    ['--seed-file=', 'Cannot set --seed-file: found ""; use a non-empty string'],
    ['--port-file=', 'Cannot set --port-file: found ""; use a non-empty string'],
    ['--static=', 'Cannot set --static: found ""; use a non-empty string'],
    ['--pets -1', 'Cannot set --pets: found -1; use a whole number from 0 to 100000'],
    ['--pets many', 'Cannot set --pets: found "many"; use a whole number from 0 to 100000'],
    [
      '--seed -3',
      'Cannot set --seed: found -3; use a whole number from 0 to 4294967295, or --seed-file for a file of pets and keys',
    ],
    ['--clock noon', `Cannot set --clock: found "noon"; ${instant}`],
    ['--clock 2030-12-05T00:00', `Cannot set --clock: found "2030-12-05T00:00"; ${instant}`],
    // It may be a year.
    ['--clock 2030', `Cannot set --clock: found "2030"; ${instant}`],
    ['--clock -1', `Cannot set --clock: found "-1"; ${instant}`],
    ['--scale 0', 'Cannot set --scale: found 0; use a number above 0 and up to 1000000'],
    ['--scale fast', 'Cannot set --scale: found "fast"; use a number above 0 and up to 1000000'],
    ['--frozen --scale 2', 'Cannot use --scale: --frozen stops the clock; use one of them'],
    ['--frozen=maybe', 'Cannot set --frozen: found "maybe"; use true or false'],
    ['--no-frozen=maybe', 'Cannot use --no-frozen: unknown option; see petstore-sandbox --help'],
    ['--rate-limit off', 'Cannot set --rate-limit: found "off"; use one of enforced, reported'],
    ['--log loud', 'Cannot set --log: found "loud"; use one of pretty, json, silent'],
    [
      '--gap banAfter',
      'Cannot set --gap: found "banAfter"; use name=value, such as retryAfterFormat=http-date',
    ],
    [
      '--gap emptyName=maybe',
      'Cannot set --gap.emptyName: found "maybe"; use one of accept, reject',
    ],
    [
      '--gap banAfter=-1',
      'Cannot set --gap.banAfter: found "-1"; use a whole number from 0 to 1000000000, or "never"',
    ],
    [
      '--scenario sunny',
      'Cannot set --scenario: found "sunny"; use one of flaky, slow, minute-limit, day-limit, banned, key-expired, sunset-tomorrow, sunset-passed, rate-limited',
    ],
    [
      '--sandbox ..',
      'Cannot set --sandbox: found ".."; use 1 to 63 letters, digits, - and _, a letter or digit first',
    ],
    ['--watch', 'Cannot use --watch: there is no seed file to watch; add --seed-file'],
    ['exec', 'Cannot run exec: the command is missing; use exec [options] -- COMMAND'],
    [
      'exec npm --silent test',
      'Cannot use --silent: unknown option; put -- before the command and its options',
    ],
    ['exec --prot 1 -- true', 'Cannot use --prot: unknown option; did you mean --port?'],
    ['requests all', 'Cannot run requests: "all" is one word too many; use requests'],
    [
      'requests --status broken',
      'Cannot set --status: found "broken"; use a whole number from 100 to 599, or one of disconnect, timeout',
    ],
    [
      'clock stop',
      'Cannot run clock: unknown action "stop"; use one of show, advance, set, freeze, resume, scale, system',
    ],
    ['clock advance', 'Cannot run clock advance: no duration given; use clock advance <duration>'],
    [
      'clock advance 1s 2s',
      'Cannot run clock advance: "2s" is one word too many; use clock advance <duration>',
    ],
    [
      'clock advance --port 1 1s',
      'Cannot use --port: unknown option; see petstore-sandbox clock advance --help',
    ],
    ['clock --jsn', 'Cannot use --jsn: unknown option; did you mean --json?'],
    ['clock --json=yes', 'Cannot set --json: found "yes"; use true or false'],
    [
      'pets add Rex',
      'Cannot run pets add: no category given; use pets add <name> <category> [status]',
    ],
    ['pets clear all', 'Cannot run pets clear: "all" is one word too many; use pets clear'],
    [
      'scenario flaky free-key slow',
      'Cannot run scenario: "slow" is one word too many; use scenario [scenario] [key]',
    ],
    ['status extra', 'Cannot run status: "extra" is one word too many; use status'],
    ['status --quiet', 'Cannot use --quiet: unknown option; see petstore-sandbox status --help'],
    [
      'coverage --quiet',
      'Cannot use --quiet: unknown option; see petstore-sandbox coverage --help',
    ],
    ['reset only', 'Cannot run reset only: no parts given; use reset only <parts..>'],
  ])('of %j is refused with one line and exit code 2', async (line, message) => {
    const thrown = await refusalOf(line)
    expect(thrown).toBeInstanceOf(Error)
    expect(thrown).toMatchObject({ message })
    const { exitCode = 2 } = thrown as { exitCode?: number }
    expect(exitCode).toBe(2)
  })

  it.each(['frobnicate', 'toString', '-', '-- gaps.json', '-- clock'])(
    'of the unknown command %j is refused with all known commands',
    async (line) => {
      const command = line.split(' ').at(-1)
      expect(await refusalOf(line)).toMatchObject({
        message: expect.stringMatching(
          new RegExp(`^Cannot run "${command}": unknown command; use one of serve, .*completion$`),
        ),
      })
    },
  )

  it.each(['retryAfter', '__proto__', 'constructor'])(
    'of the unknown gap %s is refused with all known gaps',
    async (gap) => {
      expect(await refusalOf(`--gap ${gap}=seconds`)).toMatchObject({
        message: expect.stringMatching(
          new RegExp(`^Cannot set --gap\\.${gap}: unknown property; use .*retryAfterFormat`),
        ),
      })
    },
  )

  it.each([
    { args: ['--prot', '1'], code: 2 },
    { args: ['--port', 'x'], code: 2 },
    { args: ['--host', 'a\nb\u001b[31m', '--port', '0'], code: 1 },
  ])('ends the program with $code and one line: $args', async ({ args, code }) => {
    const result = await runMain(args)
    expect(result).toMatchObject({ code, stdout: '' })
    expect(result.stderr).toMatch(/^petstore-sandbox: Cannot [^\n]*\n$/)
    expect(result.stderr).not.toContain('\u001b')
  })
})
