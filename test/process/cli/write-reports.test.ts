import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { reportTargets } from '../../../src/cli/write-reports.ts'
import { type CliResult, runCli, testFolder } from '../../kit/cli-process.ts'
import { runMain } from '../../kit/run-main.ts'

describe('reportTargets', () => {
  it('are formats, each with a file or for standard output', () => {
    expect(reportTargets.parse('pretty,junit=out/a=b.xml,markdown=page.md')).toEqual([
      { format: 'pretty', file: undefined },
      { format: 'junit', file: 'out/a=b.xml' },
      { format: 'markdown', file: 'page.md' },
    ])
  })
})

const script = 'fetch(process.env.PETSTORE_API_URL + "/pets")'

describe('reports', () => {
  it('are written to folders that are made for them', async () => {
    const cwd = testFolder()
    const options = ['--report', 'json=new/one/check.json']
    const { code, stdout } = await runCli(
      ['check', ...options, '--', process.execPath, '-e', script],
      { cwd },
    )
    expect(code).toBe(0)
    // A report in a file leaves the one for people.
    expect(stdout).toMatch(/^Check: nothing to fix or to review /)
    expect(readFileSync(join(cwd, 'new/one/check.json'), 'utf8')).toMatch(/^\{"passed":/)
  })

  it.each([{ command: 'check', options: ['--report', 'markdown=file/x.md'] }])(
    'are rejected before $command runs anything, where they cannot be written: $options',
    async (given) => {
      const { command, options } = given
      const cwd = testFolder()
      writeFileSync(join(cwd, 'file'), '')
      const words = [process.execPath, '-e', 'console.log("it runs")']
      const { code, stdout, stderr } = await runMain([command, ...options, '--', ...words], { cwd })
      expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
      expect(stderr).toMatch(/^petstore-sandbox: Cannot write file\/x\.\w+: .*is not a folder\n$/)
    },
  )

  it('are written as far as they can be, where one of them cannot', async () => {
    const cwd = testFolder()
    const options = ['--report', 'markdown=out/x.md', '--report', 'json=check.json']
    // The command itself puts a folder where the report is to be.
    const corrupt = 'require("fs").mkdirSync("out/x.md", { recursive: true })'
    const run = (then: string): Promise<CliResult> =>
      runCli(
        ['check', ...options, '--', process.execPath, '-e', `${script}.then(() => { ${then} })`],
        { cwd },
      )
    expect((await run(corrupt)).code).toBe(1)
    rmSync(join(cwd, 'out'), { recursive: true })
    const { code, stderr } = await run(`${corrupt}; process.exitCode = 3`)
    expect(code).toBe(3)
    expect(stderr).toContain('Cannot write out/x.md: it is a folder')
    expect(readFileSync(join(cwd, 'check.json'), 'utf8')).toMatch(/^\{"passed":/)
  })
})
