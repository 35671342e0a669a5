import { defineConfig } from 'vitest/config'

/** Runs the suite of the benchmark `audit` in a single process, with the built package as its users get it. */
export default defineConfig({
  test: {
    include: ['suite.ts'],
    pool: 'forks',
    reporters: ['dot'],
    server: { deps: { external: [/\/dist\//] } },
  },
})
