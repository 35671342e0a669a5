import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { resetPart } from '../../../../src/sandbox/controls/controls.ts'
import type { Sandbox } from '../../../../src/sandbox/sandbox.ts'
import { draws } from '../../../kit/draws.ts'
import { frozenSandbox } from '../../../kit/frozen-sandbox.ts'
import { requestOf, send } from '../../../kit/send.ts'
import { Sometimes } from '../../../kit/sometimes.ts'
import { stateOf } from '../../../kit/state-of.ts'
import { begin } from '../../../kit/under-way.ts'

const newPet = '{"name":"Rex","categoryId":1}'

/** A sandbox of which every part has changed. */
async function changedSandbox(): Promise<Sandbox> {
  const sandbox = frozenSandbox()
  sandbox.setGaps({ idSequence: 'random', banAfter: 2 })
  sandbox.setRateLimits('report-only')
  await send(sandbox, { json: newPet })
  await send(sandbox, { key: 'unknown' })
  sandbox.pets.delete(1)
  sandbox.keys.issue({ key: 'own-key', plan: 'pro' })
  sandbox.keys.update('free-key', { plan: 'business', ban: '1h' })
  sandbox.faults.add({ fault: 'latency', ms: '1h', probability: 0.5 })
  sandbox.clock.advance('1d')
  return sandbox
}

function partsOf(sandbox: Sandbox): Record<string, unknown> {
  return { ...(stateOf(sandbox) as object) }
}

/** The quotas of a snapshot without bans and the rejections that lead to them. */
function withoutBans(quotas: unknown): unknown {
  return JSON.parse(JSON.stringify(quotas), (name, value) => {
    if (name === 'bannedUntilAt' || name === 'banMs') return undefined
    return name === 'rejected' ? 0 : value
  })
}

describe('Sandbox.reset()', () => {
  it('ends bans with the keys, but those in their settings, and leaves what is used', async () => {
    const sandbox = frozenSandbox({ gaps: { banAfter: 0 } })
    sandbox.keys.setRemaining('free-key', { minute: 0 })
    sandbox.keys.update('pro-key', { ban: '1h' })
    await send(sandbox, { key: 'free-key' })
    await send(sandbox, { key: 'banned-key' })
    const states = () =>
      ['free-key', 'pro-key', 'banned-key'].map((key) => sandbox.keys.get(key).state)
    expect(states()).toEqual(['banned', 'banned', 'banned'])
    sandbox.reset({ only: ['keys'] })
    expect(states()).toEqual(['exhausted', 'active', 'banned'])
    expect(sandbox.keys.get('free-key').minute).toMatchObject({ remaining: 0, rejected: 0 })
  })

  it('resets any parts together, and all of them without a choice', async () => {
    const sometimes = new Sometimes('no choice', 'no part', ...resetPart.choices)
    await fc.assert(
      fc.asyncProperty(
        fc.option(fc.subarray([...resetPart.choices]), { nil: undefined }),
        async (only) => {
          const sandbox = await changedSandbox()
          const before = partsOf(sandbox)
          const fresh = partsOf(frozenSandbox())
          for (const part of resetPart.choices) expect(before[part]).not.toEqual(fresh[part])
          sandbox.reset(only === undefined ? {} : { only })
          const reset = Object.fromEntries((only ?? []).map((part) => [part, fresh[part]]))
          const unbanned = only?.includes('keys') ? { quotas: withoutBans(before.quotas) } : {}
          const changed = { ...before, ...unbanned, ...reset }
          expect(partsOf(sandbox)).toEqual(only === undefined ? fresh : changed)
          sometimes.meet({ 'no choice': only === undefined, 'no part': only?.length === 0 })
          for (const part of only ?? []) sometimes.meet({ [part]: true })
        },
      ),
      { numRuns: draws(40) },
    )
    sometimes.expectAllMet()
  })

  it('goes back to the pets and keys of the latest replaceSeed()', () => {
    const sandbox = frozenSandbox()
    const pets = [{ id: 5, name: 'Rex', categoryId: 1 }]
    sandbox.replaceSeed({ pets, keys: [{ key: 'own-key', plan: 'pro' }] })
    const whatIsThere = () => [
      sandbox.pets.list().map(({ id }) => id),
      sandbox.keys.list().map(({ key }) => key),
    ]
    expect(whatIsThere()).toEqual([[5], ['own-key']])
    sandbox.pets.clear()
    sandbox.keys.delete('own-key')
    sandbox.reset()
    expect(whatIsThere()).toEqual([[5], ['own-key']])
    sandbox.replaceSeed({ pets })
    expect(sandbox.keys.list()).toHaveLength(9)
  })

  it('rejects unknown parts, and resets none', async () => {
    const sandbox = await changedSandbox()
    const before = stateOf(sandbox)
    expect(() => sandbox.reset({ only: ['pets', 'everything' as never] })).toThrow(
      'Cannot set reset.only[1]: found "everything"; use one of rateLimits, clock, gaps, keys, quotas, faults, pets, requests',
    )
    expect(() => sandbox.reset({ parts: ['pets'] } as never)).toThrow('Cannot set reset.parts: ')
    expect(stateOf(sandbox)).toEqual(before)
  })

  it('begins the random sequences anew', async () => {
    const sandbox = frozenSandbox({ gaps: { idSequence: 'random', listOrder: 'shuffled' } })
    const run = async () => {
      sandbox.scenario('flaky')
      const outcomes: unknown[] = []
      for (let sent = 0; sent < 30; sent++) {
        outcomes.push(await sandbox.handle(requestOf({ json: newPet })))
      }
      return outcomes
    }
    const first = await run()
    sandbox.reset()
    expect(await run()).toEqual(first)
  })
})

