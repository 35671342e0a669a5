import { type SandboxFixtures, test as sandboxTest } from '../../src/adapters/vitest.ts'

export * from '../../src/adapters/vitest.ts'

/** The package's `test`, under the audit that the documents recommend. */
export const test = sandboxTest.extend<Pick<SandboxFixtures, 'failOn'>>({ failOn: 'error' })
