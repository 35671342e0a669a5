import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { runInNewContext } from 'node:vm'
import { build, type Rolldown } from 'vite'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { createSandbox } from '../../../src/index.ts'
import { expectFreshBuild } from '../../kit/expect-fresh-build.ts'

expectFreshBuild()

const root = fileURLToPath(new URL('../../../examples/browser-msw/', import.meta.url))

/** Builds the page for an address of the API, or none, and gives what it consists of. */
async function buildFor(apiUrl: string | undefined): Promise<Rolldown.RolldownOutput['output']> {
  vi.stubEnv('VITE_API_URL', apiUrl)
  onTestFinished(() => {
    vi.unstubAllEnvs()
  })
  const built = await build({ root, logLevel: 'error', build: { write: false } })
  if ('output' in built) return built.output
  throw new TypeError('Cannot read the build: it has several outputs, or goes on')
}

function codeOf(output: Rolldown.RolldownOutput['output']): string {
  return output.map((one) => ('code' in one ? one.code : '')).join('\n')
}

describe('examples/browser-msw', () => {
  it('has neither the sandbox nor MSW nor the panel in a build for the real service', async () => {
    const output = await buildFor('https://api.example.com/v1')
    expect(output.filter(({ fileName }) => fileName.endsWith('.js'))).toHaveLength(1)
    expect(codeOf(output)).toContain('https://api.example.com/v1')
    expect(codeOf(output)).not.toMatch(/msw|free-key"|createSandbox|petstore-panel/)
  })

  it('has both, and the script of the worker, in a build without', async () => {
    const output = await buildFor(undefined)
    expect(output.map(({ fileName }) => fileName)).toContain('mockServiceWorker.js')
    expect(codeOf(output)).toContain('mockServiceWorker.js')
  })

  // MSW 2 has no plugin for Vite, and npm would pick it on Node 20 (issue 37).
  it('asks only for an MSW whose plugin its config imports', () => {
    const { devDependencies } = JSON.parse(readFileSync(`${root}package.json`, 'utf8'))
    expect(readFileSync(`${root}vite.config.ts`, 'utf8')).toContain("from 'msw/vite'")
    expect(devDependencies.msw).toMatch(/^\^3\.[^|]*$/)
  })

  it('has lines for the console of the browser that a sandbox accepts', () => {
    const text = readFileSync(`${root}README.md`, 'utf8')
    const [, lines = ''] = /```js\n([\s\S]+?)```/.exec(text) ?? []
    const sandbox = createSandbox({ clock: { mode: 'frozen' } })
    runInNewContext(lines.replace('sandbox.reset()', ''), { sandbox })
    expect(sandbox.keys.get('free-key')).toMatchObject({ plan: 'pro' })
    expect(sandbox.faults.list()).toHaveLength(1)
  })
})
