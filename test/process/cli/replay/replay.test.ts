import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { connectSandbox } from '../../../../src/client/connect-sandbox.ts'
import { Cli, testFolder } from '../../../kit/cli-process.ts'
import { frozenSandbox } from '../../../kit/frozen-sandbox.ts'
import { runMain } from '../../../kit/run-main.ts'
import { testServer } from '../../../kit/test-server.ts'

const fixture = readFileSync(
  new URL('../../../../fixtures/captures/version-1.petstore.json', import.meta.url),
  'utf8',
)

/** Captures two requests to a file by the command line. */
async function capturedFile(): Promise<string> {
  const file = join(testFolder(), 'two.petstore.json')
  const { url } = await testServer({ sandbox: frozenSandbox() })
  for (const id of [1, 2]) {
    await fetch(`${url}/v1/pets/${id}`, { headers: { authorization: 'Bearer free-key' } })
  }
  const saved = await runMain(['capture', file, '--url', url])
  expect(saved).toEqual({ code: 0, stderr: '', stdout: `Saved 2 steps to ${file}\n` })
  return file
}

describe('replay', () => {
  it('finds a file of capture to be as it was, and says what is not', async () => {
    const file = await capturedFile()
    expect(await runMain(['replay', file])).toEqual({
      code: 0,
      stderr: '',
      stdout: 'All 2 responses match the capture\n',
    })
    writeFileSync(file, readFileSync(file, 'utf8').replace('Max', 'Moritz'))
    const { code, stdout, stderr } = await runMain(['replay', file])
    expect({ code, stderr }).toEqual({ code: 1, stderr: '' })
    expect(stdout).toBe(
      [
        'Request 2 gets a different response: GET /v1/pets/2',
        '  body',
        '    then  {"id":2,"name":"Max","categoryId":1,"status":"available"}',
        '    now   {"id":2,"name":"Moritz","categoryId":1,"status":"available"}',
        '',
      ].join('\n'),
    )
    expect(await runMain(['replay', file, '--until', '1'])).toMatchObject({
      code: 0,
      stdout: 'The only response matches the capture\n',
    })
    const json = await runMain(['replay', file, '--json'])
    expect(JSON.parse(json.stdout)).toMatchObject({ requests: 2, difference: { number: 2 } })
  })

  it('says where a capture begins that has forgotten what came before', async () => {
    const late = new URL(
      '../../../../fixtures/captures/version-1-later.petstore.json',
      import.meta.url,
    )
    expect(await runMain(['replay', fileURLToPath(late)])).toEqual({
      code: 0,
      stdout: 'All 6 responses match the capture\n',
      stderr:
        'petstore-sandbox: No longer in the log: 6 requests before 2030-12-04T23:59:30Z; the replay starts from the state at that time\n',
    })
  })

  it.each([
    {
      text: 'Request 1',
      says: 'a.json:1:1: Cannot read the file: it is not valid JSON (invalid symbol)',
    },
    {
      text: '{ "log": { "version": "1.2" } }',
      says: 'a.json:1:1: Cannot read the capture: the file is a HAR file, not a capture; calibrate reads it; use a file that the command capture saved',
    },
    {
      text: fixture.replace('"petstoreCapture": 1', '"petstoreCapture": 2'),
      says: 'a.json:3:22: Cannot read the capture: it has version 2, and this program reads version 1; use the petstore-sandbox that wrote it, or a newer one',
    },
    {
      text: fixture.replace('"petstoreCapture": 1', '"petstoreCapture": "x"'),
      says: 'a.json:3:22: Cannot set capture.petstoreCapture: found "x"; use 1',
    },
    {
      text: fixture.replace('"keys.issue"', '"constructor"'),
      says: 'a.json:164:15: Cannot set capture.steps[4].name: found "constructor"; use one of clock.advance',
    },
  ])('says in one line: $says', async ({ text, says }) => {
    const cwd = testFolder()
    writeFileSync(join(cwd, 'a.json'), text)
    const { code, stdout, stderr } = await runMain(['replay', 'a.json'], { cwd })
    expect({ stdout, lines: stderr.split('\n').length }).toEqual({ stdout: '', lines: 2 })
    expect(code).not.toBe(0)
    expect(stderr).toContain(`petstore-sandbox: ${says}`)
  })

  it.each([
    {
      words: ['--serve', '--format', 'vitest'],
      says: 'Cannot use --serve with --format: it prints nothing',
    },
    { words: ['--format', 'vitest', '--json'], says: 'Cannot use --format with --json' },
    {
      words: ['--until', '17'],
      says: 'Cannot replay until request 17: a.json has requests 1 to 16',
    },
    { words: ['--port', '0'], says: 'Cannot use --port without --serve; add --serve' },
  ])('rejects $words', async ({ words, says }) => {
    const cwd = testFolder()
    writeFileSync(join(cwd, 'a.json'), fixture)
    const { code, stderr } = await runMain(['replay', 'a.json', ...words], { cwd })
    expect(code).toBeGreaterThan(0)
    expect(stderr).toContain(says)
  })

  it('serves the sandbox as a request left it', async () => {
    const cwd = testFolder()
    writeFileSync(join(cwd, 'a.json'), fixture)
    const words = ['replay', 'a.json', '--serve', '--port', '0', '--until', '12']
    const cli = new Cli(words, { cwd })
    const [, url = ''] = await cli.printed(/(http:\S+:\d+)\/v1[\s\S]*As it was after 12 requests\./)
    const client = connectSandbox(url)
    expect(await client.status()).toMatchObject({
      clock: { now: '2030-12-04T23:58:00Z', mode: 'frozen' },
    })
    expect(await client.keys.get('free-key')).toMatchObject({ state: 'banned' })
    expect(await client.requests.list()).toHaveLength(12)
    const headers = { authorization: 'Bearer free-key' }
    expect((await fetch(`${url}/v1/pets`, { headers })).status).toBe(403)
    await client.reset()
    expect((await fetch(`${url}/v1/pets/5`, { headers })).status).toBe(404)
    expect(await cli.stop()).toMatchObject({ code: 0, stderr: '' })
  })
})
