import { expect, type Page, test } from '@playwright/test'
import { createSandbox } from 'petstore-sandbox'
import { type RunningServer, startServer } from 'petstore-sandbox/server'
import { openConsole, violationsOn } from '../kit/console-page.ts'

function serve(): Promise<RunningServer> {
  const sandbox = createSandbox({ clock: { now: '2026-11-21T14:03:07Z', mode: 'frozen' } })
  return startServer({ port: 0, sandbox })
}

async function statusFor({ url }: RunningServer, key: string): Promise<number> {
  const reply = await fetch(`${url}/v1/pets`, { headers: { authorization: `Bearer ${key}` } })
  return reply.status
}

function cardOf(page: Page, key: string) {
  const card = page.getByRole('article', { name: key, exact: true })
  return { card, click: (name: string) => card.getByRole('button', { name }).click() }
}

test('QA shows a ban and the day limit, and puts all back', async ({ page }) => {
  await using server = await serve()
  const complaints = await openConsole(page, server, 'keys')
  const { card, click } = cardOf(page, 'free-key')
  await expect(card).toContainText('active')

  await click('Use up minute')
  await expect(card).toContainText('exhausted')
  await expect(card).toContainText('0 of 60 left')
  for (let count = 0; count < 7; count++) await statusFor(server, 'free-key')
  await expect(card).toContainText('7, banned at 11')

  await click('Ban')
  await expect(card).toContainText('Banned: served again in 5 min')
  await page.getByRole('button', { name: '+1 m' }).click()
  await expect(card).toContainText('Banned: served again in 4 min')
  await click('Pardon')
  await expect(card).toContainText('active')
  expect(await statusFor(server, 'free-key')).toBe(200)

  await click('Use up day')
  await expect(card).toContainText('0 of 1,000 left')
  await expect(card).toContainText('resets in 9 h 55 min')
  expect(await statusFor(server, 'free-key')).toBe(429)
  await click('Refill')
  await expect(card).toContainText('1,000 of 1,000 left')
  await click('Expire')
  await expect(card).toContainText('Expired at 2026-11-21T14:04:07Z')
  expect(await statusFor(server, 'free-key')).toBe(401)
  await click('Renew')
  await expect(card).toContainText('active')
  expect(await statusFor(server, 'free-key')).toBe(200)
  expect(complaints).toEqual([])
})

test('a key is issued, changed and deleted from the keyboard', async ({ page }) => {
  await using server = await serve()
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
  const minute = dialog.getByRole('textbox', { name: 'Requests in a minute' })
  await expect(minute).toHaveAccessibleDescription(/give both minute and day/)
  expect(await violationsOn(page)).toEqual([])
  await minute.fill('many')
  await minute.press('Enter')
  await expect(minute).toHaveAccessibleDescription(/minute: found "many"; use a number$/)
  await minute.fill('5')
  await dialog.getByRole('textbox', { name: 'Requests in a day' }).fill('50')
  await minute.press('Enter')
  await expect(dialog).toBeHidden()
  await expect(page.getByRole('button', { name: 'Issue a key…' })).toBeFocused()

  const { card } = cardOf(page, 'mine')
  await expect(card).toContainText('5 of 5 left')
  await card.getByLabel('Plan').selectOption('pro')
  await expect(card).toContainText('300 of 300 left')
  await card.getByRole('button', { name: 'Delete…' }).press('Enter')
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).press('Enter')
  await expect(card).toBeHidden()
  await expect(page.getByRole('searchbox')).toBeFocused()
  expect(sandbox.keys.list().map(({ key }) => key)).not.toContain('mine')
})

test('the focus stays on what was pressed, and goes with what takes its place', async ({
  page,
}) => {
  await using server = await serve()
  await openConsole(page, server, 'keys')
  const { card } = cardOf(page, 'free-key')
  const press = async (name: string, then = name): Promise<void> => {
    await card.getByRole('button', { name, exact: true }).press('Enter')
    await expect(page.getByText(/^free-key /).last()).toBeVisible()
    await expect(card.getByRole('button', { name: then, exact: true })).toBeFocused()
  }
  await press('Use up minute')
  await press('Ban')
  await press('Pardon')
  await press('Revoke', 'Reinstate')
  await press('Reinstate', 'Revoke')
  await card.getByLabel('Plan').focus()
  await page.keyboard.press('p')
  await expect(card).toContainText('of 300 left')
  await expect(card.getByLabel('Plan')).toBeFocused()
  await page.getByRole('button', { name: '+1 m' }).press('Enter')
  await expect(page.getByRole('banner').getByRole('time')).toContainText('14:04:07')
  await expect(page.getByRole('button', { name: '+1 m' })).toBeFocused()
})

test('a window that resets is full again without a word from the sandbox', async ({ page }) => {
  const sandbox = createSandbox({ clock: { now: '2026-11-21T14:03:58Z', mode: 'offset' } })
  await using server = await startServer({ port: 0, sandbox })
  sandbox.keys.setRemaining('free-key', { minute: 0 })
  await openConsole(page, server, 'keys/free-key')
  await expect(cardOf(page, 'free-key').card).toContainText('60 of 60 left')
})
