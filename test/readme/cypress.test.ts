import { readFileSync } from 'node:fs'
import { startServer } from 'petstore-sandbox/server'
import { expect, it, vi } from 'vitest'

type Task = (argument: string) => Promise<unknown>

it('the tasks of the recipe for Cypress control a running sandbox', async () => {
  await using server = await startServer({ port: 0 })
  vi.stubEnv('PETSTORE_SANDBOX_URL', server.url)
  const { default: config } = await import('./cypress/cypress.config.js')
  vi.unstubAllEnvs()
  let tasks: Readonly<Record<string, Task>> = {}
  config.e2e.setupNodeEvents((_event: string, given: typeof tasks) => {
    tasks = given
  })
  const spec = readFileSync(new URL('cypress/limits.cy.js', import.meta.url), 'utf8')
  const calls = [...spec.matchAll(/cy\.task\('(\w+)'(?:, '([^']*)')?\)/g)]
  expect(calls).toHaveLength(3)
  for (const [, name = '', argument = ''] of calls) {
    // Cypress fails a task that gives nothing.
    expect(await tasks[name]?.(argument), name).not.toBe(undefined)
  }
  expect(server.sandbox.keys.get('free-key').minute.remaining).toBe(60)
})
