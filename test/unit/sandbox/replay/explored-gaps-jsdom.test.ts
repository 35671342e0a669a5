// @vitest-environment jsdom
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { createFetchHandler } from '../../../../src/adapters/fetch.ts'
import { createHandlers } from '../../../../src/adapters/msw.ts'
import { createSandbox, type Sandbox } from '../../../../src/sandbox/sandbox.ts'

describe('createSandbox() in jsdom while a suite is explored', () => {
  it.each([
    { adapter: 'MSW', open: (sandbox: Sandbox) => void createHandlers(sandbox) },
    { adapter: 'Fetch', open: (sandbox: Sandbox) => void createFetchHandler(sandbox) },
  ])('has the choices that are tried behind the adapter of $adapter', ({ open }) => {
    expect(window.navigator.userAgent).toContain('jsdom')
    vi.stubEnv('PETSTORE_SANDBOX_GAPS', 'listOrder=shuffled')
    onTestFinished(() => void vi.unstubAllEnvs())
    const sandbox = createSandbox()
    open(sandbox)
    expect(sandbox.gaps.listOrder).toBe('shuffled')
  })
})
