import { writeFile } from 'node:fs/promises'
import { expect, type Page } from '@playwright/test'
import { test } from 'petstore-sandbox/playwright'

const api = 'https://api.example.com'

test.use({ apiUrl: `${api}/v1` })

/** The page under test: how many requests it has left. */
const remaining = (page: Page) =>
  page.evaluate(async (url) => {
    const response = await fetch(url, { headers: { authorization: 'Bearer free-key' } })
    return response.headers.get('x-ratelimit-remaining')
  }, `${api}/v1/pets`)

test('plays back what the sandbox has answered', async ({ page, sandbox, browser }, info) => {
  expect(await remaining(page)).toBe('59')
  const archive = info.outputPath('pets.har')
  await writeFile(archive, JSON.stringify(await sandbox.journal.har({}, api)))

  // From here on there is no sandbox.
  const context = await browser.newContext()
  await context.routeFromHAR(archive, { url: `${api}/v1/**`, notFound: 'abort' })
  expect(await remaining(await context.newPage())).toBe('59')
})
