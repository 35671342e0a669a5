import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { testFolder } from '../../../kit/cli-process.ts'
import { runMain } from '../../../kit/run-main.ts'

const root = fileURLToPath(new URL('in-process', import.meta.url))

const vitest = fileURLToPath(new URL('../../../../node_modules/vitest/vitest.mjs', import.meta.url))

/** Checks a suite whose tests have sandboxes in their own process. */
async function checkSuite(name: string, only: string) {
  const { code, stdout } = await runMain(
    [
      ...['check', '--only', only, '--report', 'json', '--'],
      ...[process.execPath, vitest, 'run', '--root', root, name],
    ],
    { cwd: testFolder() },
  )
  const { items, conditions } = JSON.parse(stdout)
  return { code, items, conditions }
}

describe('check --full of tests with the fixture for Vitest', () => {
  it('names what a rude client has to fix', async () => {
    const { code, items, conditions } = await checkSuite('rude', 'outage,retry-after,minute-limit')
    expect(conditions).toMatchObject([
      { condition: 'minute-limit', state: 'fix' },
      { condition: 'outage', operation: 'listPets', state: 'review' },
      { condition: 'retry-after', operation: 'listPets', state: 'fix' },
    ])
    expect(items).toContainEqual(
      expect.objectContaining({
        grade: 'fix',
        what: 'retry-too-early',
        text: expect.stringMatching(
          /^Sent GET \/v1\/pets\?limit=100&status=\w+ \d+ times, which the suite itself sends once: /,
        ),
      }),
    )
    // Ten tries are too many, whatever the machine makes of the pauses between them.
    expect(items).toContainEqual(
      expect.objectContaining({ grade: 'review', what: 'endless-retries' }),
    )
    expect(code).toBe(4)
  })

  it('has nothing to fix or to review in a polite one', async () => {
    const only = 'outage,retry-after,minute-limit,shared-key,no-response,large-ids'
    const { code, items, conditions } = await checkSuite('polite', only)
    expect(items).toEqual([])
    expect(conditions).toMatchObject([
      { condition: 'minute-limit', state: 'passed' },
      {
        condition: 'shared-key',
        state: 'not-met',
        summary: expect.stringContaining('has its own'),
      },
      { condition: 'outage', state: 'passed' },
      { condition: 'retry-after', state: 'passed' },
      {
        condition: 'no-response',
        state: 'not-met',
        summary: expect.stringContaining('no server sees'),
      },
      { condition: 'large-ids', state: 'not-met' },
    ])
    expect(code).toBe(0)
  })
})
