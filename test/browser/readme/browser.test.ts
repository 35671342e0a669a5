import { fileURLToPath } from 'node:url'
import { build, type Rolldown } from 'vite'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { expectFreshBuild } from '../../kit/expect-fresh-build.ts'

expectFreshBuild()

const root = fileURLToPath(new URL('page', import.meta.url))

/** Builds the page of the guide as `vite build` does, and gives what it consists of. */
async function buildPage(
  env: 'production' | 'development',
): Promise<Rolldown.RolldownOutput['output']> {
  vi.stubEnv('NODE_ENV', env)
  onTestFinished(() => {
    vi.unstubAllEnvs()
  })
  const built = await build({ root, logLevel: 'error', build: { write: false } })
  if ('output' in built) return built.output
  throw new TypeError('Cannot read the build: it has several outputs, or goes on')
}

describe('the page of the guide to the browser', () => {
  it('has neither the sandbox nor MSW nor the panel in a build for production', async () => {
    const output = await buildPage('production')
    const scripts = output.filter(({ fileName }) => fileName.endsWith('.js'))
    expect(scripts).toHaveLength(1)
    const code = scripts.map((one) => ('code' in one ? one.code : '')).join('')
    expect(code).toContain('/v1/pets')
    expect(code).not.toMatch(/msw|mockServiceWorker|createSandbox|petstore-panel/)
  })

  it('has the panel in a build for development, by itself', async () => {
    const output = await buildPage('development')
    const names = output.flatMap((one) => ('code' in one ? one.name : []))
    expect(names).toEqual(expect.arrayContaining(['panel', 'show-panel']))
  })
})
