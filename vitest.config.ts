import './test/kit/clean-environment.ts'
import { availableParallelism } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { playwright } from '@vitest/browser-playwright'
import { msw } from 'msw/vite'
import { defineConfig } from 'vitest/config'
import manifest from './package.json' with { type: 'json' }
import { chromiumLaunchOptions } from './scripts/browsers.ts'
import { SlowFirst } from './test/kit/slow-first.ts'

/** Tests that are run with MSW 2 too, in place of MSW 3. */
const testsOfMsw = [
  'test/adapters-msw.test.ts',
  'test/adapters/{msw,vitest}.test.ts',
  'test/adapters/one-address/*.test.ts',
]

/** The samples of the documents that ask a sandbox in process; what they show has to be polite. */
const samples = ['test/readme/{agents,fetch,lost-response,msw,server,time,vitest}.test.ts']

/** What the package gives in place of itself, whose clients have to be polite. */
const audited = (name: string): URL => new URL(`test/kit/audited-${name}.ts`, import.meta.url)

/** Tests of what may differ by Node; what they ask of a server's sandboxes, they await. */
const testsOfServer = [
  'test/server/{events,faults,hostile-*,middleware,pipelined,process-end,start-server,waits}.test.ts',
]

/** The Node versions that the server is tested on beside the pinned one: the oldest that is promised, or those asked for. */
const [oldestNode = ''] = /\d+/.exec(manifest.engines.node) ?? []
const serverNodes = (process.env.PETSTORE_TEST_NODES ?? oldestNode).split(',')

// Spares the hundreds of processes that the tests start a fifth of their time.
process.env.NODE_COMPILE_CACHE ??= fileURLToPath(
  new URL('node_modules/.cache/compiled', import.meta.url),
)

/** What random tests draw from: always the same, so that none fails by chance; a failure is drawn again, and others. */
const testSeed = Number(process.env.TEST_SEED ?? 1)

/** How many times as many draws random tests make as by default. */
const testRuns = Number(process.env.TEST_RUNS ?? 1)

/** Tests of whole processes that take as long as a hundred others, which test the parts; nightly.yml runs them. */
const nightly = [
  'test/package/dockerfile.test.ts',
  'test/examples/assumptions.test.ts',
  'test/checks/audit/clients.test.ts',
]

declare module 'vitest' {
  export interface ProvidedContext {
    readonly testSeed: number
    readonly testRuns: number
  }
}

export default defineConfig({
  test: {
    provide: { testSeed, testRuns },
    // Far beyond what a test takes, even on a machine that has much else to do: none may fail for being slow.
    testTimeout: 90_000 * testRuns,
    hookTimeout: 90_000,
    expect: { poll: { timeout: 20_000 } },
    // Tests share nothing that they leave behind, so that a file need not begin a process and load all anew.
    isolate: false,
    // More than there are processors: many tests wait, for another process or for time to pass.
    maxWorkers: availableParallelism() * 2,
    sequence: { sequencer: SlowFirst },
    globalSetup: 'test/kit/global-setup.ts',
    projects: [
      {
        extends: true,
        test: {
          name: 'node',
          include: ['test/**/*.test.ts'],
          exclude: ['test/browser/**', ...(testRuns > 1 ? [] : nightly)],
          setupFiles: ['test/kit/fixed-seed.ts'],
          typecheck: {
            enabled: true,
            include: ['test/types/**/*.test-d.ts'],
            checker: 'tsc',
            tsconfig: 'test/types/tsconfig.json',
          },
        },
      },
      {
        extends: true,
        resolve: { alias: [{ find: /^msw(?=\/|$)/, replacement: 'msw2' }] },
        test: {
          name: 'msw 2',
          include: testsOfMsw,
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
        test: { name: 'samples under audit', include: samples },
      },
      ...serverNodes.map((major) => ({
        extends: true,
        test: {
          name: `server on Node ${major}`,
          include: testsOfServer,
          globalSetup: 'test/kit/server-node-setup.ts',
        },
      })),
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
          name: 'chromium',
          // A page keeps its worker and storage.
          isolate: true,
          include: ['test/browser/**/*.test.{ts,tsx}'],
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
      'examples/vitest-msw',
    ],
  },
})
