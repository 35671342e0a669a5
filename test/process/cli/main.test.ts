import { describe, expect, it } from 'vitest'
import packageJson from '../../../package.json' with { type: 'json' }
import { mainCommands } from '../../../src/cli/commands.ts'
import { serveOptions } from '../../../src/cli/serve/serve-options.ts'
import { openApiDocument } from '../../../src/mock/api/openapi.ts'
import { knownCommands } from '../../kit/known-commands.ts'
import { runMain } from '../../kit/run-main.ts'

/** Commands that the help lists without `--all`. */
const mainNames = mainCommands.map(({ command }) => String(command).replace(/ .*/, ''))

describe('petstore-sandbox', () => {
  it.each(['--version', '-v'])('prints its version for %s', async (option) => {
    expect(await runMain([option])).toEqual({
      code: 0,
      stdout: `${packageJson.version}\n`,
      stderr: '',
    })
  })

  it.each([
    { words: ['--help'], names: mainNames },
    { words: ['-h'], names: mainNames },
    { words: ['help', '--all'], names: knownCommands.map(({ name }) => name) },
    { words: ['--help', '--all'], names: knownCommands.map(({ name }) => name) },
  ])('lists its commands for $words, those first that lead', async ({ words, names }) => {
    const { code, stdout, stderr } = await runMain(words)
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    const [, section = ''] = /Commands:\n([\s\S]*?)\n\n/.exec(stdout) ?? []
    const listed = [...section.matchAll(/^ {2}([a-z-]+) /gm)]
    expect(listed.map(([, name]) => name)).toEqual(names)
  })

  it('explains the options of serve', async () => {
    const { code, stdout, stderr } = await runMain(['serve', '--help'])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    for (const option of Object.keys(serveOptions.properties)) {
      expect(stdout).toContain(` --${option} `)
    }
    expect(stdout).toContain('PETSTORE_SANDBOX_PORT')
    expect(stdout).toMatch(/--port +Port to listen on.*\[default: 7387\]/)
    expect(stdout).toMatch(/--rate-limits +\S[\s\S]*? \(enforce,\s+report-only\)/)
    expect(stdout).toMatch(/--frozen +Start/)
    expect(stdout).not.toMatch(/object Object|undefined|\[default: (?:false|)\]/)
  })

  it.each([{ COLUMNS: '100' }, { COLUMNS: '70' }])(
    'is as wide as there is room: $COLUMNS',
    async (env) => {
      for (const words of [[], ['exec'], ['keys']]) {
        const { stdout } = await runMain([...words, '--help'], { env })
        const prose = stdout
          .split('\n')
          .filter((line) => !/^ {2}(?:npx petstore-sandbox|#) /.test(line))
        expect(Math.max(...prose.map((line) => line.length))).toBeLessThanOrEqual(
          Number(env.COLUMNS),
        )
      }
    },
  )

  it('gives help although the config file is broken and variables are wrong', async () => {
    const env = { PETSTORE_SANDBOX_CONFIG: 'missing.json', PETSTORE_SANDBOX_NONSENSE: '1' }
    expect(await runMain(['--help'], { env })).toMatchObject({ code: 0, stderr: '' })
    expect(await runMain(['gaps'], { env })).toMatchObject({ code: 0, stderr: '' })
  })

  it.each([
    { words: ['help'], like: ['--help'] },
    { words: ['help', 'keys'], like: ['keys', '--help'] },
    { words: ['help', 'keys', 'ban'], like: ['keys', 'ban', '--help'] },
    { words: ['version'], like: ['--version'] },
    { words: ['-V'], like: ['--version'] },
    // A pasted comment, which zsh passes on.
    { words: ['help', 'keys', '#', 'all', 'keys', '--nonsense'], like: ['keys', '--help'] },
    { words: ['gaps', '--help', '#', 'where', '--', 'it', 'differs'], like: ['gaps', '--help'] },
  ])('takes $words for $like', async ({ words, like }) => {
    const { code, stdout } = await runMain(words)
    expect({ code, stdout }).toEqual({ code: 0, stdout: (await runMain(like)).stdout })
    expect(stdout).not.toBe('')
  })

  it('takes neither a lone # for a comment, nor what another command gets', async () => {
    expect((await runMain(['keys', '#'])).stderr).toContain('unknown command "#"')
    const script = "process.exit(process.argv[1] === '#' ? 7 : 1)"
    const words = ['exec', '--', process.execPath, '-e', script, '#', 'x']
    expect((await runMain(words)).code).toBe(7)
  })

  it.each([
    { words: ['help', 'kyes'], says: 'Cannot run "kyes": unknown command; did you mean keys?' },
  ])('explains nothing that does not exist: $words', async ({ words, says }) => {
    expect(await runMain(words)).toEqual({
      code: 2,
      stdout: '',
      stderr: `petstore-sandbox: ${says}\n`,
    })
  })

  it.each(['status', 'keys', 'serve'])('notices a misspelt variable in %s', async (command) => {
    const { code, stderr } = await runMain([command], { env: { PETSTORE_SANDBOX_PRT: '1' } })
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr:
        'petstore-sandbox: Cannot use PETSTORE_SANDBOX_PRT: unknown option; did you mean PETSTORE_SANDBOX_PORT?\n',
    })
  })

  it.each([
    ['replay', 'none.json'],
    ['open', 'none.json'],
    ['--config', 'none.json'],
    ['--seed-file', 'none.json'],
    ['--static', 'none'],
    ['check', '--from', 'none'],
    ['calibrate', 'none.har'],
    ['snapshot', 'restore', 'none.json'],
    ['check', '--baseline', 'none.json', '--', 'true'],
  ])('ends with 2 for a file that is missing: %s %s', async (...words) => {
    const { code, stderr } = await runMain(words)
    expect(stderr).toMatch(/none/)
    expect(code).toBe(2)
  })

  it('prints the OpenAPI description as JSON, with the address that it serves at unless told otherwise', async () => {
    const { code, stdout, stderr } = await runMain(['openapi'])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    const document = await openApiDocument('http://127.0.0.1:7387/v1')
    expect(JSON.parse(stdout)).toEqual(JSON.parse(JSON.stringify(document)))
    expect(JSON.parse(stdout)).toMatchObject({ openapi: /^3\.1/, info: { version: '1.0.0' } })
  })

  it('prints a script for completion, and nothing else', async () => {
    const { code, stdout, stderr } = await runMain(['completion'])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toMatch(/^###-begin-petstore-sandbox-completions-###/)
    expect(stdout).toContain('petstore-sandbox completion >>')
    expect(stdout).toMatch(/###-end-petstore-sandbox-completions-###\s*$/)
  })

  it('completes what a shell asks for', async () => {
    const args = ['--get-yargs-completions', 'petstore-sandbox', '--port', '0', '--rate-limits', '']
    expect(await runMain(args)).toEqual({ code: 0, stdout: 'enforce\nreport-only\n', stderr: '' })
  })
})
