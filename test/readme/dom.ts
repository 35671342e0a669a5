// @vitest-environment jsdom
import { test } from 'petstore-sandbox/vitest'
import { expect } from 'vitest'

test.override('baseUrl', 'https://api.example.com/v1')

test('answers XMLHttpRequest in a page', async ({ sandbox }) => {
  const request = new XMLHttpRequest()
  request.open('GET', 'https://api.example.com/v1/pets')
  request.setRequestHeader('authorization', 'Bearer free-key')
  const done = new Promise((resolve) => request.addEventListener('load', resolve))
  request.send()
  await done
  expect(request.status).toBe(200)
  expect(sandbox.journal.entries()).toHaveLength(1)
})
