import { expect } from '@playwright/test'
import { scenarios } from 'petstore-sandbox'
import { test } from 'petstore-sandbox/playwright'

for (const { name, title } of scenarios) {
  test(`the list of pets: ${title}`, async ({ page, sandbox }) => {
    sandbox.scenario(name)
    await page.goto('/')
    await expect(page).toHaveScreenshot(`${name}.png`)
  })
}
