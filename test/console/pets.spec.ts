import { expect, test } from '@playwright/test'
import { createSandbox } from 'petstore-sandbox'
import { startServer } from 'petstore-sandbox/server'
import { openConsole } from '../kit/console-page.ts'

test('pets are added, found, changed and deleted; what they are called is text', async ({
  page,
}) => {
  const sandbox = createSandbox()
  await using server = await startServer({ port: 0, sandbox })
  const complaints = await openConsole(page, server, 'pets')
  await page.getByRole('button', { name: 'Add a pet…' }).press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Add a pet' })
  const field = (name: string) => dialog.getByRole('textbox', { name })
  await field('Name').fill('<img src=x onerror=alert(1)>')
  await field('Category').fill('9223372036854775808')
  await field('Id').fill('7')
  await field('Id').press('Enter')
  await expect(field('Category')).toHaveAccessibleDescription(/^Cannot set pet\.categoryId: found/)
  await expect(field('Category')).toBeFocused()
  await field('Category').fill('9223372036854775807')
  await field('Category').press('Enter')
  await expect(field('Id')).toHaveAccessibleDescription(/^Cannot add pet 7: another pet has/)
  await field('Id').fill('9007199254740993')
  await field('Id').press('Enter')
  await expect(dialog).toBeHidden()

  await page.getByRole('searchbox').fill('ONERROR')
  const row = page.getByRole('row', { name: '9007199254740993' })
  await expect(row).toContainText('<img src=x onerror=alert(1)>')
  await expect(row).toContainText('9223372036854775807')
  await expect(page.getByRole('row')).toHaveCount(2)
  expect(await page.locator('main img').count()).toBe(0)
  await row.getByLabel('Status of pet').selectOption('sold')
  await expect
    .poll(() => sandbox.pets.get(9007199254740993n))
    .toMatchObject({ status: 'sold', categoryId: 9223372036854775807n })
  await page.getByRole('button', { name: 'pending' }).click()
  await expect(page.getByText('No pet fits')).toBeVisible()
  await page.getByRole('button', { name: 'pending' }).click()
  await row.getByRole('button', { name: /^More/ }).press('Enter')
  await row.getByRole('button', { name: 'Delete…' }).press('Enter')
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).press('Enter')
  await expect(row).toBeHidden()
  await expect(page.getByRole('searchbox')).toBeFocused()
  expect(complaints).toEqual([])
})

test('pets are generated, and all are deleted', async ({ page }) => {
  const sandbox = createSandbox()
  await using server = await startServer({ port: 0, sandbox })
  await openConsole(page, server, 'pets')
  await page.getByRole('button', { name: 'Generate…' }).click()
  const count = page.getByRole('spinbutton', { name: 'How many' })
  await count.fill('0')
  await count.press('Enter')
  // The browser says what is wrong.
  expect(await count.evaluate((input: HTMLInputElement) => input.validity.rangeUnderflow)).toBe(
    true,
  )
  await count.fill('300')
  await count.press('Enter')
  await expect(page.getByText('50 of 330 shown')).toBeVisible()
  await page.getByRole('button', { name: '50 more' }).click()
  await expect(page.getByText('100 of 330 shown')).toBeVisible()
  await page.getByRole('button', { name: 'Delete all…' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete all' }).click()
  await expect(page.getByText('No pets')).toBeVisible()
  expect(sandbox.pets.size).toBe(0)
})

test('a pet leads to the request that made it, and to those about it', async ({ page }) => {
  const sandbox = createSandbox()
  await using server = await startServer({ port: 0, sandbox })
  const headers = { authorization: 'Bearer free-key', 'content-type': 'application/json' }
  const body = '{"name":"Rex","categoryId":1}'
  await fetch(`${server.url}/v1/pets/1`, { headers })
  await fetch(`${server.url}/v1/pets`, { method: 'POST', headers, body })
  await openConsole(page, server, 'pets')
  await page.getByRole('link', { name: 'made by #2' }).click()
  await expect(page.getByRole('region', { name: 'Details of request 2' })).toBeVisible()
  await page.goBack()
  await page.getByRole('link', { name: 'its requests, pet 31' }).click()
  await expect(page.getByRole('searchbox')).toHaveValue('31')
})
