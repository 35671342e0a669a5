import { execFile } from 'node:child_process'
import { existsSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { testFolder } from '../../kit/cli-process.ts'

const modules = fileURLToPath(new URL('../../../node_modules', import.meta.url))

/** Needs no browser. */
const spec = `
  import { expect } from '@playwright/test'
  import { test } from 'petstore-sandbox/playwright'

  const url = 'http://shop.test/v1/pets'
  const headers = { authorization: 'Bearer secret-key' }
  test.beforeEach(({ sandbox }) => void sandbox.keys.issue({ plan: 'free', key: 'secret-key' }))

  test('passes', async ({ request }) => {
    expect((await request.get(url, { headers })).status()).toBe(200)
  })
  test('fails', async ({ request, sandbox }) => {
    sandbox.faults.add({ fault: 'status', status: 503 })
    expect((await request.get(url, { headers })).status()).toBe(200)
  })
  test.describe('audited', () => {
    test.use({ failOn: 'warning' })
    test('misbehaves', async ({ request }) => {
      await request.get(url + '/1', { headers })
    })
  })`

/** The part of Playwright's report that is looked at. */
interface Report {
  readonly suites: readonly Suite[]
}

interface Suite {
  readonly specs: readonly { readonly title: string; readonly tests: readonly Tested[] }[]
  readonly suites?: readonly Suite[]
}

interface Tested {
  readonly results: readonly {
    readonly attachments: readonly { readonly name: string; readonly path?: string }[]
  }[]
}

function attachmentsIn(suite: Suite): [string, readonly string[]][] {
  return [
    ...suite.specs.map(({ title, tests }): [string, readonly string[]] => [
      title,
      tests.flatMap(({ results }) =>
        results.flatMap(({ attachments }) =>
          attachments.filter(({ name }) => name.includes('petstore')).map(({ path = '' }) => path),
        ),
      ),
    ]),
    ...(suite.suites ?? []).flatMap(attachmentsIn),
  ]
}

// Each test that fails takes a process of its own.
it('attaches what was done to the sandbox of a test that fails', async () => {
  const folder = testFolder()
  symlinkSync(modules, join(folder, 'node_modules'))
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
  writeFileSync(join(folder, 'playwright.config.js'), 'export default { workers: 1 }')
  writeFileSync(join(folder, 'shop.spec.js'), spec)
  const cli = join(modules, '@playwright/test/cli.js')
  const args = [cli, 'test', '--reporter', 'json']
  const stdout = await new Promise<string>((resolve) => {
    execFile(process.execPath, args, { cwd: folder }, (_, text) => resolve(text))
  })
  const { suites } = JSON.parse(stdout) as Report
  const found = new Map(suites.flatMap(attachmentsIn))
  expect([...found].map(([title, paths]) => [title, paths.length])).toEqual([
    ['passes', 0],
    ['fails', 1],
    ['misbehaves', 1],
  ])
  const [path = ''] = found.get('fails') ?? []
  expect(existsSync(path)).toBe(true)
  const text = readFileSync(path, 'utf8')
  expect(text).not.toContain('secret-key')
  expect(JSON.parse(text).steps).toMatchObject([
    { name: 'keys.issue' },
    { name: 'faults.add' },
    { request: { url: '/v1/pets' }, outcome: { status: 503 } },
  ])
})
