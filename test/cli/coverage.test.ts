import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createSandbox } from '../../src/mock/sandbox.ts'
import { serveCli, testFolder } from '../kit/cli-process.ts'
import { runMain } from '../kit/run-main.ts'
import { send } from '../kit/send.ts'
import { testServer } from '../kit/test-server.ts'

/** Makes a folder with a fragment for each list of outcomes. */
function folderWith(...fragments: readonly (readonly string[])[]): string {
  const folder = testFolder()
  fragments.forEach((outcomes, index) => {
    const cells = outcomes.map((cell) => ({ cell, covered: true, by: `test ${index}` }))
    writeFileSync(
      join(folder, `petstore-${index}.json`),
      JSON.stringify({ tiers: { outcomes: { cells } } }),
    )
  })
  return folder
}

describe('petstore-sandbox coverage', () => {
  it('reports what all fragments of some folders say together', async () => {
    const folders = [folderWith(['listPets 200'], ['createPet 201']), folderWith(['listPets 401'])]
    const { code, stdout, stderr } = await runMain(['coverage', ...folders])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toMatch(/^Coverage: 3 of \d+ covered/)
    expect(stdout).toMatch(/^ {2}outcomes +3 of 11 covered \(27 %\)$/m)
    expect(stdout).toMatch(/^ {2}createPet 201 +covered +by test 1$/m)
    expect(stdout).toMatch(/^ {2}getPet 404 +not covered +await client\(\)\.getPet\(999\)$/m)
  })

  it('takes files, too, and leaves out those that are being written', async () => {
    const folder = folderWith(['listPets 200'])
    writeFileSync(join(folder, '.petstore-9.json.part'), '{')
    writeFileSync(join(folder, '.petstore-8.json'), '{')
    const file = join(folderWith(['createPet 201']), 'petstore-0.json')
    const { stdout } = await runMain(['coverage', folder, file, '--report', 'json'])
    expect(JSON.parse(stdout).tiers.outcomes).toMatchObject({ covered: 2, all: 11 })
  })

  it.each([
    { words: 'outcomes=19', code: 4, says: 'outcomes 2 of 11 covered (18 %), less than 19 %' },
    { words: 'outcomes=18', code: 0, says: '' },
    {
      words: 'outcomes=100,values=1',
      code: 4,
      says: 'outcomes 2 of 11 covered (18 %), less than 100 %; values 0 of 15 covered (0 %), less than 1 %',
    },
    { words: 'situations=0', code: 0, says: '' },
  ])('ends with $code for --fail-under $words', async ({ words, code, says }) => {
    const folder = folderWith(['listPets 200', 'listPets 401'])
    const result = await runMain(['coverage', '--fail-under', words, folder])
    expect(result.code).toBe(code)
    expect(result.stdout).toMatch(/^Coverage: /)
    const message = `petstore-sandbox: Cannot accept the coverage: ${says}\n`
    expect(result.stderr).toBe(says === '' ? '' : message)
  })

  it('takes what is not covered below a threshold for an error', async () => {
    const words = ['--fail-under=outcomes=50', '--report', 'github', folderWith(['listPets 200'])]
    const { code, stdout } = await runMain(['coverage', ...words])
    expect(code).toBe(4)
    expect(stdout).toMatch(/^::error title=listPets 401::not covered%0A/)
  })

  it('asks the running sandbox if no folder is named', async () => {
    const sandbox = createSandbox({ coverage: true })
    await send(sandbox)
    const { url } = await testServer({ sandbox })
    const { code, stdout } = await runMain(['coverage', '--url', url, '--report', 'json'])
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toEqual(JSON.parse(JSON.stringify(await sandbox.coverage())))
  })

  it('asks each of the sandboxes that were started with --coverage', async () => {
    const { url } = await serveCli(['--coverage', '--sandbox', 'alice', '--log', 'json'])
    const headers = { authorization: 'Bearer free-key' }
    await fetch(`${url}/sandboxes/alice/v1/pets`, { headers })
    const outcomesOf = async (...args: readonly string[]): Promise<unknown> => {
      const { stdout } = await runMain(['coverage', '--url', url, '--report', 'json', ...args])
      return JSON.parse(stdout).tiers.outcomes.covered
    }
    expect([await outcomesOf(), await outcomesOf('--sandbox', 'alice')]).toEqual([0, 1])
  })

  it('says how to switch coverage on where it is off', async () => {
    const { url } = await testServer({ sandbox: createSandbox() })
    const { code, stderr } = await runMain(['coverage', '--url', url])
    expect(code).toBe(1)
    expect(stderr).toMatch(/^petstore-sandbox: Cannot report coverage: it is off; .*--coverage/)
  })

  it.each([
    { args: ['nowhere'], code: 2, says: 'Cannot read nowhere: it does not exist' },
    { args: ['empty'], code: 2, says: 'Cannot report coverage: no fragment is in empty; ' },
    { args: ['bad.json'], code: 1, says: 'bad.json:1:1: Cannot read the file: it is not valid' },
    { args: ['other.json'], code: 1, says: 'other.json:1:11: Cannot set coverage.tiers' },
    {
      args: ['package.json'],
      code: 1,
      says: 'package.json:1:1: Cannot read the file: it is not coverage; use a file of PETSTORE_COVERAGE_DIR',
    },
  ])('refuses $args', async ({ args, code, says }) => {
    const cwd = testFolder()
    mkdirSync(join(cwd, 'empty'))
    writeFileSync(join(cwd, 'bad.json'), '<')
    writeFileSync(join(cwd, 'other.json'), '{"tiers": 1}')
    writeFileSync(join(cwd, 'package.json'), '{"name": "mine"}')
    const { stderr, ...result } = await runMain(['coverage', ...args], { cwd })
    expect(result).toMatchObject({ code, stdout: '' })
    expect(stderr).toContain(`petstore-sandbox: ${says}`)
  })
})
