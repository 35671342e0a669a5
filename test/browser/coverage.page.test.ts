import { setupWorker } from 'msw/browser'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { commands } from 'vitest/browser'
import { createHandlers } from '../../src/adapters/msw.ts'
import { coverageFragment } from '../../src/checks/coverage/coverage-report.ts'
import { mergeFragments } from '../../src/checks/coverage/covered.ts'
import { createSandbox } from '../../src/sandbox/sandbox.ts'

const sandbox = createSandbox({ coverage: true })
const worker = setupWorker(...createHandlers(sandbox))

describe('coverage in a page', () => {
  beforeAll(async () => {
    await worker.start({ quiet: true })
  })

  afterAll(() => worker.stop())

  it('counts what the page covers, and lets Node write it', async () => {
    const response = await fetch('/v1/pets', { headers: { authorization: 'Bearer free-key' } })
    expect(response.status).toBe(200)
    const file = `node_modules/.vitest-${crypto.randomUUID()}.json`
    await commands.writeFile(file, JSON.stringify(await sandbox.coverage()))
    const fragment = coverageFragment.parse(JSON.parse(await commands.readFile(file)))
    await commands.removeFile(file)
    expect(mergeFragments([fragment]).categories.outcomes).toMatchObject({ covered: 1, total: 11 })
  })
})
