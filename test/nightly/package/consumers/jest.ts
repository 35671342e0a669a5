import { HttpResponse, http } from 'msw'
import { type FixtureOptions, type SandboxTest, withSandbox } from 'petstore-sandbox/jest'

const tests: (() => Promise<void>)[] = []
const register = (_name: string, run: () => Promise<void>): void => {
  tests.push(run)
}
const jestTest = Object.assign(register, {
  only: register,
  skip: register,
  failing: register,
  concurrent: register,
})

const options: FixtureOptions = { apiUrl: 'https://api.shop.test/v1' }
const test: SandboxTest = withSandbox(jestTest, options)

test('gives each test a sandbox', async ({ sandbox, apiUrl, server }) => {
  sandbox.keys.setRemaining('free-key', { minute: 1 })
  server.use(http.get('*/pets/1', () => HttpResponse.json([], { status: 299 })))
  const statuses: number[] = []
  for (const path of ['/pets', '/pets', '/pets/1']) {
    const headers = { Authorization: 'Bearer free-key' }
    statuses.push((await fetch(`${apiUrl}${path}`, { headers })).status)
  }
  if (statuses.join() !== '200,429,299') throw new Error(statuses.join())
})

for (const run of tests) await run()

// @ts-expect-error: an address is a text.
void (() => withSandbox(jestTest, { apiUrl: 1 }))
