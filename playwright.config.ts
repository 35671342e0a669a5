import './test/kit/clean-environment.ts'
import { defineConfig } from '@playwright/test'
import type { SandboxTestOptions } from 'petstore-sandbox/playwright'
import example from './examples/playwright/playwright.config.ts'
import { chromiumLaunchOptions } from './scripts/browsers.ts'
import { expectFreshBuild } from './test/kit/expect-fresh-build.ts'

// What Playwright runs imports the package by its name.
expectFreshBuild()

/** Runs what needs Playwright's own runner: the fixtures of `petstore-sandbox/playwright`, the console, and the example. */
export default defineConfig<SandboxTestOptions>({
  fullyParallel: true,
  forbidOnly: true,
  // A page needs a processor, or more: a third at a time makes all of them slower.
  workers: 2,
  // A machine may be too busy for any time limit. The output says what passed only then ("1 flaky").
  retries: 1,
  // As in vitest.config.ts: none may fail for being slow.
  timeout: 90_000,
  expect: { timeout: 20_000 },
  reporter: 'list',
  use: { ...example.use, launchOptions: chromiumLaunchOptions() },
  ...(example.webServer === undefined ? {} : { webServer: example.webServer }),
  projects: [
    {
      name: 'browser',
      testDir: 'test/browser',
      testMatch: '**/*.spec.ts',
      testIgnore: 'readme/**',
    },
    {
      name: 'samples',
      testDir: 'test/browser/readme',
      testMatch: '*.spec.ts',
      // Pixels are up to the users' machines.
      ignoreSnapshots: true,
      use: { failOn: 'error' },
    },
    { name: 'example', testDir: 'examples/playwright/tests' },
  ],
})
