import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { frozenSandbox } from '../../../kit/frozen-sandbox.ts'
import { requestOf } from '../../../kit/send.ts'

describe('the marks', () => {
  it.each([
    { by: 'clock.advance', kinds: ['clock-moved'] },
    { by: 'clock.set', kinds: ['clock-set-back'] },
    { by: 'a millisecond back', kinds: ['clock-set-back'] },
    { by: 'a millisecond on', kinds: ['clock-moved'] },
    { by: 'clock.resume', kinds: ['clock-mode'] },
    { by: 'clock.update', kinds: ['clock-moved', 'clock-mode'] },
    { by: 'clock.setSpeed, to another pace and the same', kinds: ['clock-mode', 'clock-mode'] },
    { by: 'nothing', kinds: [] },
    { by: 'keys.issue', kinds: ['keys-changed'] },
    { by: 'keys.setRemaining', kinds: ['keys-changed'] },
    { by: 'keys.delete', kinds: ['keys-changed'] },
    { by: 'pets.create', kinds: ['pets-changed'] },
    { by: 'pets.clear', kinds: ['pets-changed'] },
    { by: 'faults.add', kinds: ['faults-changed'] },
    { by: 'faults.clear', kinds: ['faults-changed'] },
    { by: 'setGaps', kinds: ['gaps-changed'] },
    { by: 'setRateLimits', kinds: ['rate-limits-changed'] },
    { by: 'scenario', kinds: ['faults-changed'] },
    { by: 'reset', kinds: ['reset'] },
    { by: 'replaceSeed', kinds: ['reset'] },
    { by: 'restore', kinds: ['restored'] },
    { by: 'tests.start', kinds: ['test-started'] },
  ])('say what $by changed: $kinds', ({ by, kinds }) => {
    const sandbox = frozenSandbox()
    const snapshot = sandbox.snapshot()
    const changes: Record<string, () => unknown> = {
      'clock.advance': () => sandbox.clock.advance('1s'),
      'clock.set': () => sandbox.clock.set(0),
      'a millisecond back': () => sandbox.clock.set(sandbox.clock.now() - 1),
      'a millisecond on': () => sandbox.clock.advance(1),
      'clock.resume': () => sandbox.clock.resume(),
      'clock.update': () => sandbox.clock.update({ advance: '1m', mode: 'scaled', speed: 2 }),
      'clock.setSpeed, to another pace and the same': () => {
        for (const speed of [2, 3, 3]) sandbox.clock.setSpeed(speed)
      },
      nothing: () => sandbox.clock.freeze(),
      'keys.issue': () => sandbox.keys.issue({ key: 'own-key', plan: 'pro' }),
      'keys.setRemaining': () => sandbox.keys.setRemaining('free-key', { minute: 1 }),
      'keys.delete': () => sandbox.keys.delete('free-key'),
      'pets.create': () => sandbox.pets.create({ name: 'Rex', categoryId: 1 }),
      'pets.clear': () => sandbox.pets.clear(),
      'faults.add': () => sandbox.faults.add([{ fault: 'timeout' }, { fault: 'disconnect' }]),
      'faults.clear': () => sandbox.faults.clear(),
      setGaps: () => sandbox.setGaps({ emptyName: 'reject' }),
      setRateLimits: () => sandbox.setRateLimits('report-only'),
      scenario: () => sandbox.scenario('slow'),
      reset: () => sandbox.reset({ only: ['quotas'] }),
      replaceSeed: () => sandbox.replaceSeed({ pets: [] }),
      restore: () => sandbox.restore(snapshot),
      'tests.start': () => sandbox.tests.start('lists pets'),
    }
    const heard: string[] = []
    sandbox.requests.onEvent(({ kind }) => heard.push(kind))
    changes[by]?.()
    expect(sandbox.requests.changes().map(({ kind }) => kind)).toEqual(kinds)
    expect(heard).toEqual(kinds)
  })

  it.each(['resume', 'freeze'] as const)('name no move of a clock that runs: clock.%s', (name) => {
    let time = Date.now()
    const spy = vi.spyOn(Date, 'now').mockImplementation(() => ++time)
    onTestFinished(() => spy.mockRestore())
    const sandbox = frozenSandbox({ clock: { mode: 'scaled', speed: 2 } })
    sandbox.clock[name]()
    expect(sandbox.requests.changes().map(({ kind }) => kind)).toEqual(['clock-mode'])
  })

  it('name the test that began, and no key', () => {
    const sandbox = frozenSandbox()
    sandbox.tests.start('lists with free-key')
    expect(sandbox.requests.changes()).toEqual([
      { sequence: 1, at: '2026-01-01T00:00:00Z', kind: 'test-started', name: 'lists with free…' },
    ])
  })

  it('are kept up to a bound, the latest ones', () => {
    const sandbox = frozenSandbox()
    for (let count = 0; count < 2_500; count++) sandbox.clock.advance('1s')
    const places = sandbox.requests.changes().map(({ sequence }) => sequence)
    expect(places).toEqual(Array.from({ length: 1_000 }, (_, index) => 1_501 + index))
  })

  it('are in a snapshot where they stand between requests', async () => {
    const sandbox = frozenSandbox()
    sandbox.clock.advance('1s')
    await sandbox.handle(requestOf({}))
    sandbox.clock.advance('1s')
    await sandbox.handle(requestOf({}))
    sandbox.clock.advance('1s')
    const restored = frozenSandbox()
    restored.restore(JSON.parse(JSON.stringify(sandbox.snapshot())))
    expect(restored.requests.changes()).toMatchObject([
      { sequence: 4, kind: 'clock-moved' },
      { kind: 'restored' },
    ])
  })
})
