import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { parseJson } from '../../../src/mock/api/json.ts'
import { readInput } from '../../../src/mock/input/schema.ts'
import { captureFile } from '../../../src/sandbox/controls/captures.ts'
import { replayCapture } from '../../../src/sandbox/replay/replay-capture.ts'
import { runSuite } from '../../kit/run-suite.ts'

describe('of a run with the option failOn', () => {
  const { results, captures } = runSuite(fileURLToPath(new URL('misbehaving', import.meta.url)))

  it.for(results)('gives each test what its title says: $title', (result) => {
    const { title, status, failureMessages } = result
    expect(status).toBe(title.startsWith('fails') ? 'failed' : 'passed')
    const [, rule] = /: ([a-z-]+)$/.exec(title) ?? []
    if (rule !== undefined) expect(failureMessages).toEqual([expect.stringContaining(rule)])
  })

  it('shows the requests that prove it', () => {
    const found = results.find(({ title }) => title.includes('what was found'))
    const message = found?.failureMessages.join()
    expect(message).toMatch(/^Error: The client of this test misbehaved \(option failOn: 'error'\)/)
    expect(message).toMatch(
      /#1 \S+ POST \/v1\/pets by free…: no response \(disconnect\), added pet 31/,
    )
  })

  it('shows none of another request log', () => {
    const reset = results.find(({ title }) => title.includes('resets'))
    expect(reset?.failureMessages.join()).not.toContain('#1')
  })

  it('writes what was done to the sandbox of each test that fails, and says where', async () => {
    const failed = results.filter(({ status }) => status === 'failed')
    expect(captures.size).toBe(failed.length)
    for (const { failureMessages } of failed) {
      const [, path = ''] =
        /npx petstore-sandbox replay (\S+)$/m.exec(failureMessages.join('\n')) ?? []
      const capture = readInput(captureFile, parseJson(captures.get(path) ?? ''))
      expect((await replayCapture(capture)).difference).toBeUndefined()
      const requests = capture.steps.filter((step) => step.do === 'request')
      expect(requests.length).toBeGreaterThan(0)
    }
  })

  it('takes a capture before the sandbox is dropped', () => {
    const [, text = ''] = [...captures].find(([path]) => path.includes('own-error')) ?? []
    expect(JSON.parse(text).steps.at(-1)).toMatchObject({ do: 'request' })
    expect([...captures.keys()].join()).toContain('fails-by-its-own-error-first-')
  })

  it("begins with the test's own error", () => {
    const own = results.find(({ title }) => title.includes('own error'))
    expect(own?.failureMessages).toEqual([
      expect.stringContaining('expected 32 to be 31'),
      expect.stringContaining('duplicate-create'),
    ])
  })
})
