import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { testFolder } from '../../../kit/cli-process.ts'
import { runMain } from '../../../kit/run-main.ts'

/** Makes a folder with a fragment for each list of outcomes. */
function folderWith(...fragments: readonly (readonly string[])[]): string {
  const folder = testFolder()
  fragments.forEach((outcomes, index) => {
    const items = outcomes.map((name) => ({ name, covered: true, coveredBy: `test ${index}` }))
    writeFileSync(
      join(folder, `petstore-${index}.json`),
      JSON.stringify({ requests: 1, categories: { outcomes: { items } } }),
    )
  })
  return folder
}

describe('check --from', () => {
  it('reports what all files of some folders say together', async () => {
    const folders = [folderWith(['listPets 200'], ['createPet 201']), folderWith(['listPets 401'])]
    const { code, stdout, stderr } = await runMain(['check', '--from', folders.join(','), '--all'])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toMatch(/^Check: nothing to fix or to review \(3 requests\)\n/)
    expect(stdout).toMatch(/^never exercised: 29 of 32 documented situations\n/m)
    expect(stdout).toContain('todo status 429 from listPets, createPet\n')
    expect(stdout).not.toContain('getPet')
  })

  it('takes files and reports in JSON, too, and leaves out those that are being written', async () => {
    const folder = folderWith(['listPets 200'])
    writeFileSync(join(folder, '.petstore-9.json.part'), '{')
    writeFileSync(join(folder, '.petstore-8.json'), '{')
    const file = join(folderWith(['createPet 201']), 'petstore-0.json')
    const words = ['check', '--from', folder, '--from', file, '--json']
    const { stdout } = await runMain(words)
    expect(JSON.parse(stdout).categories.outcomes).toMatchObject({ covered: 2, total: 11 })
    const report = join(folder, 'report.json')
    writeFileSync(report, stdout)
    expect((await runMain(['check', '--from', report, '--json'])).stdout).toBe(stdout)
  })

  it('fails for findings, and for too little', async () => {
    const folder = folderWith(['listPets 200'])
    const finding = {
      ...{ rule: 'key-in-url', severity: 'error', message: 'Sent it.', advice: 'Send none.' },
      ...{ source: 'spec 5', client: 1, requests: [1], test: 'lists' },
    }
    writeFileSync(join(folder, 'a.json'), JSON.stringify({ findings: [finding], categories: {} }))
    const words = ['check', '--from', folder, '--min-coverage=50']
    const { code, stdout, stderr } = await runMain([...words, '--report=github'])
    expect(code).toBe(4)
    expect(stdout).toContain('::error title=key-in-url::Sent it. (test "lists", request 1)')
    expect(stdout.match(/title=key-in-url/g)).toHaveLength(1)
    expect(stdout).toContain('::error title=coverage::')
    expect(stderr).toMatch(
      /Cannot accept the client: fix key-in-url; 1 of \d+ situations \(\d %\), less than 50 %\n$/,
    )
  })

  it.each([
    { args: ['nowhere'], code: 2, says: 'Cannot read nowhere: it does not exist' },
    { args: ['empty'], code: 2, says: 'Cannot check: empty has no results; ' },
    { args: ['bad.json'], code: 2, says: 'bad.json:1:1: Cannot read the file: it is not valid' },
    { args: ['other.json'], code: 2, says: 'other.json:1:16: Cannot set coverage.categories' },
    { args: ['package.json'], code: 2, says: 'package.json:1:1: Cannot read the file: it has no' },
    { args: ['empty', '--', 'npm', 'test'], code: 2, says: 'Cannot use --from with a command' },
  ])('rejects $args', async ({ args, code, says }) => {
    const cwd = testFolder()
    mkdirSync(join(cwd, 'empty'))
    writeFileSync(join(cwd, 'bad.json'), '<')
    writeFileSync(join(cwd, 'other.json'), '{"categories": 1}')
    writeFileSync(join(cwd, 'package.json'), '{"name": "mine"}')
    const { stderr, ...result } = await runMain(['check', '--from', ...args], { cwd })
    expect(result).toMatchObject({ code, stdout: '' })
    expect(stderr).toContain(`petstore-sandbox: ${says}`)
  })
})
