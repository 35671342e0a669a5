import { describe, expect, it, vi } from 'vitest'
import { runCommandLine } from '../../../src/cli/parser.ts'
import { matteringText } from '../../../src/cli/remote/show-gaps.ts'
import { gapNames } from '../../../src/mock/spec/gaps.ts'
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

describe('gaps --matter', () => {
  it('lists the choices that matter to what a sandbox was asked, and the gaps that do not', async () => {
    const { url } = await testServer({ sandbox: frozenSandbox() })
    const headers = { authorization: 'Bearer free-key' }
    await fetch(`${url}/v1/pets?limit=2`, { headers })
    await fetch(`${url}/v1/pets/999`, { headers })
    const text = await run(`gaps --matter --url ${url}`)
    expect(text).toMatch(/^Choices that would have changed a reply \(2 requests replayed\):/)
    expect(text).toMatch(/^listOrder=id-descending +1 +4\.1$/m)
    expect(text).toMatch(/^errorCodes=opaque +2 +7$/m)
    expect(text).toMatch(/^errorMessages=generic +2 +never promised$/m)
    expect(text).toMatch(
      /\nNo other choice matters at these gaps:\n {2}defaultStatus, nullStatus,[\s\S]*banStatus/,
    )
    expect(text.split('\n').every((line) => line.length <= 80)).toBe(true)
    expect(text).not.toMatch(/banStatus=/)
  })

  it('gives the same as JSON, and both replies if asked', async () => {
    const { url } = await testServer({ sandbox: frozenSandbox() })
    await fetch(`${url}/v1/pets/999`, { headers: { authorization: 'Bearer banned-key' } })
    const json = JSON.parse(await run(`gaps --matter --json --url ${url}`))
    expect(json).toMatchObject({
      exchanges: 1,
      gaps: { banStatus: { 403: { matters: true, first: 1 } } },
    })
    expect(JSON.stringify(json)).not.toContain('replies')
    const text = await run(`gaps --matter --replies --all --url ${url}`)
    expect(text).toContain(
      'retryAfterFormat=http-date: request 1, GET /v1/pets/999\n  now      429 {"code":"key_banned"',
    )
    expect(text).toContain('           retry-after: 300 → Thu, 01 Jan 2026 00:05:00 GMT')
  })

  it('says that nothing was asked', async () => {
    const { url } = await testServer({ sandbox: frozenSandbox() })
    expect(await run(`gaps --matter --url ${url}`)).toBe(
      'The sandbox has received no request since it began\n',
    )
  })
})

describe('gaps', () => {
  it('lists all gaps as JSON', async () => {
    const rows: { gap: string; choices: string[] }[] = JSON.parse(await run('gaps --json'))
    expect(rows.map(({ gap }) => gap)).toEqual(gapNames)
    expect(rows.find(({ gap }) => gap === 'banStatus')?.choices).toEqual(['429', '403'])
  })
})

describe('matteringText()', () => {
  it('makes what a client sent harmless', async () => {
    const sandbox = frozenSandbox()
    await send(sandbox, { url: '/v1/\u001b[31m' })
    const text = matteringText(await sandbox.counterfactual({ replies: true }))
    expect(text).not.toContain('\u001b')
    expect(text).toContain('(1 request replayed):')
  })

  it('says what came before the requests that it knows', () => {
    const earlier = { exchanges: 4711, until: '2026-01-01T00:00:00Z' }
    expect(matteringText({ exchanges: 0, earlier, gaps: {}, unpromised: [] })).toContain(
      'Forgotten: 4,711 requests before 2026-01-01T00:00:00Z; this begins with what the sandbox held then',
    )
  })
})
