import { expect } from '@playwright/test'
import { test } from './shop.ts'

// A test fails if its page breaks a rule of the interface.
test.use({ failOn: 'error' })

test('lists the pets of the store', async ({ shop }) => {
  await expect(shop.getByRole('heading', { name: 'Bella' })).toBeVisible()
  await expect(shop.getByText('30 pets')).toBeVisible()
  await expect(shop.getByText('Category 9007199254740993')).toBeVisible()
})

test('shows only the pets of a status', async ({ shop, sandbox }) => {
  await shop.getByRole('radio', { name: 'Pending' }).check()
  await expect(shop.getByText('5 pets')).toBeVisible()
  expect(sandbox.requests.last()?.request.url).toBe('/v1/pets?limit=100&status=pending')
})

test('adds a pet', async ({ shop, sandbox }) => {
  await shop.getByRole('button', { name: 'Add a pet' }).click()
  await shop.getByLabel('Name').fill('Señor 🐢')
  await shop.getByLabel('Category').fill('9223372036854775807')
  await shop.getByLabel('Status').selectOption('Pending')
  await shop.getByRole('button', { name: 'Add', exact: true }).click()
  await expect(shop.getByText('31 pets – Señor 🐢 was added.')).toBeVisible()
  expect(sandbox.pets.get(31)).toEqual({
    id: 31,
    name: 'Señor 🐢',
    categoryId: 9223372036854775807n,
    status: 'pending',
  })
})

test('shows what is missing before it sends a request', async ({ shop, sandbox }) => {
  await expect(shop.getByText('30 pets')).toBeVisible()
  await shop.getByRole('button', { name: 'Add a pet' }).click()
  await shop.getByLabel('Category').fill('cats')
  await shop.getByRole('button', { name: 'Add', exact: true }).click()
  await expect(shop.getByText('Give the pet a name.')).toBeVisible()
  await expect(shop.getByText('“cats” is not a whole number.')).toBeVisible()
  expect(sandbox.requests.list({ method: 'POST' })).toEqual([])
})

test('shows what the store rejects, at the field', async ({ shop, sandbox }) => {
  sandbox.setGaps({ unknownCategory: 'reject' })
  await shop.getByRole('button', { name: 'Add a pet' }).click()
  await shop.getByLabel('Name').fill('Rex')
  await shop.getByLabel('Category').fill('99')
  await shop.getByRole('button', { name: 'Add', exact: true }).click()
  await expect(shop.getByLabel('Category')).toHaveAccessibleDescription(/The store says: .*99/)
})

test('waits as long as Retry-After says, and goes on by itself', async ({
  shop,
  pass,
  sandbox,
}) => {
  await expect(shop.getByText('30 pets')).toBeVisible()
  sandbox.keys.setRemaining('free-key', { minute: 0 })
  await shop.getByRole('radio', { name: 'Sold' }).check()
  const countdown = shop.getByRole('timer')
  await expect(countdown).toHaveText('0:40')
  await expect(shop.getByRole('button', { name: 'Details of Bella' })).toBeDisabled()
  await pass(39)
  await expect(countdown).toHaveText('0:01')
  expect(sandbox.requests.list({ status: 429 })).toHaveLength(1)
  await pass(1)
  await expect(shop.getByText('5 pets')).toBeVisible()
  await expect(countdown).toBeHidden()
  expect(sandbox.requests.list({ status: 429 })).toHaveLength(1)
})

test('shows how many requests are left', async ({ shop, sandbox }) => {
  await expect(shop.getByText('59 of 60 requests left')).toBeVisible()
  sandbox.keys.update('free-key', { plan: 'pro' })
  await shop.getByRole('radio', { name: 'Sold' }).check()
  await expect(shop.getByText('of 300 requests left')).toBeVisible()
})

test.describe('beyond the day of its removal', () => {
  // The page does call the operation then, which is an error of its own.
  test.use({ failOn: 'off' })

  test('announces that the store removes an operation', async ({ shop, sandbox }) => {
    await shop.getByRole('button', { name: 'Details of Bella' }).click()
    await expect(
      shop.getByText('removes the operation behind this view on 5 December 2030'),
    ).toBeVisible()
    await shop.getByRole('button', { name: 'Close' }).click()
    sandbox.clock.set('2030-12-05T00:00:00Z')
    await shop.getByRole('button', { name: 'Details of Bella' }).click()
    await expect(shop.getByText('Cannot find')).toBeVisible()
  })
})

test('can be tried again when the store could not be reached', async ({ page, sandbox }) => {
  sandbox.faults.add({ fault: 'disconnect', times: 1 })
  await page.goto('/')
  await expect(page.getByText('The store can’t be reached.')).toBeVisible()
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByText('30 pets')).toBeVisible()
})

test('shows that it is busy', async ({ page, pass, sandbox }) => {
  sandbox.faults.add({ fault: 'latency', ms: '3s', times: 1 })
  await page.goto('/')
  const pets = page.getByRole('region', { name: 'Pets' })
  await expect(pets).toHaveAttribute('aria-busy', 'true')
  await pass(3)
  await expect(pets).toHaveAttribute('aria-busy', 'false')
  await expect(page.getByText('30 pets')).toBeVisible()
})
