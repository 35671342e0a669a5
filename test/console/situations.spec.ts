import { expect, test } from '@playwright/test'
import { openConsole, serveFrozen, statusOf, violationsOn } from '../kit/console-page.ts'

test('QA sets up a situation for a key, sees that it is in force, and undoes it', async ({
  page,
}) => {
  await using server = await serveFrozen()
  const complaints = await openConsole(page, server, 'situations')
  const scenes = page.getByRole('region', { name: 'Set up a situation' })
  const scene = (name: RegExp) => scenes.getByRole('button', { name }).first()
  await scenes.getByLabel('For').selectOption('free-key')
  for (const { name, title, status } of [
    { name: /^Banned/, title: 'Banned', status: 429 },
    { name: /^Keys expired/, title: 'Keys expired', status: 401 },
    { name: /^Minute used up/, title: 'Minute used up', status: 429 },
  ]) {
    await expect(scene(name)).toHaveAttribute('aria-pressed', 'false')
    await scene(name).press('Enter')
    await expect(scene(name)).toHaveAttribute('aria-pressed', 'true')
    expect(await statusOf(server)).toBe(status)
    // What is in force stays so on other screens, and can be undone afterwards.
    await page.getByRole('link', { name: 'Requests' }).click()
    await page.getByRole('link', { name: /^Situations/ }).click()
    await scenes.getByLabel('For').selectOption('free-key')
    await scenes.getByRole('button', { name: `Undo: ${title}` }).press('Enter')
    await expect(scene(name)).toHaveAttribute('aria-pressed', 'false')
    expect(await statusOf(server)).toBe(200)
  }
  await scene(/^After the sunset/).press('Enter')
  await expect(scene(/^After the sunset/)).toHaveAttribute('aria-pressed', 'true')
  expect(await statusOf(server, { path: '/pets/1' })).toBe(404)
  await scenes.getByRole('button', { name: 'Undo: After the sunset' }).press('Enter')
  await expect.poll(() => server.sandbox.clock.read().now).toBe('2026-11-21T14:03:07Z')
  await expect(scene(/^Slow/)).toBeEnabled()
  await scene(/^Slow/).press('Enter')
  await expect(page.getByRole('list', { name: 'Faults' })).toContainText('with free-key')
  await scenes.getByRole('button', { name: 'Undo: Slow' }).press('Enter')
  await expect(page.getByText('No fault is set')).toBeVisible()
  expect(complaints).toEqual([])
})

test('a request fails at a click, and others as a form says', async ({ page }) => {
  await using server = await serveFrozen()
  const { sandbox } = server
  const complaints = await openConsole(page, server, 'situations')
  const faults = page.getByRole('region', { name: 'Make it fail' })
  await faults.getByRole('button', { name: '503' }).press('Enter')
  await expect(faults.getByRole('listitem')).toContainText('status 503')
  expect(await statusOf(server)).toBe(503)
  await expect(faults.getByRole('listitem')).toContainText('over')
  expect(await statusOf(server)).toBe(200)

  await faults.getByRole('button', { name: 'Another fault…' }).press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Add a fault' })
  await dialog.getByLabel('What goes wrong').selectOption('latency')
  await dialog.getByLabel('How long').fill('soon')
  await dialog.getByLabel('Operation').selectOption('getPet')
  await dialog.getByLabel('Method').fill('get')
  await dialog.getByLabel('After').fill('2')
  await dialog.getByLabel('Probability').fill('2')
  const add = dialog.getByRole('button', { name: 'Add the fault' })
  await add.press('Enter')
  await expect(dialog.getByLabel('How long')).toBeFocused()
  await expect(dialog.getByLabel('How long')).toHaveAccessibleDescription(/soon/)
  expect(await violationsOn(page)).toEqual([])
  await dialog.getByLabel('How long').fill('2s')
  await add.press('Enter')
  await expect(dialog.getByLabel('Probability')).toBeFocused()
  await expect(dialog.getByLabel('Probability')).toHaveAccessibleDescription(/from 0 to 1$/)
  // Nothing of the form is out of sight.
  expect(await dialog.evaluate((one) => one.scrollWidth - one.clientWidth)).toBe(0)
  await dialog.getByLabel('Probability').fill('0.5')
  await add.press('Enter')
  await expect(faults.getByRole('listitem').first()).toContainText(
    'getPet, GET, after 2, 50 in 100, once',
  )
  expect(sandbox.faults.list().at(-1)).toMatchObject({ after: 2, probability: 0.5, method: 'GET' })
  await faults.getByRole('button', { name: 'Remove fault 1' }).press('Enter')
  await expect(faults.getByText('status 503')).toBeHidden()
  expect(sandbox.faults.list()).toHaveLength(1)
  expect(complaints).toEqual([])
})

test('somebody finds the gaps that matter, changes one, and puts all back', async ({ page }) => {
  await using server = await serveFrozen()
  const { sandbox } = server
  await statusOf(server)
  await statusOf(server, { path: '/pets/nope' })
  const complaints = await openConsole(page, server, 'situations')
  const gaps = page.getByRole('region', { name: 'Gaps' })
  await gaps.getByRole('button', { name: 'Find out which matter' }).press('Enter')
  await expect(gaps.getByRole('status')).toContainText('to the 2 requests so far')
  const row = gaps.getByRole('listitem').filter({ hasText: 'invalidPetId' })
  await expect(row).toContainText('bad-request: 1 of 2 would differ: #2')
  await row.getByRole('link', { name: 'Request 2' }).click()
  await expect(page.getByRole('region', { name: 'Details of request 2' })).toBeVisible()
  await page.getByRole('link', { name: /^Situations/ }).click()

  await gaps.getByRole('searchbox').fill('petid')
  await gaps.getByLabel('invalidPetId').selectOption('bad-request')
  await expect(gaps).toContainText('1 changed')
  await gaps.getByRole('searchbox').fill('nothing like it')
  await expect(gaps.getByText('No gap fits')).toBeVisible()
  await gaps.getByRole('searchbox').fill('banAfter')
  const banAfter = gaps.getByRole('textbox', { name: 'banAfter' })
  await banAfter.fill('often')
  await banAfter.press('Enter')
  await expect(banAfter).toHaveAccessibleDescription(/often/)
  await banAfter.fill('3')
  await banAfter.press('Enter')
  await expect(gaps).toContainText('2 changed')
  expect(sandbox.gaps).toMatchObject({ invalidPetId: 'bad-request', banAfter: 3 })
  await gaps.getByRole('searchbox').fill('')
  await gaps.getByRole('button', { name: 'Set invalidPetId to its default' }).press('Enter')
  await expect(gaps).toContainText('1 changed')
  await gaps.getByRole('button', { name: 'Set all to defaults' }).press('Enter')
  await expect(gaps).toContainText('All are at their defaults')
  expect(sandbox.gaps).toMatchObject({ invalidPetId: 'not-found', banAfter: 10 })
  expect(complaints).toEqual([])
})
