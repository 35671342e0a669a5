import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readConfigFile } from '../../../src/cli/serve/config-file.ts'
import { Shell, writeTests } from '../../kit/shell.ts'

const textOf = (name: string): string => readFileSync(new URL(name, import.meta.url), 'utf8')

describe('the recipe for GitHub', () => {
  it('runs the tests, and leaves a report to open and a summary of the job', async () => {
    const shell = new Shell(undefined, { GITHUB_STEP_SUMMARY: 'summary.md' })
    writeTests(shell)
    const [, run = ''] = /- run: (npx .*)/.exec(textOf('audit-workflow.yml')) ?? []
    const { code, stdout } = await shell.run(run)
    expect(code).toBe(0)
    expect(stdout).toMatch(
      /^::notice title=Check::nothing to fix or to review \(1 run in \d+s, 1 request\)$/m,
    )
    expect(readFileSync(join(shell.folder, 'check.json'), 'utf8')).toMatch(/^\{"passed":true/)
    expect(readFileSync(join(shell.folder, 'summary.md'), 'utf8')).toContain('## Check')
  })
})

describe('the exceptions of the guide', () => {
  it('can be read', async () => {
    const { folder } = new Shell()
    writeFileSync(join(folder, 'config.json'), textOf('audit-config.json'))
    const { exceptions } = await readConfigFile(join(folder, 'config.json'))
    expect(exceptions).toMatchObject([
      { rule: 'deprecated-operation', until: Date.UTC(2027, 5, 1) },
      { rule: 'list-truncated', until: undefined },
    ])
  })
})
