import { describe, expect, it } from 'vitest'
import { openRun } from '../../../src/console/playground/open-run.ts'
import { toJson } from '../../../src/mock/api/json.ts'
import { frozenSandbox } from '../../kit/frozen-sandbox.ts'
import { requestOf } from '../../kit/send.ts'

/** A run of four requests, with controls between them, as the text of a capture. */
async function captured(): Promise<string> {
  const sandbox = frozenSandbox()
  await sandbox.handle(requestOf({}))
  await sandbox.handle(requestOf({ json: '{"name":"Rex","categoryId":1}' }))
  sandbox.clock.advance('2m')
  sandbox.faults.add({ fault: 'timeout', times: 3 })
  sandbox.keys.update('free-key', { ban: '5m' })
  await sandbox.handle(requestOf({}))
  await sandbox.handle(requestOf({ key: 'pro-key', url: '/v1/pets/1' }))
  return toJson(await sandbox.capture())
}

describe('openRun()', () => {
  // K5: one step is shown, and says what it changed.
  it('shows the state after each request, and all requests of the run', async () => {
    const { steps, shown, client, show } = await openRun('run.json', await captured())
    expect(steps).toEqual([1, 2, 3, 4])
    const free = shown.current.keys.list()[0]?.key ?? ''
    const changes: (readonly string[])[] = []
    for (const step of steps) {
      changes.push(await show(step))
      expect((await client.requests.list()).map(({ id }) => id)).toEqual(steps)
    }
    expect(changes).toEqual([
      [],
      ['pet +1', `${free} minute 1 → 2`],
      [`${free} minute 2 → 0 banned`, 'fault +1', 'clock +2 min'],
      [expect.stringMatching(/minute 0 → 1$/)],
    ])
    await show(1)
    expect([await client.pets.size(), shown.current.requests.list()]).toMatchObject([30, [{}]])
  })

  it('writes everything up to a request as a test', async () => {
    const { testUntil } = await openRun('run.json', await captured())
    expect(testUntil(2)).toContain('Rex')
    expect(testUntil(1)).not.toContain('Rex')
  })

  it.each([
    { text: '{', says: /^Cannot read bad\.json: it is not valid JSON$/ },
    { text: '[]', says: /^Cannot / },
    { text: '{"petstoreCapture":2}', says: /version 2/ },
  ])('rejects $text in a sentence', async ({ text, says }) => {
    await expect(openRun('bad.json', text)).rejects.toThrow(says)
  })
})
