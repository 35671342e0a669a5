import { afterAll, expect, onTestFinished, TestRunner } from 'vitest'
import { createSandbox as createPlain, type Sandbox, type SandboxOptions } from '../../src/index.ts'

export * from '../../src/index.ts'

/** Makes a sandbox as the package does, whose clients have to be polite until the test, or the file, ends. */
export function createSandbox(options?: SandboxOptions): Sandbox {
  const sandbox = createPlain(options)
  const judge = async (): Promise<void> => {
    const findings = await sandbox.findings({ oneClient: true })
    expect(findings.filter(({ severity }) => severity === 'error')).toEqual([])
  }
  if (TestRunner.getCurrentTest() === undefined) afterAll(judge)
  else onTestFinished(judge)
  return sandbox
}
