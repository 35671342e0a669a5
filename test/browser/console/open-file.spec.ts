import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from '@playwright/test'
import { serveBusySandbox } from '../../../scripts/console/busy-sandbox.ts'

const program = fileURLToPath(new URL('../../../bin/petstore-sandbox', import.meta.url))

test(
  'the author of a failed test opens its capture',
  { tag: '@everyday' },
  async ({ page }, info) => {
    await using server = await serveBusySandbox()
    const file = info.outputPath('failed.petstore.json')
    writeFileSync(file, await (await fetch(`${server.url}/_sandbox/capture`)).text())
    const child = spawn(process.execPath, [program, 'open', file, '--no-browser'])
    try {
      const [printed] = await once(child.stdout, 'data')
      await page.goto(/http\S+/.exec(String(printed))?.[0] ?? '')
      await expect(page.getByRole('banner')).toContainText('failed.petstore.json')
      await page.getByRole('searchbox').fill('expired')
      await page.getByRole('row', { name: /^401/ }).getByRole('link').click()
      const details = page.getByRole('region', { name: /^Details of request/ })
      await expect(details).toContainText('the API key has expired')
      await expect(details.getByRole('link', { name: 'spec 5' })).toBeVisible()
      await expect(details.getByRole('button', { name: 'What if…' })).toBeVisible()
      // What a file can't do isn't there.
      const places = page.getByRole('navigation', { name: 'Places' }).getByRole('link')
      await expect(page.getByText('read-only')).toHaveCount(1)
      await expect(places).toHaveText(['Requests', /^Findings\d/, 'Data', 'Spec & gaps'])
      const names: string[] = []
      for (const at of [0, 1, 2, 3]) {
        await places.nth(at).click()
        await expect(page.getByRole('main').getByText(/./).first()).toBeVisible()
        // All at once, since a place that is still loading may take one away.
        names.push(...(await page.getByRole('main').getByRole('button').allTextContents()))
        await expect(page.getByRole('main').getByRole('combobox')).toHaveCount(0)
      }
      expect(names.join('\n')).not.toMatch(/Issue|Ban|Add|Remove|Delete|Arm|Pause|Set up|Fault/)
      await page.getByRole('main').getByRole('button', { name: 'What if' }).click()
      await expect(page.getByText(/change a response to \d+ requests/)).toBeVisible()
      await page.goto(`${new URL(page.url()).origin}/_sandbox/ui/#/fail`)
      await expect(page.getByRole('main', { name: 'Requests' })).toBeVisible()
      expect(page.url()).toContain('playground.html')
    } finally {
      child.kill()
      await once(child, 'exit')
    }
  },
)
