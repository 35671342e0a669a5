import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from '@playwright/test'
import { serveBusySandbox } from '../../scripts/console/busy-sandbox.ts'
import { screenNames } from '../../src/console/model/route.ts'

const program = fileURLToPath(new URL('../../bin/petstore-sandbox', import.meta.url))

test('each screen tells assistive technology what it is made of', async ({ page }) => {
  await using server = await serveBusySandbox()
  for (const screen of screenNames) {
    await page.goto(`${server.url}/_sandbox/ui/#/${screen}`)
    await expect(page.getByRole('banner')).toContainText('● live')
    await expect(page.getByRole('main')).toMatchAriaSnapshot({ name: `${screen}.aria.yml` })
  }
  await expect(page.getByRole('banner')).toMatchAriaSnapshot({ name: 'banner.aria.yml' })
})

test('the author of a failed test opens its capture', async ({ page }, info) => {
  await using server = await serveBusySandbox()
  const file = info.outputPath('failed.petstore.json')
  writeFileSync(file, await (await fetch(`${server.url}/_sandbox/capture`)).text())
  const child = spawn(process.execPath, [program, 'open', file, '--no-browser'])
  try {
    const [printed] = await once(child.stdout, 'data')
    await page.goto(/http\S+/.exec(String(printed))?.[0] ?? '')
    await expect(page.getByRole('banner')).toContainText('failed.petstore.json')
    await page.getByRole('searchbox').fill('expired')
    await page
      .getByRole('row', { name: /^Request \d+: .*401/ })
      .getByRole('link')
      .click()
    const details = page.getByRole('region', { name: /^Details of request/ })
    await expect(details).toContainText('the API key has expired')
    await expect(details.getByRole('link', { name: 'spec 5' })).toBeVisible()
    await page.getByRole('link', { name: 'Keys' }).click()
    await expect(page.getByRole('button', { name: 'Issue a key…' })).toBeDisabled()
  } finally {
    child.kill()
    await once(child, 'exit')
  }
})
