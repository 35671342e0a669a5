import { defineConfig } from 'vitest/config'
import { yaml } from './build/yaml.ts'

/** Tests of what runs in process, a server included, for Node 20: with Vitest 4, and MSW 2 in place of MSW 3 (.github/workflows/ci.yml). */
export default defineConfig({
  plugins: [yaml],
  resolve: { alias: [{ find: /^msw(?=\/|$)/, replacement: 'msw2' }] },
  test: {
    provide: { testSeed: 1, testRuns: 0.2 },
    testTimeout: 90_000,
    hookTimeout: 90_000,
    isolate: false,
    globalSetup: 'test/kit/global-setup.ts',
    setupFiles: ['test/kit/fixed-seed.ts'],
    expect: { poll: { timeout: 20_000 } },
    include: [
      'test/unit/mock/{engine,faults,input,log,state}/**/*.test.ts',
      'test/unit/sandbox/controls/*.test.ts',
      'test/unit/server/!(console).test.ts',
      'test/unit/{checks/{audit,calibrate},laws}/**/*.test.ts',
      'test/unit/adapters/{fetch,matchers,msw,vitest}.test.ts',
      'test/unit/{conformance,gaps,laws}.test.ts',
    ],
  },
})
