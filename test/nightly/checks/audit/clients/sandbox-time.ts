import { AsyncLocalStorage } from 'node:async_hooks'
import { vi } from 'vitest'
import type { Sandbox } from '../../../../../src/sandbox/sandbox.ts'

/** What a client's waits move on, and what it takes for the time. */
type Clock = Sandbox['clock']

/** How long a wait takes at most, in real milliseconds: long enough for the audit to see that there was one. */
const maxRealMs = 300

/** In so many turns of the event loop a request to this process has its response, and its time limit has ended. */
const quietTurns = 50

/** The longest delay of Node's timers: with more, or with none that is a number, they end after a millisecond. */
const longestMs = 2 ** 31 - 1

/** Runs what a client does in the time of a sandbox. */
export interface SandboxTime {
  run(clock: Clock, act: () => Promise<unknown>): Promise<unknown>
}

/**
 * Replaces timers and the time for clients in this process while `use` runs: each lives in the time of its own sandbox,
 * which goes on by what the client waits for.
 */
export async function withSandboxTime<Result>(
  use: (time: SandboxTime) => Promise<Result>,
): Promise<Result> {
  const clocks = new AsyncLocalStorage<Clock>()
  const { setTimeout: start, clearTimeout: clear, Date: RealDate } = globalThis
  const realNow = RealDate.now
  const cleared = new WeakSet<object>()
  vi.stubGlobal('setTimeout', (act: (...args: unknown[]) => void, ms = 1, ...args: unknown[]) => {
    const clock = clocks.getStore()
    if (clock === undefined || !(ms >= maxRealMs && ms <= longestMs)) return start(act, ms, ...args)
    const end = (): void => {
      cleared.add(timer)
      clear(timer)
      // A timer that keeps no process alive is no wait.
      if (timer.hasRef()) clock.advance(Math.ceil(ms))
      act(...args)
    }
    const timer = start(end, ms)
    start(async () => {
      for (let turn = 0; turn < quietTurns; turn++) await new Promise(setImmediate)
      if (timer.hasRef() && !cleared.has(timer)) end()
    }, maxRealMs)
    return timer
  })
  vi.stubGlobal('clearTimeout', (timer: NodeJS.Timeout | undefined) => {
    if (typeof timer === 'object') cleared.add(timer)
    clear(timer)
  })
  const spies = [
    vi.spyOn(RealDate, 'now').mockImplementation(() => clocks.getStore()?.now() ?? realNow()),
    // Of the jitter of clients.
    vi.spyOn(Math, 'random').mockReturnValue(0),
  ]
  try {
    return await use({ run: (clock, act) => clocks.run(clock, act) })
  } finally {
    vi.unstubAllGlobals()
    for (const spy of spies) spy.mockRestore()
  }
}
