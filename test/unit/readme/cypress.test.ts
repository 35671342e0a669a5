import { readFileSync } from 'node:fs'
import { startServer } from 'petstore-sandbox/server'
import { expect, it, vi } from 'vitest'

type Tasks = Readonly<Record<string, (argument: string) => Promise<unknown>>>

/** What Cypress reads of its config. */
interface Config {
  readonly e2e: { setupNodeEvents(on: (event: string, tasks: Tasks) => void): void }
}

it('the tasks of the recipe for Cypress control a running sandbox', async () => {
  await using server = await startServer({ port: 0 })
  vi.stubEnv('PETSTORE_SANDBOX_URL', server.url)
  const file = new URL('cypress/cypress.config.js', import.meta.url)
  const { default: config } = (await import(file.href)) as { readonly default: Config }
  vi.unstubAllEnvs()
  let tasks: Tasks = {}
  config.e2e.setupNodeEvents((_event, given) => {
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
