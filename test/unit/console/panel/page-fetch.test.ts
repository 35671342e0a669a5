import { expect, it } from 'vitest'
import { ownFrame } from '../../../../src/console/panel/page-fetch.ts'

it.each([
  {
    browser: 'Chromium',
    stack: `Error: stack
    at fetch (http://localhost/node_modules/.vite/deps/petstore-sandbox_panel.js:1:2)
    at loadPets (http://localhost/src/shop.ts?t=17:12:9)
    at http://localhost/src/main.ts:3:1`,
  },
  {
    browser: 'Firefox',
    stack: `fetch@http://localhost/node_modules/petstore-sandbox/panel.js:1:2
http@http://localhost/node_modules/axios/index.js:5:1
loadPets@http://localhost/src/shop.ts:12:9`,
  },
])("finds the page's own frame in $browser", ({ stack }) => {
  expect(ownFrame(stack)).toBe('shop.ts:12:9')
})

it('finds none where all frames are of libraries', () => {
  expect(ownFrame('Error\n at x (http://l/node_modules/a.js:1:1)')).toBe(undefined)
})
