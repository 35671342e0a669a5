import './test/kit/clean-environment.ts'
import { availableParallelism } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { playwright } from '@vitest/browser-playwright'
import { msw } from 'msw/vite'
import { defineConfig } from 'vitest/config'
import { yaml } from './build/yaml.ts'
import { chromiumLaunchOptions } from './scripts/browsers.ts'

/** What the package gives in place of itself, whose clients have to be polite. */
const audited = (name: string): URL => new URL(`test/kit/audited-${name}.ts`, import.meta.url)

// Spares the processes that the tests start a fifth of their time.
process.env.NODE_COMPILE_CACHE ??= fileURLToPath(
  new URL('node_modules/.cache/compiled', import.meta.url),
)

/** What random tests draw from: always the same, so that none fails by chance; a failure is drawn again, and others. */
const testSeed = Number(process.env.TEST_SEED ?? 1)

/** Share of their draws that random tests make: a fifth by day, five times as many at night. */
const testRuns = Number(process.env.TEST_RUNS ?? 0.2)

declare module 'vitest' {
  export interface ProvidedContext {
    readonly testSeed: number
    readonly testRuns: number
  }
}

/** Tests in this process, and of processes and pages that they start. */
function project(name: string, include: readonly string[], exclude: readonly string[] = []) {
  return {
    extends: true as const,
    test: {
      name,
      include: [...include],
      exclude: [...exclude],
      setupFiles: ['test/kit/fixed-seed.ts'],
    },
  }
}

const pageTests = 'test/browser/**/*.page.test.{ts,tsx}'

export default defineConfig({
  plugins: [yaml],
  test: {
    provide: { testSeed, testRuns },
    // Far beyond what a test takes, even on a machine that has much else to do: none may fail for being slow.
    testTimeout: 90_000 * Math.max(1, testRuns),
    hookTimeout: 90_000,
    expect: { poll: { timeout: 20_000 } },
    // Tests share nothing that they leave behind, so that a file need not begin a process and load all anew.
    isolate: false,
    // More than there are processors: many tests wait, for another process or for time to pass.
    maxWorkers: availableParallelism() * 2,
    globalSetup: 'test/kit/global-setup.ts',
    tags: [{ name: 'everyday', description: 'Run by npm test, beside all of test/unit' }],
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['test/unit/**/*.test.ts'],
          setupFiles: ['test/kit/fixed-seed.ts'],
          typecheck: {
            enabled: true,
            include: ['test/unit/types/**/*.test-d.ts'],
            checker: 'tsc',
            tsconfig: 'test/unit/types/tsconfig.json',
          },
        },
      },
      project('process', ['test/process/**/*.test.ts']),
      project('browser', ['test/browser/**/*.test.ts'], [pageTests]),
      {
        extends: true,
        // Serves the worker script of the msw that is installed.
        plugins: [msw({ mode: 'worker-only' })],
        optimizeDeps: {
          include: [
            'msw',
            'msw/browser',
            'preact',
            'preact/hooks',
            'preact/jsx-dev-runtime',
            '@preact/signals',
          ],
        },
        test: {
          name: 'page',
          // A page keeps its worker and storage.
          isolate: true,
          include: [pageTests],
          setupFiles: ['test/kit/own-frame.ts'],
          browser: {
            enabled: true,
            headless: true,
            screenshotFailures: false,
            provider: playwright({ launchOptions: chromiumLaunchOptions() }),
            instances: [{ browser: 'chromium' }],
            commands: {
              async awaitFrame({ page }, id: string) {
                const idIn = (): string => document.documentElement.id
                const found = () => page.frame('vitest-iframe')?.evaluate(idIn).catch(String)
                while ((await found()) !== id) await sleep(10)
              },
            },
          },
        },
      },
      project('nightly', ['test/nightly/**/*.test.ts']),
      {
        extends: true,
        resolve: { alias: [{ find: /^msw(?=\/|$)/, replacement: 'msw2' }] },
        test: {
          name: 'nightly, msw 2',
          include: ['test/unit/adapters/{adapters-msw,msw,vitest,one-address/*}.test.ts'],
          setupFiles: ['test/kit/fixed-seed.ts'],
        },
      },
      {
        extends: true,
        resolve: {
          alias: [
            { find: /^petstore-sandbox$/, replacement: fileURLToPath(audited('sandbox')) },
            { find: /^petstore-sandbox\/vitest$/, replacement: fileURLToPath(audited('vitest')) },
          ],
        },
        test: {
          name: 'nightly, samples under audit',
          include: ['test/unit/readme/{agents,fetch,lost-response,msw,server,time,vitest}.test.ts'],
        },
      },
      'examples/vitest-msw',
    ],
  },
})
