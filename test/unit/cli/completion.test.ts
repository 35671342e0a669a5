import { describe, expect, it, vi } from 'vitest'
import { runCommandLine } from '../../../src/cli/main.ts'
import { scenarioNames } from '../../../src/sandbox/controls/scenarios.ts'
import { testServer } from '../../kit/test-server.ts'

/** Completes the last word of a command line. */
async function completed(words: readonly string[], environment: NodeJS.ProcessEnv = {}) {
  for (const name of ['SHELL', 'ZSH_NAME']) vi.stubEnv(name, undefined)
  for (const [name, text] of Object.entries(environment)) vi.stubEnv(name, text)
  const written = vi.spyOn(process.stdout, 'write').mockReturnValue(true)
  try {
    await runCommandLine(['--get-yargs-completions', 'petstore-sandbox', ...words])
    const text = written.mock.calls.map(([one]) => one).join('')
    return text === '' ? [] : text.trimEnd().split('\n')
  } finally {
    written.mockRestore()
    vi.unstubAllEnvs()
  }
}

describe('completion', () => {
  it.each([
    { words: [''], found: ['serve', 'gaps', 'openapi', 'completion'] },
    { words: ['--po'], found: ['--port', '--port-file', '--help'] },
    { words: ['clock', 'ad'], found: ['show', 'advance', 'set'] },
    { words: ['clock', '--'], found: ['--url', '--json', '--quiet'] },
    { words: ['status', ''], found: ['--url', '--json'] },
  ])('offers names of commands, actions and options: $words', async ({ words, found }) => {
    expect(await completed(words)).toEqual(expect.arrayContaining(found))
  })

  it('describes them where the shell shows that', async () => {
    const zsh = { SHELL: '/bin/zsh' }
    expect(await completed(['clo'], zsh)).toContain('clock:Read or move the clock')
    expect(await completed(['scenario', ''], zsh)).toContain('flaky')
  })

  it.each([
    { words: ['--log', ''], found: ['pretty', 'json', 'silent'] },
    { words: ['check', '--fail-on', 'w'], found: ['warning'] },
    { words: ['check', '--only', 'minute-limit', '--skip', 'sun'], found: ['sunset-day'] },
    { words: ['findings', '--report', 'j'], found: ['json=', 'junit='] },
    { words: ['--port', '0', '--gap', 'banS'], found: ['banStatus=429', 'banStatus=403'] },
    { words: ['--scenario', ''], found: scenarioNames },
    { words: ['replay', 'a.json', '--format', ''], found: ['vitest'] },
    { words: ['scenario', ''], found: ['list', 'apply', ...scenarioNames] },
    { words: ['gaps', ''], found: ['list', 'show', 'set', 'emptyName=reject', 'banAfter='] },
    { words: ['gaps', 'set', 'banAfter=3', ''], found: ['emptyName=reject'] },
    { words: ['keys', 'issue', ''], found: ['free', 'pro', 'business', 'enterprise'] },
    { words: ['keys', '--url', 'keys', 'issue', ''], found: ['enterprise'] },
    { words: ['keys', 'issue', 'pro', 'mine', ''], found: ['limits.minute=', 'revoked=true'] },
    { words: ['keys', 'update', 'free-key', ''], found: ['plan=pro', 'remaining.day='] },
    { words: ['faults', 'add', ''], found: ['status', 'latency', 'slow-body'] },
    { words: ['faults', 'add', 'disconnect', ''], found: ['when=body', 'operation='] },
    { words: ['keys', 'exhaust', 'free-key', ''], found: ['minute', 'day'] },
    { words: ['reset', 'pets', ''], found: ['quotas', 'faults'] },
    { words: ['--state', 'replay', '--scenario', ''], found: scenarioNames },
    { words: ['serve', '--sandbox', 'keys', '--scenario', ''], found: scenarioNames },
    { words: ['requests', '--operation', ''], found: ['listPets', 'createPet'] },
    { words: ['requests', '--'], found: ['--status', '--json'] },
  ])('offers what may stand at the end of $words', async ({ words, found }) => {
    expect(await completed(words)).toEqual(expect.arrayContaining([...found]))
  })

  it.each([
    { words: ['--port', ''] },
    { words: ['snapshot', 'save', ''] },
    { words: ['clock', 'advance', ''] },
    { words: ['exec', '--', 'npm', ''] },
    { words: ['check', '--from', ''] },
  ])(
    'offers no names where a value belongs, so that the shell offers files: $words',
    async ({ words }) => {
      expect(await completed(words)).toEqual([])
    },
  )

  it.each([
    { words: ['gaps', 'banStatus', '=', '4'], found: ['429', '403'] },
    { words: ['keys', 'update', 'free-key', 'plan', '=', 'p'], found: ['free', 'pro'] },
    { words: ['--log', '=', 'p'], found: ['pretty', 'json', 'silent'] },
  ])(
    'goes on after an equals sign, at which bash takes words apart: $words',
    async ({ words, found }) => {
      expect(await completed(words)).toEqual(expect.arrayContaining(found))
    },
  )

  it.each([
    { words: ['keys', 'ban', ''] },
    { words: ['keys', 'update', 'fr'] },
    { words: ['scenario', 'apply', 'banned', ''] },
    { words: ['faults', 'add', 'status', 'key', '=', ''] },
    { words: ['requests', '--key', ''] },
  ])('offers the keys of the running sandbox: $words', async ({ words }) => {
    const { url } = await testServer()
    const [command = '', ...rest] = words
    const keys = ['free-key', 'pro-key', 'revoked-key']
    // Again where a busy machine makes the sandbox answer later than somebody waits who has pressed Tab.
    await expect
      .poll(() => completed([command, '--url', url, ...rest]))
      .toEqual(expect.arrayContaining(keys))
    await expect
      .poll(() => completed(words, { PETSTORE_SANDBOX_URL: url }))
      .toEqual(expect.arrayContaining(keys))
  })

  it('offers keys for a setting that is one, in shells that leave it whole, too', async () => {
    const { url } = await testServer()
    const environment = { PETSTORE_SANDBOX_URL: url }
    const words = ['faults', 'add', 'status', 'key=fr']
    await expect
      .poll(() => completed(words, environment))
      .toEqual(expect.arrayContaining(['key=free-key']))
    expect(await completed(['gaps', 'key='], environment)).not.toContain('key=free-key')
  })

  it('offers no key where no sandbox responds', async () => {
    for (const url of ['http://127.0.0.1:1', 'nonsense']) {
      expect(
        await completed(['keys', 'ban', '', '--url', url].slice(0, 3), {
          PETSTORE_SANDBOX_URL: url,
        }),
      ).toEqual([])
    }
  })
})