describe('requests under way when a sandbox is reset', () => {
  it('are handled from the old state, and leave nothing in the new one', async () => {
    const sandbox = frozenSandbox()
    sandbox.faults.add({ fault: 'latency', ms: '1h' })
    sandbox.setGaps({ defaultStatus: 'sold' })
    const requests = [
      begin(sandbox, { json: newPet }),
      begin(sandbox, { url: '/v1/pets/31' }),
      begin(sandbox, { key: 'unknown' }),
      begin(sandbox, { key: 'minute-exhausted-key' }),
    ]
    sandbox.reset()
    const outcomes = await Promise.all(requests.map(({ outcome }) => outcome))
    expect(outcomes).toMatchObject([
      { status: 201, body: '{"id":31,"name":"Rex","categoryId":1,"status":"sold"}' },
      { status: 200, headers: { 'x-ratelimit-remaining': '58' } },
      { status: 401 },
      { status: 429 },
    ])
    expect(stateOf(sandbox)).toEqual(stateOf(frozenSandbox()))
  })

  it('are heard of by nobody who listens to the new state', async () => {
    const sandbox = frozenSandbox()
    const heard: number[] = []
    sandbox.requests.onRequest(({ id }) => heard.push(id))
    await send(sandbox)
    sandbox.faults.add({ fault: 'latency', ms: '1h' })
    const request = begin(sandbox)
    sandbox.reset()
    await request.outcome
    await send(sandbox)
    expect(heard).toEqual([1, 2])
    expect(sandbox.requests.list()).toHaveLength(1)
  })

  it('send the rest of a slow body from the old state', async () => {
    const pets = [{ id: 1, name: 'Old'.repeat(100), categoryId: 1 }]
    const sandbox = frozenSandbox()
    sandbox.replaceSeed({ pets })
    sandbox.faults.add({ fault: 'slow-body', ms: '10s' })
    const outcome = await sandbox.handle(requestOf({}))
    if (outcome.kind !== 'broken-response') throw new Error('Cannot go on: there are no pieces')
    const iterator = outcome.pieces[Symbol.asyncIterator]()
    const first = iterator.next()
    sandbox.clock.advance('1s')
    let text: string = (await first).value
    const second = iterator.next()
    sandbox.restore(frozenSandbox().snapshot())
    for (let next = await second; next.done !== true; next = await iterator.next()) {
      text += next.value
    }
    expect(JSON.parse(text)).toEqual(pets)
    expect(sandbox.pets.list()).toEqual(frozenSandbox().pets.list())
  })
})
