import { spawnSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { expectFreshBuild } from '../../kit/expect-fresh-build.ts'
import { projectFolder } from '../../unit/package/project-folder.ts'

describe('an error of the package that nobody catches', () => {
  it.each([
    {
      name: 'createSandbox',
      program: `import { createSandbox } from 'petstore-sandbox'; createSandbox({ nonsense: 1 })`,
      message: 'InputError: Cannot set nonsense: unknown property',
    },
    {
      name: 'connectSandbox',
      program: `import { connectSandbox } from 'petstore-sandbox/client'; connectSandbox()`,
      message: 'InputError: Cannot use undefined as the address of a sandbox',
    },
  ])('shows one line of source, its message, and a stack with names: $name()', (given) => {
    expectFreshBuild()
    const args = ['--input-type=module', '--eval', given.program]
    const { stderr } = spawnSync(process.execPath, args, { cwd: projectFolder, encoding: 'utf8' })
    expect(stderr).toContain(given.message)
    expect(stderr).toMatch(
      new RegExp(`^    at ${given.name} \\(file://.*/dist/[^:]+:\\d+:\\d+\\)$`, 'm'),
    )
    expect(stderr.length).toBeLessThan(2_500)
  })
})
