import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { expectFreshBuild } from '../kit/expect-fresh-build.ts'

expectFreshBuild()

const script = fileURLToPath(new URL('../../scripts/attack.ts', import.meta.url))

/** Those that bring a server down most surely if a bound is missing. */
const quickest = [
  'the journals of sandboxes',
  'invalid tokens',
  'more pets',
  'an event stream',
  'bodies of 31 MiB',
  'snapshots that lie',
  'sandboxes with seeds',
  'many keys that',
  'a watched seed',
]

describe('a server with a small heap', () => {
  it('outlives what used to bring it down, in a tenth of npm run attack', async () => {
    const run = promisify(execFile)
    const { stdout } = await run(process.execPath, [script, '--short', ...quickest])
    expect(stdout).toContain(`${quickest.length} tried, 0 failed`)
  }, 180_000)
})
