import { defineConfig } from 'vitest/config'

/** Suites with the package's fixture, for `check`: `polite`, and `rude`. */
export default defineConfig({ test: { include: ['*.suite.ts'], testTimeout: 90_000 } })
