import { defineConfig } from 'vitest/config'

/** Runs a suite in which tests are to fail; `test/unit/adapters/vitest.test.ts` looks at which. */
export default defineConfig({
  resolve: {
    alias: process.env.MSW_MAJOR === '2' ? [{ find: /^msw(?=\/|$)/, replacement: 'msw2' }] : [],
  },
  test: { include: ['suite.ts'], testTimeout: 90_000 },
})
