import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { coverageFragment } from '../../../../src/checks/coverage/coverage-report.ts'
import { mergeFragments } from '../../../../src/checks/coverage/covered.ts'
import { createSandbox } from '../../../../src/sandbox/sandbox.ts'
import { runCli } from '../../../kit/cli-process.ts'
import { expectFreshBuild } from '../../../kit/expect-fresh-build.ts'
import { requestOf } from '../../../kit/send.ts'

expectFreshBuild()

/** Has what sandboxes cover collected in a folder, as long as the test runs. */
function collectIn(part = 'coverage'): string {
  const folder = mkdtempSync(join(tmpdir(), 'petstore-coverage-'))
  vi.stubEnv('PETSTORE_CHECK_DIR', join(folder, part))
  onTestFinished(() => {
    vi.unstubAllEnvs()
    rmSync(folder, { recursive: true })
  })
  return join(folder, part)
}

function fragmentsIn(folder: string) {
  return readdirSync(folder).map((file) =>
    coverageFragment.parse(JSON.parse(readFileSync(join(folder, file), 'utf8'))),
  )
}

describe('PETSTORE_CHECK_DIR', () => {
  it('collects what all sandboxes of a process cover, in one file, as soon as it is covered', async () => {
    const folder = collectIn()
    for (const key of ['free-key', null]) {
      const sandbox = createSandbox()
      await sandbox.handle(requestOf({ key }))
      await sandbox.coverage()
    }
    const [fragment, ...others] = fragmentsIn(folder)
    expect(others).toEqual([])
    const { categories } = mergeFragments(fragment === undefined ? [] : [fragment])
    expect(
      categories.outcomes.items.filter(({ covered }) => covered).map(({ name }) => name),
    ).toEqual(['listPets 200', 'listPets 401'])
  })

  it('collects requests and findings, with the test in which they were proved', async () => {
    const folder = collectIn()
    const sandbox = createSandbox()
    sandbox.tests.start('lists')
    for (const url of ['/v1/pets?key=free-key', '/v1/pets', '/v1/pets']) {
      await sandbox.handle(requestOf({ url }))
    }
    sandbox.tests.end()
    await Promise.all([sandbox.coverage(), sandbox.findings()])
    const [fragment] = fragmentsIn(folder)
    expect(fragment).toMatchObject({
      requests: 3,
      findings: expect.arrayContaining([
        expect.objectContaining({ rule: 'key-in-url', test: 'lists', requests: [1] }),
      ]),
    })
  })

  it('names the file so that nobody can foresee it, and leaves no other', async () => {
    const folder = collectIn('a/b')
    await createSandbox().coverage()
    expect(readdirSync(folder)).toEqual([
      expect.stringMatching(new RegExp(`^petstore-${process.pid}-[\\da-f-]{36}\\.json$`)),
    ])
  })

  it('keeps a process from starting that could not write to a folder that is a file', async () => {
    const file = collectIn('file')
    writeFileSync(file, '')
    const env = { PETSTORE_CHECK_DIR: file }
    expect(await runCli(['serve', '--port', '0'], { env })).toEqual({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(
        /^petstore-sandbox: Cannot write to the folder PETSTORE_CHECK_DIR: E.*\n$/,
      ),
    })
  })

  it('fails in process with a word on a folder that is a file', async () => {
    const file = collectIn('file')
    writeFileSync(file, '')
    vi.stubEnv('PETSTORE_CHECK_DIR', file)
    await expect(createSandbox().coverage()).rejects.toThrow(
      /^Cannot write to the folder PETSTORE_CHECK_DIR: E/,
    )
  })

  it('goes on in the same folder when the process goes elsewhere', async () => {
    const folder = collectIn()
    const child = `
      const { createSandbox } = await import('${new URL('../../../../dist/index.js', import.meta.url)}')
      for (const url of ['/v1/pets', '/v1/pets/1']) {
        const headers = { authorization: 'Bearer free-key' }
        const sandbox = createSandbox()
        await sandbox.handle({ method: 'GET', url, headers, body: '' })
        await sandbox.coverage()
        process.chdir('/')
      }`
    const [parent, name] = [dirname(folder), basename(folder)]
    execFileSync(process.execPath, ['--input-type=module', '-e', child], {
      cwd: parent,
      env: { PETSTORE_CHECK_DIR: name },
    })
    expect(mergeFragments(fragmentsIn(folder)).categories.outcomes.covered).toBe(2)
  })

  it('leaves out a sandbox whose coverage is off', async () => {
    const folder = collectIn()
    const sandbox = createSandbox({ coverage: false })
    await sandbox.handle(requestOf({}))
    await sandbox.coverage()
    expect(() => readdirSync(folder)).toThrow('ENOENT')
  })

  it('collects what a process serves, and what its clients run themselves', async () => {
    const folder = collectIn()
    const index = new URL('../../../../dist/index.js', import.meta.url)
    const client = `
      const headers = { authorization: 'Bearer free-key' }
      await fetch(process.env.PETSTORE_API_URL + '/pets', { headers })
      const { createSandbox } = await import('${index}')
      const sandbox = createSandbox()
      await sandbox.handle({ method: 'GET', url: '/v1/pets/1', headers, body: '' })
      await sandbox.coverage()
      process.kill(process.pid, 'SIGKILL')`
    const args = ['exec', '--', process.execPath, '--input-type=module', '-e', client]
    await runCli(args, { env: { PETSTORE_CHECK_DIR: folder } })
    expect(readdirSync(folder)).toHaveLength(2)
    const { categories } = mergeFragments(fragmentsIn(folder))
    expect(
      categories.outcomes.items.flatMap(({ name, covered }) => (covered ? [name] : [])),
    ).toEqual(['listPets 200', 'getPet 200'])
  })
})

describe('mergeFragments()', () => {
  const outcomes = (...items: { name: string; covered: boolean; coveredBy?: string }[]) =>
    coverageFragment.parse({ categories: { outcomes: { items } } })

  it('adds up what several processes have covered', () => {
    const merged = mergeFragments([
      outcomes({ name: 'listPets 200', covered: true }, { name: 'getPet 404', covered: false }),
      outcomes({ name: 'createPet 201', covered: true, coveredBy: 'adds a pet' }),
    ])
    expect(merged.categories.outcomes).toMatchObject({ covered: 2, total: 11 })
    expect(merged.categories.outcomes.items.find(({ name }) => name === 'createPet 201')).toEqual({
      name: 'createPet 201',
      covered: true,
      coveredBy: 'adds a pet',
      snippet: expect.any(String),
      steps: [{ request: expect.objectContaining({ method: 'POST', path: '/pets' }), times: 1 }],
    })
  })

  it('takes the first test that is named, and a whole report too', async () => {
    const sandbox = createSandbox({ coverage: true })
    await sandbox.handle(requestOf({}))
    const merged = mergeFragments([
      coverageFragment.parse(await sandbox.coverage()),
      outcomes({ name: 'listPets 200', covered: true, coveredBy: 'one' }),
      outcomes({ name: 'listPets 200', covered: true, coveredBy: 'two' }),
    ])
    expect(merged.categories.outcomes.items[0]).toMatchObject({
      name: 'listPets 200',
      coveredBy: 'one',
    })
  })

  it('leaves out what this version has no cell for', () => {
    const merged = mergeFragments([outcomes({ name: 'listPets 999', covered: true })])
    expect(merged.categories.outcomes).toMatchObject({ covered: 0, total: 11 })
  })
})
