import { describe, expect, it } from 'vitest'
import { resetInTurns, sowInTurns, tidyInTurns } from '../../../src/control/turns/replace-keys.ts'
import type { Sandbox } from '../../../src/sandbox.ts'
import { seedSettings } from '../../../src/state/beginning.ts'
import { indexInTurns } from '../../../src/state/redactor/index-in-turns.ts'
import { frozenSandbox } from '../../kit/frozen-sandbox.ts'
import { send } from '../../kit/send.ts'
import { stateOf } from '../../kit/state-of.ts'

function seedOf(prefix: string, count = 1_200) {
  const keys = Array.from({ length: count }, (_, index) => ({
    key: `${prefix}-${index}-ring`,
    plan: 'free' as const,
  }))
  return { keys }
}

/** A sandbox with many keys, one of which stands in an exchange. */
async function sandboxOfMany(): Promise<Sandbox> {
  const sandbox = frozenSandbox({ seed: seedOf('k1') })
  await send(sandbox, { key: 'k1-4-ring', url: '/v1/pets?x=k1-7-ring' })
  return sandbox
}

/** Counts how often others had their turn. */
function countedPace() {
  const counted = { turns: 0, pace: () => void counted.turns++ }
  return counted
}

describe('sowInTurns()', () => {
  it.each([
    { what: 'other keys', seed: seedOf('k2') },
    { what: 'the same keys', seed: seedOf('k1') },
    { what: 'few keys', seed: seedOf('k2', 3) },
    { what: 'pets alone', seed: { pets: [{ id: 7, name: 'Rex', categoryId: 1 }] } },
  ])('leaves what reseed() leaves, others being served before: $what', async ({ seed }) => {
    const [inTurns, atOnce] = [await sandboxOfMany(), await sandboxOfMany()]
    const read = seedSettings.read(seed)
    const { turns, pace } = countedPace()
    const index = await indexInTurns(read.keys?.map(({ key }) => key) ?? [], pace)
    const counted = countedPace()
    await sowInTurns(inTurns, read, index, counted.pace)
    expect(counted.turns + turns).toBeGreaterThan(20)
    atOnce.reseed(seed)
    expect(stateOf(inTurns)).toEqual(stateOf(atOnce))
    expect(JSON.stringify(inTurns.journal.entries())).not.toContain('k1-7-ring')
  })
})

describe('resetInTurns()', () => {
  it.each([
    { what: 'all', options: undefined },
    { what: 'the keys', options: { only: ['keys'] } },
    { what: 'the pets', options: { only: ['pets'] } },
  ] as const)('leaves what reset() leaves: $what', async ({ options }) => {
    const [inTurns, atOnce] = [await sandboxOfMany(), await sandboxOfMany()]
    for (const sandbox of [inTurns, atOnce]) sandbox.reseed(seedOf('k3'))
    for (const sandbox of [inTurns, atOnce]) sandbox.keys.delete('k3-9-ring')
    await resetInTurns(inTurns, options, () => undefined)
    atOnce.reset(options)
    expect(stateOf(inTurns)).toEqual(stateOf(atOnce))
    expect(JSON.stringify(inTurns.journal.entries())).not.toContain('k1-7-ring')
  })

  it.each([
    { what: 'all', options: undefined },
    { what: 'the keys', options: { only: ['keys'] } },
  ] as const)(
    'leaves what reset() leaves after a seed that came meanwhile: $what',
    async ({ options }) => {
      const [inTurns, atOnce] = [await sandboxOfMany(), await sandboxOfMany()]
      for (const sandbox of [inTurns, atOnce]) sandbox.reseed(seedOf('k3'))
      let turns = 0
      await resetInTurns(inTurns, options, () => {
        turns++
        if (turns === 1) inTurns.reseed(seedOf('k4', 3))
        return undefined
      })
      atOnce.reseed(seedOf('k4', 3))
      atOnce.reset(options)
      for (const sandbox of [inTurns, atOnce]) {
        await send(sandbox, { key: 'k4-1-ring', url: '/v1/pets?x=k3-9-ring' })
      }
      expect(stateOf(inTurns)).toEqual(stateOf(atOnce))
    },
  )
})

describe('tidyInTurns()', () => {
  it('seals the journal before a thousand keys and one are gone, once for all who delete one then', async () => {
    const sandbox = await sandboxOfMany()
    const { journal, keys } = sandbox.state()
    for (let index = 0; index < 1_000; index++) sandbox.keys.delete(`k1-${index}-ring`)
    expect(journal.entryAfter(0)?.exchange).not.toHaveProperty('why')
    const counted = countedPace()
    await Promise.all([1, 2, 3].map(() => tidyInTurns(sandbox, counted.pace)))
    expect(counted.turns).toBe(1)
    expect(journal.entryAfter(0)?.exchange).toHaveProperty('why')
    expect(keys.isLittered(1_000)).toBe(false)
    expect(JSON.stringify(sandbox.journal.entries())).not.toContain('k1-7-ring')
    await tidyInTurns(sandbox, counted.pace)
    expect(counted.turns).toBe(1)
  })

  it('seals the journal that is in force by then', async () => {
    const sandbox = await sandboxOfMany()
    for (let index = 0; index < 1_000; index++) sandbox.keys.delete(`k1-${index}-ring`)
    let turns = 0
    await tidyInTurns(sandbox, async () => {
      turns++
      if (turns > 1) return
      sandbox.reset({ only: ['journal'] })
      await send(sandbox, { url: '/v1/pets?x=k1-7-ring' })
    })
    expect(sandbox.state().keys.isLittered(1_000)).toBe(false)
    expect(sandbox.journal.entries()).toMatchObject([{ request: { url: '/v1/pets?x=k1-7…' } }])
  })
})
