import { fileURLToPath } from 'node:url'
import { describe, expect, it, vi } from 'vitest'
import { runCommandLine } from '../../../src/cli/parser.ts'
import { whatIfText } from '../../../src/cli/what-if.ts'
import { gapNames } from '../../../src/mock/api/gaps.ts'
import { frozenSandbox } from '../../kit/frozen-sandbox.ts'
import { send } from '../../kit/send.ts'
import { testServer } from '../../kit/test-server.ts'

/** Runs a line of words in this process; gives what is printed. */
async function run(line: string): Promise<string> {
  const written = vi.spyOn(process.stdout, 'write').mockReturnValue(true)
  try {
    await runCommandLine(line.split(' '))
    return written.mock.calls.map(([text]) => text).join('')
  } finally {
    written.mockRestore()
  }
}

describe('what-if', () => {
  it('lists the values that would have changed a response, and the gaps without one', async () => {
    const { url } = await testServer({ sandbox: frozenSandbox() })
    const headers = { authorization: 'Bearer free-key' }
    await fetch(`${url}/v1/pets?limit=2`, { headers })
    await fetch(`${url}/v1/pets/999`, { headers })
    const text = await run(`what-if --url ${url}`)
    expect(text).toMatch(/^Gap values that would have changed a response \(2 requests replayed\):/)
    expect(text).toMatch(/^listOrder=id-descending +1 +4\.1$/m)
    expect(text).toMatch(/^errorCodes=opaque +2 +7$/m)
    expect(text).toMatch(/^errorMessages=generic +2 +never promised$/m)
    expect(text).toMatch(
      /\nNo other value of these gaps changes a response:\n {2}defaultStatus, nullStatus,[\s\S]*banStatus/,
    )
    expect(text.split('\n').every((line) => line.length <= 80)).toBe(true)
    expect(text).not.toMatch(/banStatus=/)
  })

  it('prints the same as JSON, and both responses if asked', async () => {
    const { url } = await testServer({ sandbox: frozenSandbox() })
    await fetch(`${url}/v1/pets/999`, { headers: { authorization: 'Bearer banned-key' } })
    const json = JSON.parse(await run(`what-if --json --url ${url}`))
    expect(json).toMatchObject({
      requests: 1,
      results: expect.arrayContaining([
        { gaps: { banStatus: 403 }, changesResponse: true, firstRequest: 1 },
      ]),
    })
    const text = await run(`what-if --responses --all --url ${url}`)
    expect(text).toContain(
      'With retryAfterFormat=http-date, request 1 gets another response: GET /v1/pets/999\n  now      429 {"code":"key_banned"',
    )
    expect(text).toContain('           retry-after: 300 → Thu, 01 Jan 2026 00:05:00 GMT')
  })

  it('says that there was no request', async () => {
    const { url } = await testServer({ sandbox: frozenSandbox() })
    expect(await run(`what-if --url ${url}`)).toBe('The sandbox has received no request yet\n')
  })

  it('tries the values that are given, on all requests or on one', async () => {
    const { url } = await testServer({ sandbox: frozenSandbox() })
    const headers = { authorization: 'Bearer free-key' }
    await fetch(`${url}/v1/pets?limit=0`, { headers })
    await fetch(`${url}/v1/pets/1`, { headers })
    const words = 'what-if deprecationHeaders=none listOrder=shuffled'
    const changed =
      'With listOrder=shuffled, deprecationHeaders=none, request 2 gets another response: GET /v1/pets/1\n'
    expect(await run(`${words} --url ${url}`)).toContain(changed)
    expect(await run(`${words} --request 2 --url ${url}`)).toContain(changed)
    expect(await run(`${words} --request 1 --url ${url}`)).toBe(
      'With listOrder=shuffled, deprecationHeaders=none, the response would be the same\n',
    )
    expect(await run(`what-if emptyName=reject --url ${url}`)).toBe(
      'With emptyName=reject, the responses to all 2 requests would be the same\n',
    )
    await expect(run(`what-if --request 9 --url ${url}`)).rejects.toThrow('request 9')
  })

  it('replays a capture', async () => {
    const file = fileURLToPath(
      new URL('../../../fixtures/captures/version-1.petstore.json', import.meta.url),
    )
    const text = await run(`what-if retryAfterFormat=http-date --from ${file}`)
    expect(text).toContain('With retryAfterFormat=http-date, request 9 gets another response:')
    expect(await run(`what-if banStatus=403 --request 1 --from ${file}`)).toContain('the same')
  })
})

describe('gaps', () => {
  it('lists all gaps as JSON', async () => {
    const rows: { gap: string; values: string[] }[] = JSON.parse(await run('gaps --json'))
    expect(rows.map(({ gap }) => gap)).toEqual(gapNames)
    expect(rows.find(({ gap }) => gap === 'banStatus')?.values).toEqual(['429', '403', '418'])
  })
})

describe('whatIfText()', () => {
  it('makes what a client sent harmless', async () => {
    const sandbox = frozenSandbox()
    await send(sandbox, { url: '/v1/\u001b[31m' })
    const text = whatIfText(await sandbox.whatIf({ responses: true }), false)
    expect(text).not.toContain('\u001b')
    expect(text).toContain('(1 request replayed):')
  })

  it('says which requests are no longer in the log', () => {
    const dropped = { requests: 4711, before: '2026-01-01T00:00:00Z' }
    expect(whatIfText({ requests: 0, dropped, results: [], unpromised: [] }, false)).toContain(
      'No longer in the log: 4,711 requests before 2026-01-01T00:00:00Z; the replay starts from the state at that time',
    )
  })
})
