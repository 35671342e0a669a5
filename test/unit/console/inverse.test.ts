import { describe, expect, it } from 'vitest'
import { runUndoable } from '../../../src/console/live/inverse.ts'
import { pageClient } from '../../../src/console/panel/page-client.ts'
import { ShownSandbox } from '../../../src/console/panel/shown-sandbox.ts'
import { runStep } from '../../../src/mock/api/control-step.ts'
import type { Sandbox } from '../../../src/sandbox/sandbox.ts'
import { frozenSandbox } from '../../kit/frozen-sandbox.ts'
import { requestOf } from '../../kit/send.ts'

/** All that a control changes and that its inverse gives back. */
async function stateOf(sandbox: Sandbox) {
  const { pets, keys, faults, gaps, rateLimits, clock } = sandbox
  const settings = faults.list().map(({ id: _, ...fault }) => fault)
  const { now, mode } = clock.read()
  return structuredClone({
    pets: pets.list(),
    keys: keys.list().toSorted((one, other) => one.key.localeCompare(other.key)),
    ...{ settings, gaps, rateLimits, now, mode },
  })
}

function sandboxAtWork(): Sandbox {
  const sandbox = frozenSandbox()
  sandbox.keys.update('pro-key', { ban: '5m', remaining: { day: 7 } })
  sandbox.faults.add({ fault: 'timeout', times: 2 })
  sandbox.setGaps({ banAfter: 3 })
  return sandbox
}

describe('runUndoable()', () => {
  // K1
  it('undoes what was done, and leaves alone what clients did since', async () => {
    const sandbox = frozenSandbox()
    const client = pageClient(new ShownSandbox(sandbox))
    const undo = await runUndoable(client, [{ control: 'pets.delete', args: [5] }])
    const body = '{"name":"Rex","categoryId":1}'
    await sandbox.handle(requestOf({ json: body }))
    for (const step of undo) await runStep(client, step)
    expect(sandbox.pets.get(5)).toMatchObject({ id: 5 })
    expect(sandbox.pets.list({ name: 'Rex' })).toHaveLength(1)
    expect(sandbox.requests.list()).toHaveLength(1)
  })

  it.each([
    { control: 'reset', args: [] },
    { control: 'clock.set', args: ['2030-12-05'] },
    { control: 'clock.useSystemTime', args: [] },
    { control: 'keys.issue', args: [{ key: 'mine', plan: 'free' }] },
    { control: 'keys.update', args: ['pro-key', { plan: 'free', revoked: true }] },
    { control: 'keys.ban', args: ['free-key', '5m'] },
    { control: 'keys.revoke', args: ['free-key'] },
    { control: 'keys.setRemaining', args: ['free-key', { minute: 0 }] },
    { control: 'keys.delete', args: ['pro-key'] },
    { control: 'pets.create', args: [[{ name: 'Bo', categoryId: 1 }]] },
    { control: 'pets.delete', args: ['7'] },
    { control: 'pets.clear', args: [] },
    { control: 'faults.add', args: [{ fault: 'status', status: 500 }] },
    { control: 'faults.remove', args: [1] },
    { control: 'faults.clear', args: [] },
    { control: 'setGaps', args: [{ banAfter: 'never', retryAfterFormat: 'http-date' }] },
    { control: 'setRateLimits', args: ['report-only'] },
  ])('has an inverse of $control', async (step) => {
    const sandbox = sandboxAtWork()
    const before = await stateOf(sandbox)
    const client = pageClient(new ShownSandbox(sandbox))
    const undo = await runUndoable(client, [step])
    expect(await stateOf(sandbox)).not.toEqual(before)
    for (const one of undo) await runStep(client, one)
    expect(await stateOf(sandbox)).toEqual(before)
  })

  it('undoes steps from the last to the first, and none if one has no inverse', async () => {
    const client = pageClient(new ShownSandbox(frozenSandbox()))
    const [first, second] = [
      { control: 'setRateLimits', args: ['report-only'] },
      { control: 'clock.set', args: ['2030-12-05'] },
    ]
    const undo = await runUndoable(client, [first, second])
    expect(undo.map(({ control }) => control)).toEqual(['clock.update', 'setRateLimits'])
    const scenario = { control: 'scenario', args: ['flaky'] }
    expect(await runUndoable(client, [first, scenario])).toEqual([])
  })
})
