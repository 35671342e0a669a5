/** The module that starts the sandbox in a page. */
export function mocksModule(language: 'ts' | 'js'): string {
  const result = language === 'ts' ? ': Promise<void>' : ''
  return `import { createSandbox } from 'petstore-sandbox'
import { startWorker } from 'petstore-sandbox/msw-worker'

/** Responds to the page's requests from a pet store inside the page. */
export async function startMocks()${result} {
  const sandbox = createSandbox()
  await startWorker(sandbox, { panel: true, persist: 'session', onUnhandledRequest: 'bypass' })
  // For the browser's console: \`sandbox.scenario('minute-exhausted')\`.
  Object.assign(globalThis, { sandbox })
}
`
}

/**
 * Lines that await the module above, for the module that renders the page.
 *
 * @param end A semicolon, or nothing.
 */
export function startLines(mocks: string, end = ''): readonly string[] {
  return [
    'if (import.meta.env.DEV) {',
    `  const { startMocks } = await import('${mocks}')${end}`,
    `  await startMocks()${end}`,
    '}',
  ]
}

export const viteImport = "import { petstore } from 'petstore-sandbox/vite'"

export const vitePlugin = 'petstore({ worker: true })'

export const viteConfig = `${viteImport}
import { defineConfig } from 'vite'

export default defineConfig({ plugins: [${vitePlugin}] })
`

export const vitestTest = `import { test } from 'petstore-sandbox/vitest'
import { expect } from 'vitest'

test('gets 429 until the next minute', async ({ sandbox, apiUrl }) => {
  const listPets = () => fetch(\`\${apiUrl}/pets\`, { headers: { authorization: 'Bearer free-key' } })
  sandbox.clock.freeze()
  sandbox.keys.setRemaining('free-key', { minute: 0 })
  expect((await listPets()).status).toBe(429)
  sandbox.clock.advance('1m')
  expect((await listPets()).status).toBe(200)
})
`

export const jestTest = `import { expect, test as jestTest } from '@jest/globals'
import { withSandbox } from 'petstore-sandbox/jest'

const test = withSandbox(jestTest, { failOn: 'error' })

test('gets 401 once its key is revoked', async ({ sandbox, apiUrl }) => {
  sandbox.keys.revoke('free-key')
  const headers = { authorization: 'Bearer free-key' }
  expect((await fetch(\`\${apiUrl}/pets\`, { headers })).status).toBe(401)
})
`

/** Files of a project, by what transforms them. */
const jestFiles = {
  'ts-jest': String.raw`\\.tsx?$`,
  // The preset transforms packages, to which a .babelrc doesn't apply.
  'babel-jest': String.raw`^(?!.*/node_modules/).*\\.[jt]sx?$`,
} as const

/** Lines of a Jest configuration: the preset, and what transforms the project's own code. */
export function jestLines(transformer: keyof typeof jestFiles | undefined): readonly string[] {
  const preset = "preset: 'petstore-sandbox/jest'"
  return transformer === undefined
    ? [preset]
    : [`${preset},`, `transform: { '${jestFiles[transformer]}': '${transformer}' },`]
}

/** The same lines in JSON. */
export function jestJsonLines(transformer: keyof typeof jestFiles | undefined): readonly string[] {
  return jestLines(transformer).map((line) =>
    line.replaceAll("'", '"').replace(/^\w+/, '"$&"').replace('" },', '" }'),
  )
}

export function jestConfig(lines: readonly string[]): string {
  const [only] = lines
  return lines.length === 1
    ? `module.exports = { ${only} }\n`
    : `module.exports = {\n${lines.map((line) => `  ${line}\n`).join('')}}\n`
}

export const playwrightTest = `import { expect } from '@playwright/test'
import { test } from 'petstore-sandbox/playwright'

test.use({ apiUrl: 'https://api.example.com/v1' })

test('a page gets 401 once its key has expired', async ({ page, sandbox }) => {
  sandbox.keys.update('free-key', { expiresAt: sandbox.clock.now() })
  const status = await page.evaluate(async () => {
    const headers = { authorization: 'Bearer free-key' }
    const response = await fetch('https://api.example.com/v1/pets', { headers })
    return response.status
  })
  expect(status).toBe(401)
  expect(sandbox.requests.last()?.why).toContain('the API key has expired')
})
`

export const nodeTest = `import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startServer } from 'petstore-sandbox/server'

test('gets 401 once its key is revoked', async (t) => {
  const { url, sandbox, close } = await startServer({ port: 0 })
  t.after(close)
  sandbox.keys.revoke('free-key')
  const headers = { authorization: 'Bearer free-key' }
  assert.equal((await fetch(\`\${url}/v1/pets\`, { headers })).status, 401)
})
`

export const pytestFixture = `import json
import os
from urllib.request import Request, urlopen

import pytest


def send(method, url, body=None):
    data = None if body is None else json.dumps(body).encode()
    headers = {"Content-Type": "application/json"}
    with urlopen(Request(url, data, headers, method=method)) as response:
        return json.load(response) if response.status != 204 else None


@pytest.fixture
def sandbox():
    """A store for one test. Fails the test if its client broke a rule."""
    sandboxes = os.environ["PETSTORE_CONTROL_URL"] + "/sandboxes"
    store = send("POST", sandboxes, {})
    send("PATCH", store["controlUrl"] + "/clock", {"mode": "frozen"})
    yield store
    findings = send("GET", store["controlUrl"] + "/findings")["findings"]
    send("DELETE", sandboxes + "/" + store["name"])
    assert [one["message"] for one in findings if one["severity"] == "error"] == []
`

export const pytestTest = `import json
from urllib.request import Request, urlopen


def list_pets(url):
    """The client under test."""
    with urlopen(Request(url + "/pets", headers={"Authorization": "Bearer free-key"})) as response:
        return json.load(response)


def test_gets_a_page_of_pets(sandbox):
    assert len(list_pets(sandbox["baseUrl"])) == 20
`
