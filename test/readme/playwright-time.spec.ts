import { expect } from '@playwright/test'
import { test as sandboxTest } from 'petstore-sandbox/playwright'

const now = '2027-01-15T08:00:20Z'

/** Lets time pass, for the page and for the store. */
const test = sandboxTest.extend<{ readonly pass: (seconds: number) => Promise<void> }>({
  sandboxOptions: { clock: { now, mode: 'frozen' } },
  pass: async ({ page, sandbox }, use) => {
    // From a little before, since a page's clock pauses only ahead.
    await page.clock.install({ time: '2027-01-15T08:00:00Z' })
    await page.clock.pauseAt(now)
    await use(async (seconds) => {
      sandbox.clock.advance(`${seconds}s`)
      await page.clock.runFor(seconds * 1000)
    })
  },
})

test('goes on when the minute is over', async ({ page, pass, sandbox }) => {
  await pass(40)
  expect(sandbox.clock.read().now).toBe('2027-01-15T08:01:00Z')
  expect(await page.evaluate(() => new Date().toISOString())).toBe('2027-01-15T08:01:00.000Z')
})
