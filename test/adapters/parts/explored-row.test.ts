import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { createMiddleware } from '../../../src/adapters/express.ts'
import { createFetchHandler } from '../../../src/adapters/fetch.ts'
import { createHandlers } from '../../../src/adapters/msw.ts'
import {
  exploredOptions,
  exploredRow,
  followRow,
} from '../../../src/adapters/parts/explored-row.ts'
import { createSandbox, type Sandbox } from '../../../src/sandbox.ts'

/** Explores with a row until the test ends. */
function explore(row: string): void {
  vi.stubEnv('PETSTORE_SANDBOX_GAPS', row)
  onTestFinished(() => {
    vi.unstubAllEnvs()
  })
}

describe('exploredRow()', () => {
  it('reads choices of every kind', () => {
    const text = 'banStatus=403, listOrder=shuffled,banAfter=0,banDuration=10m,dateSkew=1h'
    expect(exploredRow({ PETSTORE_SANDBOX_GAPS: text })).toEqual({
      banStatus: 403,
      listOrder: 'shuffled',
      banAfter: 0,
      banDuration: '10m',
      dateSkew: 3_600_000,
    })
  })

  it('reads what it has written', () => {
    const text =
      'banAfter=never,banDuration=5m,dateSkew=3600000,deprecatedSince=2025-01-01T00:00:00Z'
    const row = exploredRow({ PETSTORE_SANDBOX_GAPS: text })
    const words = Object.entries(row).map(([name, choice]) => `${name}=${choice}`)
    expect(exploredRow({ PETSTORE_SANDBOX_GAPS: words.join(',') })).toEqual(row)
    expect(row).toMatchObject({ banAfter: 'never', dateSkew: 3_600_000 })
  })

  it.each(['banStatus', 'banStatus=500', 'unheardOf=1'])('refuses %s by name', (text) => {
    expect(() => exploredRow({ PETSTORE_SANDBOX_GAPS: text })).toThrow(/PETSTORE_SANDBOX_GAPS/)
  })

  it.each([{}, { PETSTORE_SANDBOX_GAPS: '' }])('finds nothing in %o', (environment) => {
    expect(exploredRow(environment)).toEqual({})
  })
})

describe('exploredOptions()', () => {
  it('leaves alone what options choose on purpose', () => {
    explore('banStatus=403,listOrder=shuffled')
    expect(exploredOptions({ randomSeed: 7, gaps: { banStatus: 429 } })).toEqual({
      randomSeed: 7,
      gaps: { banStatus: 429, listOrder: 'shuffled' },
    })
  })

  it('changes nothing while nothing is explored', () => {
    const options = { randomSeed: 7 }
    expect(exploredOptions(options)).toBe(options)
  })
})

describe('followRow()', () => {
  it('has the choices in force after each reset of the gaps, and not over those of a test', () => {
    explore('banStatus=403,listOrder=shuffled')
    const sandbox = createSandbox({ gaps: { listOrder: 'id-descending' } })
    followRow(sandbox)
    expect(sandbox.gaps).toMatchObject({ banStatus: 403, listOrder: 'id-descending' })
    sandbox.setGaps({ banStatus: 429 })
    sandbox.reset({ only: ['quotas'] })
    expect(sandbox.gaps.banStatus).toBe(429)
    sandbox.reset()
    expect(sandbox.gaps).toMatchObject({ banStatus: 403, listOrder: 'id-descending' })
  })

  it.each([
    { door: 'MSW', open: (sandbox: Sandbox) => void createHandlers(sandbox) },
    { door: 'Fetch', open: (sandbox: Sandbox) => void createFetchHandler(sandbox) },
    { door: 'Express', open: (sandbox: Sandbox) => void createMiddleware(sandbox) },
  ])('is what the door of $door does', ({ open }) => {
    explore('banStatus=403,listOrder=shuffled')
    const sandbox = createSandbox({ gaps: { listOrder: 'id-descending' } })
    open(sandbox)
    expect(sandbox.gaps).toMatchObject({ banStatus: 403, listOrder: 'id-descending' })
  })

  it('leaves alone what only answers', () => {
    explore('banStatus=403')
    const { handle } = createSandbox()
    expect(() => followRow({ handle })).not.toThrow()
  })
})
