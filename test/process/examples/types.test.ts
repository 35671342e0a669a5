import { execFile } from 'node:child_process'
import { globSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { expectFreshBuild } from '../../kit/expect-fresh-build.ts'

expectFreshBuild()

const root = fileURLToPath(new URL('../../../', import.meta.url))
const projects = globSync('examples/*/tsconfig.json', { cwd: root })

describe('examples/', () => {
  it('are found', () => {
    expect(projects).toHaveLength(4)
  })

  it.each(projects)('fit the types of the package: %s', async (project) => {
    const tsc = fileURLToPath(new URL('../../../node_modules/.bin/tsc', import.meta.url))
    // Its errors are on standard output.
    const { stdout } = await promisify(execFile)(process.execPath, [tsc, '-p', project], {
      cwd: root,
    }).catch((error: { readonly stdout: string }) => error)
    expect(stdout).toBe('')
  })
})
