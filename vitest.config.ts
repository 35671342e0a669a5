import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    typecheck: { enabled: true, include: ['test/types/**/*.test-d.ts'], checker: 'tsc' },
    // Only Vitest's own; a test that waits on real time is wrong here.
    testTimeout: 20_000,
  },
})
