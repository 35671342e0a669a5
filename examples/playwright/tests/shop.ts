import type { Page } from '@playwright/test'
import { test as sandboxTest } from 'petstore-sandbox/playwright'

/** What the tests of the page have beside the fixtures of Playwright and of the sandbox. */
interface ShopFixtures {
  /** The page, open. */
  readonly shop: Page
  /** Lets time pass, for the page and for the store. */
  readonly pass: (seconds: number) => Promise<void>
}

const now = '2027-01-15T08:00:20Z'

export const test = sandboxTest.extend<ShopFixtures>({
  page: async ({ page }, use) => {
    // From a little before, since a clock runs until it is paused, and pauses only ahead. The store goes with it.
    await page.clock.install({ time: '2027-01-15T08:00:00Z' })
    await page.clock.pauseAt(now)
    await use(page)
  },
  shop: async ({ page }, use) => {
    await page.goto('/')
    await use(page)
  },
  pass: async ({ page }, use) => {
    await use((seconds) => page.clock.runFor(seconds * 1000))
  },
})
