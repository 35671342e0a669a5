import { describe, expect, it, onTestFinished, vi } from 'vitest'
import type { Sandbox } from '../../../src/sandbox.ts'
import type { SandboxOptions } from '../../../src/state/beginning.ts'
import { realNow } from '../../../src/state/clock/real-time.ts'
import type { JournalEntry } from '../../../src/state/journal/journal-entry.ts'
import { frozenSandbox } from '../../kit/frozen-sandbox.ts'
import { requestOf, type TestRequest } from '../../kit/send.ts'

/** The last entry of a journal after a request. */
async function entryOf(
  request: TestRequest,
  options: SandboxOptions = {},
): Promise<JournalEntry | undefined> {
  const sandbox = frozenSandbox(options)
  await sandbox.handle(requestOf(request))
  return sandbox.journal.last()
}

const newPet = '{"name":"Rex","categoryId":1}'

describe('the facts of an exchange', () => {
  it.each<{ what: string; request: TestRequest; options?: SandboxOptions; decision: object }>([
    { what: 'a list', request: {}, decision: { clause: '4.1', total: 30 } },
    {
      what: 'a list of a status',
      request: { url: '/v1/pets?status=sold&limit=1' },
      decision: { clause: '4.1', total: 5 },
    },
    { what: 'a new pet', request: { json: newPet }, decision: { clause: '4.2', petId: '31' } },
    {
      what: 'a new pet with a large id',
      request: { json: newPet },
      options: { gaps: { idSequence: 'large' } },
      decision: { clause: '4.2', petId: '9007199254740993' },
    },
    {
      what: 'an invalid pet',
      request: { json: '{}' },
      decision: { code: 'invalid_request', clause: '4.2' },
    },
    {
      what: 'a pet that is refused by a choice',
      request: { json: '{"name":"","categoryId":1}' },
      options: { gaps: { emptyName: 'reject' } },
      decision: { code: 'invalid_request', clause: '4.2', gap: 'emptyName' },
    },
    {
      what: 'no key, whatever the gap errorCodes makes of the code',
      request: { key: null },
      options: { gaps: { errorCodes: 'opaque' } },
      decision: { code: 'unauthorized', clause: '5' },
    },
    {
      what: 'a full window',
      request: { key: 'minute-exhausted-key' },
      options: { gaps: { retryAfterFormat: 'http-date' } },
      decision: { code: 'rate_limit_exceeded', clause: '8', retryAt: '2026-01-01T00:01:00Z' },
    },
  ])('say what decided about $what', async ({ request, options, decision }) => {
    expect((await entryOf(request, options))?.decision).toEqual(decision)
  })

  it('say of an injected error its code alone, since no clause is behind it', async () => {
    const sandbox = frozenSandbox()
    sandbox.faults.add({ fault: 'status', status: 503 })
    await sandbox.handle(requestOf({ json: newPet }))
    expect(sandbox.journal.last()?.decision).toEqual({ code: 'internal_error' })
  })

  it('say of a lost answer that the pet was added all the same', async () => {
    const sandbox = frozenSandbox()
    sandbox.faults.add({ fault: 'disconnect' })
    await sandbox.handle(requestOf({ json: newPet }))
    expect(sandbox.journal.last()).toMatchObject({
      decision: { petId: '31' },
      outcome: { kind: 'disconnect' },
      delivery: 'broken',
    })
  })

  it('count callers by their tokens, not by what is shown of them', async () => {
    const sandbox = frozenSandbox()
    for (const key of ['same-1', 'same-2', null, 'same-1']) {
      await sandbox.handle(requestOf({ key }))
    }
    const callers = sandbox.journal.entries().map(({ caller, key }) => ({ caller, key }))
    expect(callers).toEqual([
      { caller: 1, key: 'sam…' },
      { caller: 2, key: 'sam…' },
      { caller: 3, key: undefined },
      { caller: 1, key: 'sam…' },
    ])
  })

  it('have starts, answers and marks in one sequence: one after the other', async () => {
    const sandbox = frozenSandbox()
    await sandbox.handle(requestOf({}))
    sandbox.clock.advance('1s')
    await sandbox.handle(requestOf({}))
    expect(sandbox.journal.entries().map(({ order }) => order)).toEqual([
      { start: 1, answer: 2 },
      { start: 4, answer: 5 },
    ])
    expect(sandbox.journal.marks()).toEqual([
      { order: 3, at: '2026-01-01T00:00:01Z', kind: 'clock-moved' },
    ])
  })

  it('have starts, answers and marks in one sequence: requests that are sent together', async () => {
    const sandbox = frozenSandbox()
    await Promise.all([sandbox.handle(requestOf({})), sandbox.handle(requestOf({}))])
    expect(sandbox.journal.entries().map(({ order }) => order)).toEqual([
      { start: 1, answer: 3 },
      { start: 2, answer: 4 },
    ])
  })

  it('go on with their sequence and their callers over a reset', async () => {
    const sandbox = frozenSandbox()
    await sandbox.handle(requestOf({}))
    sandbox.reset()
    await sandbox.handle(requestOf({ key: 'pro-key' }))
    await sandbox.handle(requestOf({}))
    expect(sandbox.journal.entries()).toMatchObject([
      { id: 2, order: { start: 4 }, caller: 2 },
      { id: 3, order: { start: 6 }, caller: 1 },
    ])
  })

  it.each([
    { what: 'more', sent: 9, before: 0 },
    { what: 'less', sent: 1, before: 9 },
  ])('go on after a snapshot of a sandbox that was asked $what', async (row) => {
    const keys = ['free-key', 'pro-key', 'business-key']
    const ask = async (sandbox: Sandbox, count: number) => {
      for (let sent = 0; sent < count; sent++) {
        await sandbox.handle(requestOf({ key: keys[sent % 3] ?? null }))
      }
    }
    const [original, sandbox] = [frozenSandbox(), frozenSandbox()]
    await ask(original, row.sent)
    await ask(sandbox, row.before)
    sandbox.restore(JSON.parse(JSON.stringify(original.snapshot())))
    await sandbox.handle(requestOf({ key: 'enterprise-key' }))
    // After nine starts, nine answers, and the mark of the restore.
    expect(sandbox.journal.last()).toMatchObject({ order: { start: 20 }, caller: 4 })
    sandbox.reset()
    await sandbox.handle(requestOf({ key: 'enterprise-key' }))
    expect(sandbox.journal.last()?.caller).toBe(4)
  })

  it('have real times that faked timers and the clock of the sandbox leave alone', async () => {
    const sandbox = frozenSandbox()
    const before = realNow()
    await sandbox.handle(requestOf({}))
    const after = realNow()
    vi.useFakeTimers({ now: 0 })
    onTestFinished(() => {
      vi.useRealTimers()
    })
    sandbox.clock.set(0)
    await sandbox.handle(requestOf({}))
    // To the microsecond.
    const { received, answered } = sandbox.journal.get(1)
    expect(received).toBeGreaterThan(before - 0.001)
    expect(answered).toBeLessThan(after + 0.001)
    for (const time of [received, answered]) expect(String(time)).toMatch(/^\d+(\.\d{1,3})?$/)
    const times = sandbox.journal.entries().flatMap((one) => [one.received, one.answered ?? 0])
    expect(times).toEqual(times.toSorted((one, other) => one - other))
    expect(times.every((time) => time > 0)).toBe(true)
  })

  it('say that an answer is on its way, and then that its client left', async () => {
    const sandbox = frozenSandbox()
    sandbox.faults.add({ fault: 'timeout' })
    const visit = sandbox.visit('process', 3)
    await sandbox.handle(requestOf({}), undefined, visit)
    expect(sandbox.journal.last()).not.toHaveProperty('delivery')
    expect(sandbox.journal.last()).toMatchObject({ order: { start: 2 }, connection: 3 })
    visit.leave()
    expect(sandbox.journal.last()).toMatchObject({
      delivery: 'left',
      order: { start: 2, answer: 3 },
      door: 'process',
    })
    visit.end()
    expect(sandbox.journal.last()).toMatchObject({ delivery: 'left', order: { answer: 3 } })
  })
})

