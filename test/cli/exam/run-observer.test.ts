import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { observeRun } from '../../../src/cli/exam/run-observer.ts'
import { frozenSandbox } from '../../kit/frozen-sandbox.ts'
import { httpDoors } from '../../kit/http-doors.ts'

const run = promisify(execFile)

describe('observeRun()', () => {
  it.each([
    { suite: 'polite', isParallel: false },
    { suite: 'polite-patient', isParallel: false },
    { suite: 'polite-parallel', isParallel: true },
    { suite: 'rude-parallel', isParallel: true },
  ])('sees whether $suite has several requests under way: $isParallel', async (row) => {
    const sandbox = frozenSandbox({ coverage: true })
    const resultOf = await observeRun(sandbox, { excepted: new Set() })
    const served = await httpDoors['the process']?.(sandbox)
    const file = fileURLToPath(new URL(`suites/${row.suite}.js`, import.meta.url))
    const env = {
      ...process.env,
      PETSTORE_URL: `http://127.0.0.1:${served?.port}/v1`,
      PETSTORE_KEY: 'enterprise-key',
    }
    await run(process.execPath, [file], { env })
    await served?.close()
    const { requests, isParallel } = await resultOf({ oneClient: true })
    expect(requests).toBeGreaterThan(0)
    expect(isParallel).toBe(row.isParallel)
  })
})
