import './test/kit/clean-environment.ts'
import { defineConfig } from '@playwright/test'
import type { SandboxTestOptions } from 'petstore-sandbox/playwright'
import example from './examples/playwright/playwright.config.ts'
import { chromiumLaunchOptions } from './scripts/browsers.ts'
import { expectFreshBuild } from './test/kit/expect-fresh-build.ts'

// What Playwright runs imports the package by its name.
expectFreshBuild()

/** Runs what needs Playwright's own runner: the fixtures of `petstore-sandbox/playwright`, and the example. */
export default defineConfig<SandboxTestOptions>({
  fullyParallel: true,
  forbidOnly: true,
  // More than there are processors: many tests wait.
  workers: 3,
  // As in vitest.config.ts: none may fail for being slow.
  timeout: 90_000,
  expect: { timeout: 20_000 },
  reporter: 'list',
  use: { ...example.use, launchOptions: chromiumLaunchOptions() },
  ...(example.webServer === undefined ? {} : { webServer: example.webServer }),
  projects: [
    { name: 'test', testDir: 'test', testMatch: '**/*.spec.ts', testIgnore: 'readme/**' },
    { name: 'readme', testDir: 'test/readme', testMatch: '*.spec.ts', use: { audit: 'error' } },
    { name: 'example', testDir: 'examples/playwright/tests' },
  ],
})
