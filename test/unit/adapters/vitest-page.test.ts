// @vitest-environment jsdom
import axios from 'axios'
import { test } from 'petstore-sandbox/vitest'
import { expect } from 'vitest'
import { expectFreshBuild } from '../../kit/expect-fresh-build.ts'

expectFreshBuild()

// By its name, since what a page loads is not what Node does.
test('is handled in a page of another origin', async ({ apiUrl, sandbox }) => {
  const headers = { authorization: 'Bearer free-key' }
  const { status, data } = await axios.get(`${apiUrl}/pets?limit=2`, { headers })
  expect([status, data.length]).toEqual([200, 2])
  expect(sandbox.requests.list()).toHaveLength(1)
})
