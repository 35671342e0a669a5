import { expect, type Page, test as playwrightTest } from '@playwright/test'
import { type RunningServer, startServer } from 'petstore-sandbox/server'
import { servePage } from './serve-page.ts'

const folder = 'examples/browser-msw'

interface WorkerFixtures {
  /** The page that answers its requests itself. */
  readonly mockedUrl: string
  /** The process, and the page whose requests go there. */
  readonly served: { readonly pageUrl: string; readonly process: RunningServer }
}

const test = playwrightTest.extend<object, WorkerFixtures>({
  mockedUrl: [
    async ({ browserName: _ }, use) => {
      const server = await servePage(folder)
      await use(server.url)
      await server.close()
    },
    { scope: 'worker' },
  ],
  served: [
    async ({ browserName: _ }, use) => {
      const process = await startServer({ port: 0 })
      const define = { 'import.meta.env.VITE_API_URL': JSON.stringify(`${process.url}/v1`) }
      const server = await servePage(folder, { define })
      await use({ pageUrl: server.url, process })
      await server.close()
      await process.close()
    },
    { scope: 'worker' },
  ],
})

async function addPet(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Add a pet' }).click()
  await page.getByLabel('Name').fill('Rex')
  await page.getByLabel('Category').fill('1')
  await page.getByRole('button', { name: 'Add', exact: true }).click()
  await expect(page.getByText('31 pets – Rex was added.')).toBeVisible()
}

test.describe('examples/browser-msw', () => {
  test('answers its own requests, and keeps what is added over a reload', {
    tag: '@everyday',
  }, async ({ page, mockedUrl }) => {
    await page.goto(mockedUrl)
    await addPet(page)
    await page.reload()
    await expect(page.getByText('31 pets')).toBeVisible()
  })

  test('has the sandbox on the console', { tag: '@everyday' }, async ({ page, mockedUrl }) => {
    await page.goto(mockedUrl)
    await expect(page.getByText('30 pets')).toBeVisible()
    // Held still, since a new minute would end the wait that the page shows.
    await page.evaluate("sandbox.clock.freeze(); sandbox.scenario('minute-exhausted')")
    await page.getByRole('radio', { name: 'Sold' }).check()
    await expect(page.getByRole('timer')).toBeVisible()
    await expect(page.getByRole('button', { name: 'Details of Bella' })).toBeDisabled()
  })

  test('sends its requests to a process', { tag: '@everyday' }, async ({ page, served }) => {
    await page.goto(served.pageUrl)
    await expect(page.getByText('59 of 60 requests left')).toBeVisible()
    await addPet(page)
    expect(served.process.sandbox.pets.size).toBe(31)
    await page.getByRole('button', { name: 'Details of Bella' }).click()
    await expect(page.getByText('on 5 December 2030')).toBeVisible()
  })
})
