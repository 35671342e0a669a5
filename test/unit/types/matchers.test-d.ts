import { expect as playwrightExpect } from '@playwright/test'
import { describe, expect, expectTypeOf, it } from 'vitest'
import { matchers, type SandboxMatchers } from '../../../src/adapters/matchers.ts'
import type { SandboxClient } from '../../../src/client/sandbox-client.ts'
import type { Sandbox } from '../../../src/sandbox/sandbox.ts'

declare const sandbox: Sandbox
declare const client: SandboxClient

describe('matchers', () => {
  it('are known to the expect of Vitest', () => {
    expectTypeOf(expect.extend).toBeCallableWith(matchers)
    expectTypeOf(expect(sandbox)).toExtend<SandboxMatchers>()
    expectTypeOf(expect(client).not).toExtend<SandboxMatchers>()
    expectTypeOf(expect(sandbox).toHaveNoFindings).toBeCallableWith({ except: ['list-truncated'] })
    // @ts-expect-error there is no such rule
    expectTypeOf(expect(sandbox).toHaveNoFindings).toBeCallableWith({ except: ['rudeness'] })
    // @ts-expect-error nothing is added by a list
    expectTypeOf(expect(sandbox).toHaveSeenDuplicate).toBeCallableWith('listPets')
  })

  it('are known to the expect that Playwright makes with them', () => {
    const own = playwrightExpect.extend(matchers)
    expectTypeOf(own(sandbox).toHaveSeenRetry).toBeCallableWith('listPets', { times: 2 })
    expectTypeOf(own(client).not.toHaveSeenWait).toBeCallableWith('listPets')
    // @ts-expect-error a number has no clients
    expectTypeOf(own(5).toHaveNoFindings).toBeCallableWith()
  })

  it('are known to the jest of global types', () => {
    expectTypeOf<jest.Matchers<void>>().toExtend<SandboxMatchers>()
  })
})