describe('what became of an answer', () => {
  it.each([
    { delivery: 'delivered', fault: undefined },
    { delivery: 'broken', fault: 'truncated-body' },
    { delivery: 'broken', fault: 'disconnect' },
  ] as const)('is $delivery after the fault $fault, in a snapshot too', async (row) => {
    const sandbox = frozenSandbox()
    if (row.fault !== undefined) sandbox.faults.add({ fault: row.fault })
    const visit = sandbox.visit('process')
    await sandbox.handle(requestOf({}), undefined, visit)
    visit.end()
    expect(sandbox.journal.last()).toMatchObject({ delivery: row.delivery })
    sandbox.restore(sandbox.snapshot())
    expect(sandbox.journal.last()).toMatchObject({ delivery: row.delivery })
  })
})

describe('the marks', () => {
  it.each([
    { by: 'clock.advance', kinds: ['clock-moved'] },
    { by: 'clock.set', kinds: ['clock-set-back'] },
    { by: 'a millisecond back', kinds: ['clock-set-back'] },
    { by: 'a millisecond on', kinds: ['clock-moved'] },
    { by: 'clock.resume', kinds: ['clock-mode'] },
    { by: 'clock.change', kinds: ['clock-moved', 'clock-mode'] },
    { by: 'clock.scale, to another pace and the same', kinds: ['clock-mode', 'clock-mode'] },
    { by: 'nothing', kinds: [] },
    { by: 'keys.issue', kinds: ['keys-changed'] },
    { by: 'keys.setRemaining', kinds: ['keys-changed'] },
    { by: 'keys.delete', kinds: ['keys-changed'] },
    { by: 'pets.create', kinds: ['pets-changed'] },
    { by: 'pets.clear', kinds: ['pets-changed'] },
    { by: 'faults.add', kinds: ['faults-changed'] },
    { by: 'faults.clear', kinds: ['faults-changed'] },
    { by: 'setGaps', kinds: ['gaps-changed'] },
    { by: 'setRateLimit', kinds: ['rate-limit-changed'] },
    { by: 'scenario', kinds: ['faults-changed'] },
    { by: 'reset', kinds: ['reset'] },
    { by: 'reseed', kinds: ['reset'] },
    { by: 'restore', kinds: ['restored'] },
    { by: 'journal.mark', kinds: ['test-began'] },
  ])('say what $by changed: $kinds', ({ by, kinds }) => {
    const sandbox = frozenSandbox()
    const snapshot = sandbox.snapshot()
    const changes: Record<string, () => unknown> = {
      'clock.advance': () => sandbox.clock.advance('1s'),
      'clock.set': () => sandbox.clock.set(0),
      'a millisecond back': () => sandbox.clock.set(sandbox.clock.now() - 1),
      'a millisecond on': () => sandbox.clock.advance(1),
      'clock.resume': () => sandbox.clock.resume(),
      'clock.change': () => sandbox.clock.change({ advance: '1m', mode: 'scaled', scale: 2 }),
      'clock.scale, to another pace and the same': () => {
        for (const scale of [2, 3, 3]) sandbox.clock.scale(scale)
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
      setRateLimit: () => sandbox.setRateLimit('reported'),
      scenario: () => sandbox.scenario('slow'),
      reset: () => sandbox.reset({ only: ['quotas'] }),
      reseed: () => sandbox.reseed({ pets: [] }),
      restore: () => sandbox.restore(snapshot),
      'journal.mark': () => sandbox.journal.mark({ kind: 'test-began', name: 'lists pets' }),
    }
    const heard: string[] = []
    sandbox.journal.subscribeMarks(({ kind }) => heard.push(kind))
    changes[by]?.()
    expect(sandbox.journal.marks().map(({ kind }) => kind)).toEqual(kinds)
    expect(heard).toEqual(kinds)
  })

  it.each(['resume', 'freeze'] as const)('name no move of a clock that runs: clock.%s', (name) => {
    let time = Date.now()
    const spy = vi.spyOn(Date, 'now').mockImplementation(() => ++time)
    onTestFinished(() => spy.mockRestore())
    const sandbox = frozenSandbox({ clock: { mode: 'scaled', scale: 2 } })
    sandbox.clock[name]()
    expect(sandbox.journal.marks().map(({ kind }) => kind)).toEqual(['clock-mode'])
  })

  it('name the test that began, and no key', () => {
    const sandbox = frozenSandbox()
    sandbox.journal.mark({ kind: 'test-began', name: 'lists with free-key' })
    expect(sandbox.journal.marks()).toEqual([
      { order: 1, at: '2026-01-01T00:00:00Z', kind: 'test-began', name: 'lists with free…' },
    ])
  })

  it('are kept up to a bound, the latest ones', () => {
    const sandbox = frozenSandbox()
    for (let count = 0; count < 2_500; count++) sandbox.clock.advance('1s')
    const orders = sandbox.journal.marks().map(({ order }) => order)
    expect(orders).toEqual(Array.from({ length: 1_000 }, (_, index) => 1_501 + index))
  })

  it('are in a snapshot where they stand between exchanges', async () => {
    const sandbox = frozenSandbox()
    sandbox.clock.advance('1s')
    await sandbox.handle(requestOf({}))
    sandbox.clock.advance('1s')
    await sandbox.handle(requestOf({}))
    sandbox.clock.advance('1s')
    const restored = frozenSandbox()
    restored.restore(JSON.parse(JSON.stringify(sandbox.snapshot())))
    expect(restored.journal.marks()).toMatchObject([
      { order: 4, kind: 'clock-moved' },
      { kind: 'restored' },
    ])
  })
})
