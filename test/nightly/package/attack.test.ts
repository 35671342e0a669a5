import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { expectFreshBuild } from '../../kit/expect-fresh-build.ts'

expectFreshBuild()

const script = fileURLToPath(new URL('../../../scripts/attack.ts', import.meta.url))

describe('a server with a small heap', () => {
  it('outlives what clients without a key do, in a tenth of npm run attack', async () => {
    const attack = promisify(execFile)(process.execPath, [script, '--short'])
    // What it has told of a failure is its output, which the error has too.
    const { stdout } = await attack.catch((error: { readonly stdout: string }) => error)
    expect(stdout).toMatch(/^\d+ tried, 0 failed$/m)
  }, 300_000)
})
