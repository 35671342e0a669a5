import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { readInput } from '../../../../src/mock/input/schema.ts'
import { captureFile } from '../../../../src/sandbox/controls/captures.ts'
import { playedSandbox } from '../../../../src/sandbox/played-sandbox.ts'
import { exploredGaps } from '../../../../src/sandbox/replay/explored-gaps.ts'
import { replayCapture } from '../../../../src/sandbox/replay/replay-capture.ts'
import { createSandbox } from '../../../../src/sandbox/sandbox.ts'
import { send } from '../../../kit/send.ts'

/** Explores with a row until the test ends. */
function explore(row: string): void {
  vi.stubEnv('PETSTORE_SANDBOX_GAPS', row)
  onTestFinished(() => {
    vi.unstubAllEnvs()
  })
}

describe('exploredGaps()', () => {
  it('reads choices of every kind', () => {
    const text = 'banStatus=403, listOrder=shuffled,banAfter=0,banDuration=10m,dateHeaderSkew=1h'
    expect(exploredGaps({ PETSTORE_SANDBOX_GAPS: text })).toEqual({
      banStatus: 403,
      listOrder: 'shuffled',
      banAfter: 0,
      banDuration: '10m',
      dateHeaderSkew: 3_600_000,
    })
  })

  it('reads what it has written', () => {
    const text =
      'banAfter=never,banDuration=5m,dateHeaderSkew=3600000,deprecatedSince=2025-01-01T00:00:00Z'
    const row = exploredGaps({ PETSTORE_SANDBOX_GAPS: text })
    const words = Object.entries(row).map(([name, choice]) => `${name}=${choice}`)
    expect(exploredGaps({ PETSTORE_SANDBOX_GAPS: words.join(',') })).toEqual(row)
    expect(row).toMatchObject({ banAfter: 'never', dateHeaderSkew: 3_600_000 })
  })

  it.each(['banStatus', 'banStatus=500', 'unheardOf=1'])('rejects %s by name', (text) => {
    expect(() => exploredGaps({ PETSTORE_SANDBOX_GAPS: text })).toThrow(/PETSTORE_SANDBOX_GAPS/)
  })

  it.each([{}, { PETSTORE_SANDBOX_GAPS: '' }])('finds nothing in %o', (environment) => {
    expect(exploredGaps(environment)).toEqual({})
  })
})

describe('createSandbox() while a suite is explored', () => {
  it('leaves alone what options choose on purpose, the defaults too', () => {
    explore('banStatus=403,listOrder=shuffled,nullStatus=omit')
    const { gaps } = createSandbox({ gaps: { banStatus: 429, nullStatus: 'reject' } })
    expect(gaps).toMatchObject({ banStatus: 429, listOrder: 'shuffled', nullStatus: 'reject' })
  })

  it('has the choices in force after each reset of the gaps, and not over those of a test', () => {
    explore('banStatus=403,listOrder=shuffled')
    const sandbox = createSandbox({ gaps: { listOrder: 'id-descending' } })
    expect(sandbox.gaps).toMatchObject({ banStatus: 403, listOrder: 'id-descending' })
    sandbox.setGaps({ banStatus: 429 })
    sandbox.reset({ only: ['quotas'] })
    expect(sandbox.gaps.banStatus).toBe(429)
    sandbox.reset()
    expect(sandbox.gaps).toMatchObject({ banStatus: 403, listOrder: 'id-descending' })
  })

  it('replays a capture under its own choices', async () => {
    const sandbox = createSandbox()
    await send(sandbox)
    const capture = readInput(captureFile, await sandbox.capture())
    explore('listOrder=shuffled')
    expect((await replayCapture(capture)).difference).toBeUndefined()
    expect((await playedSandbox(capture, {})).sandbox.gaps.listOrder).toBe('id-ascending')
  })
})
