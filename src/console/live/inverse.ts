import { type ControlStep, runStep } from '../../mock/api/control-step.ts'
import { isRecord } from '../../mock/input/record.ts'
import type { ConsoleClient } from './console-client.ts'

/** Reads the state before a call, and returns a function from the result of the call to the steps that undo it. */
type Inverse = (
  client: ConsoleClient,
  ...args: readonly unknown[]
) => Promise<(result: unknown) => readonly ControlStep[]>

function step(control: string, ...args: readonly unknown[]): ControlStep {
  return { control, args }
}

/** Restores the whole state, and with it what clients have done since: only for controls that replace it, too. */
const wholeState: Inverse = async (client) => {
  const snapshot = await client.snapshot()
  return () => [step('restore', snapshot)]
}

const clockBack: Inverse = async ({ clock }) => {
  const { now, mode, speed } = await clock.read()
  if (mode === 'system') return () => [step('clock.useSystemTime')]
  return () => [step('clock.update', { set: now, mode, ...(mode === 'scaled' ? { speed } : {}) })]
}

type KeyView = Awaited<ReturnType<ConsoleClient['keys']['get']>>

/** Returns the change that gives a key the state that it had, without its plan. */
function stateOf({ expiresAt, state, bannedUntil, minute, day }: KeyView, now: string) {
  const leftMs = Date.parse(bannedUntil ?? '') - Date.parse(now)
  return {
    expiresAt: expiresAt ?? null,
    revoked: state === 'revoked',
    remaining: { minute: minute.remaining, day: day.remaining },
    ...(leftMs > 0 ? { ban: leftMs } : { unban: true }),
  }
}

const keyBack: Inverse = async ({ keys, clock }, key) => {
  const was = await keys.get(String(key))
  const { now } = await clock.read()
  const { plan, limits } = was
  return () => [step('keys.update', key, { plan, limits, ...stateOf(was, now) })]
}

const faultsBack: Inverse = async ({ faults }, wanted) => {
  const were = (await faults.list()).filter(({ id }) => wanted === undefined || id === wanted)
  const waiting = were.flatMap(({ id: _, matched: _1, applied, ...fault }) => {
    // What it was applied to stays so.
    const left = typeof fault.times === 'number' ? fault.times - applied : fault.times
    return left === 0 ? [] : [{ ...fault, times: left }]
  })
  return () => waiting.map((fault) => step('faults.add', fault))
}

function idsIn(result: unknown): readonly unknown[] {
  return [result].flat().flatMap((one) => (isRecord(one) ? [one.id] : []))
}

/** Controls that can be undone. */
const inverses: Readonly<Record<string, Inverse>> = {
  reset: wholeState,
  restore: wholeState,
  'clock.advance': clockBack,
  'clock.set': clockBack,
  'clock.useSystemTime': clockBack,
  'keys.ban': keyBack,
  'keys.revoke': keyBack,
  'keys.update': keyBack,
  'keys.setRemaining': keyBack,
  'keys.issue': async () => (issued) => (isRecord(issued) ? [step('keys.delete', issued.key)] : []),
  async 'keys.delete'({ keys, clock }, key) {
    const was = await keys.get(String(key))
    const { now } = await clock.read()
    const { plan, limits } = was
    return () => [
      step('keys.issue', { key, plan, limits }),
      step('keys.update', key, stateOf(was, now)),
    ]
  },
  'pets.create': async () => (created) => idsIn(created).map((id) => step('pets.delete', id)),
  async 'pets.delete'({ pets }, id) {
    const was = await pets.get(String(id))
    return () => [step('pets.create', was)]
  },
  async 'pets.clear'({ pets }) {
    const were = await pets.list()
    return () => [step('pets.create', were)]
  },
  'faults.add': async () => (added) => idsIn(added).map((id) => step('faults.remove', id)),
  'faults.remove': faultsBack,
  'faults.clear': faultsBack,
  async setGaps(client, settings) {
    const names = Object.keys(isRecord(settings) ? settings : {})
    const were = Object.entries(await client.gaps()).filter(([name]) => names.includes(name))
    return () => [step('setGaps', Object.fromEntries(were))]
  },
  async setRateLimits(client) {
    const { rateLimits } = await client.status()
    return () => [step('setRateLimits', rateLimits)]
  },
}

/**
 * Calls the controls of steps one after the other.
 *
 * @returns Steps that undo them, the last one first, and leave alone what clients have done since; empty if a step can't
 *   be undone.
 */
export async function runUndoable(
  client: ConsoleClient,
  steps: readonly ControlStep[],
): Promise<readonly ControlStep[]> {
  const undone: (readonly ControlStep[])[] = []
  let canUndo = true
  for (const one of steps) {
    const inverse = await inverses[one.control]?.(client, ...one.args)
    const result = await runStep(client, one)
    if (inverse === undefined) canUndo = false
    else undone.unshift(inverse(result))
  }
  return canUndo ? undone.flat() : []
}

/** Calls the controls of steps one after the other. */
export async function runAll(client: ConsoleClient, steps: readonly ControlStep[]): Promise<void> {
  for (const one of steps) await runStep(client, one)
}
