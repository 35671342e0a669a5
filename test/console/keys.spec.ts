import { expect, type Page, test } from '@playwright/test'
import { createSandbox } from 'petstore-sandbox'
import { startServer } from 'petstore-sandbox/server'
import { openConsole, serveFrozen, statusOf, violationsOn } from '../kit/console-page.ts'

function rowOf(page: Page, key: string) {
  const row = page.getByRole('article', { name: key, exact: true })
  const button = (name: string) => row.getByRole('button', { name, exact: true })
  return {
    row,
    click: (name: string) => button(name).click(),
    /** Chooses what a menu of the row has. */
    async choose(menu: string, name: string) {
      await button(menu).press('Enter')
      await button(name).press('Enter')
    },
  }
}

test('QA shows a ban and the day limit, and puts all back', async ({ page }) => {
  await using server = await serveFrozen()
  const complaints = await openConsole(page, server, 'keys')
  const { row, click, choose } = rowOf(page, 'free-key')
  await expect(row).toContainText('active')

  await choose('Use up', 'Use up minute')
  await expect(row).toContainText('exhausted')
  await expect(row).toContainText('0/60')
  for (let count = 0; count < 7; count++) await statusOf(server)
  await expect(row).toContainText('7 refused, banned at 11')

  await choose('Ban', '10 m')
  await expect(row).toContainText('served again in 10 min')
  await page.getByRole('button', { name: 'Clock' }).click()
  await page.getByRole('button', { name: '+1 m' }).click()
  await expect(row).toContainText('served again in 9 min')
  await page.keyboard.press('Escape')
  await click('Pardon')
  await expect(row).toContainText('active')
  expect(await statusOf(server)).toBe(200)

  await click('Ban')
  const length = row.getByRole('textbox', { name: 'For' })
  await length.fill('soon')
  await length.press('Enter')
  await expect(length).toHaveAccessibleDescription(/found "soon"/)
  expect(await violationsOn(page)).toEqual([])
  await length.fill('90s')
  await length.press('Enter')
  await expect(row).toContainText('served again in 1 min 30 s')
  await click('Pardon')

  await choose('Use up', 'Use up day')
  await expect(row).toContainText('0/1,000 · 9 h 55 min')
  expect(await statusOf(server)).toBe(429)
  await choose('Use up', 'Refill')
  await expect(row).toContainText('1,000/1,000')
  await choose('More', 'Expire')
  await expect(row).toContainText('since 2026-11-21T14:04:07Z')
  expect(await statusOf(server)).toBe(401)
  await choose('More', 'Renew')
  await expect(row).toContainText('active')
  expect(await statusOf(server)).toBe(200)
  expect(complaints).toEqual([])
})

test("a key leads to its requests, and to no other one's", async ({ page }) => {
  await using server = await serveFrozen()
  await statusOf(server)
  await statusOf(server, { key: 'pro-key' })
  await openConsole(page, server, 'keys')
  await rowOf(page, 'pro-key').row.getByRole('link', { name: 'requests' }).click()
  await expect(page.getByRole('main')).toContainText('pro-key')
  await expect(page.getByRole('main')).not.toContainText('free-key')
})

test('a key is issued, changed and deleted from the keyboard', async ({ page }) => {
  await using server = await serveFrozen()
  const { sandbox } = server
  await openConsole(page, server, 'keys')
  await page.getByRole('button', { name: 'Issue a key…' }).press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Issue a key' })
  const text = dialog.getByRole('textbox', { name: 'Key' })
  await text.fill('<b>bold</b>')
  await text.press('Enter')
  await expect(text).toHaveAccessibleDescription(/^Cannot set key\.key: found "<b>bold/)
  await expect(text).toBeFocused()
  await text.fill('mine')
  await dialog.getByLabel('Plan').selectOption('enterprise')
  await text.press('Enter')
  const minute = dialog.getByRole('spinbutton', { name: 'Requests in a minute' })
  await expect(minute).toHaveAccessibleDescription(/give both minute and day/)
  expect(await violationsOn(page)).toEqual([])
  await minute.fill('-1')
  await minute.press('Enter')
  await expect(minute).toHaveAccessibleDescription(/minute: found -1; use/)
  await minute.fill('5')
  await dialog.getByRole('spinbutton', { name: 'Requests in a day' }).fill('50')
  await minute.press('Enter')
  await expect(dialog).toBeHidden()
  await expect(page.getByRole('button', { name: 'Issue a key…' })).toBeFocused()

  const { row, choose } = rowOf(page, 'mine')
  await expect(row).toContainText('5/5')
  await row.getByLabel('Plan').selectOption('pro')
  await expect(row).toContainText('300/300')
  await choose('More', 'Delete…')
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).press('Enter')
  await expect(row).toBeHidden()
  await expect(page.getByRole('searchbox')).toBeFocused()
  expect(sandbox.keys.list().map(({ key }) => key)).not.toContain('mine')
})

test('the focus goes back to the menu from which something was chosen', async ({ page }) => {
  await using server = await serveFrozen()
  await openConsole(page, server, 'keys')
  const { row, choose } = rowOf(page, 'free-key')
  await choose('Use up', 'Use up minute')
  await expect(row).toContainText('exhausted')
  await expect(row.getByRole('button', { name: 'Use up', exact: true })).toBeFocused()
  await choose('More', 'Revoke')
  await expect(row).toContainText('revoked')
  await expect(row.getByRole('button', { name: 'More' })).toBeFocused()
  await row.getByLabel('Plan').focus()
  await page.keyboard.press('p')
  await expect(row).toContainText('/300')
  await expect(row.getByLabel('Plan')).toBeFocused()
})

test('a window that resets is full again without a word from the sandbox', async ({ page }) => {
  const sandbox = createSandbox({ clock: { now: '2026-11-21T14:03:58Z', mode: 'offset' } })
  await using server = await startServer({ port: 0, sandbox })
  sandbox.keys.setRemaining('free-key', { minute: 0 })
  await openConsole(page, server, 'keys/free-key')
  await expect(rowOf(page, 'free-key').row).toContainText('60/60')
})
