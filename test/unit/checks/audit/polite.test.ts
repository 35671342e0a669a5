import fc from 'fast-check'
import { describe, it, onTestFinished, vi } from 'vitest'
import { createFetchHandler } from '../../../../src/adapters/fetch.ts'
import { inProcess, movingOn, sendDirectly } from '../../../kit/client-adapters.ts'
import { draws } from '../../../kit/draws.ts'
import { sendByFetch } from '../../../kit/fetch-adapter.ts'
import { frozenSandbox, startAt } from '../../../kit/frozen-sandbox.ts'
import { type ClientTime, movedTime, sharedTime } from '../../../kit/polite-client.ts'
import { anyScene, expectNoComplaint, optionsOf, play } from '../../../kit/polite-scenes.ts'
import { metIn, Sometimes } from '../../../kit/sometimes.ts'

/** The clock of a sandbox whose client waits by timers: it follows them, is moved with them, or stands still. */
const anyClock = fc.constantFrom('system', 'moved', 'stands')

describe('a polite client', { timeout: 3_600_000 }, () => {
  it('gets no error and no warning: direct, waiting by the clock that it moves', async () => {
    const sometimes = new Sometimes(
      ...(['a rate limit', 'a sliding window', 'a cut body', 'a lost response'] as const),
      ...(['a reset', 'a restored snapshot', 'a clock that goes back'] as const),
    )
    await fc.assert(
      fc.asyncProperty(anyScene, async (scene) => {
        const sandbox = frozenSandbox(optionsOf(scene))
        await sandbox.findings()
        const send = movingOn(sandbox, sendDirectly(sandbox))
        const time = scene.manner === 'one by one' ? movedTime(sandbox) : sharedTime(sandbox)
        await play(scene, sandbox, { ...inProcess(send, time), canWait: true })
        await expectNoComplaint(sandbox)
        const happened = (name: string): boolean => scene.tasks.some(({ event }) => event === name)
        sometimes.meet({
          ...metIn(sandbox),
          'a reset': happened('reset'),
          'a restored snapshot': happened('restore'),
          'a clock that goes back': happened('clock back'),
        })
      }),
      { numRuns: draws(400) },
    )
    sometimes.expectAllMet()
  })

  it('gets no error and no warning: direct, on a clock that runs fast', async () => {
    const sometimes = new Sometimes('a rate limit')
    await fc.assert(
      fc.asyncProperty(anyScene, async (scene) => {
        const sandbox = frozenSandbox({
          ...optionsOf(scene),
          clock: { now: startAt, mode: 'scaled', speed: 1_000_000 },
        })
        const { clock } = sandbox
        const time: ClientTime = {
          now: () => clock.now(),
          async sleep(ms) {
            const until = clock.now() + ms
            while (clock.now() < until) await new Promise(setImmediate)
          },
        }
        const stage = inProcess(sendDirectly(sandbox), time)
        await play(scene, sandbox, { ...stage, canWait: true })
        await expectNoComplaint(sandbox)
        sometimes.meet(metIn(sandbox))
      }),
      { numRuns: draws(20) },
    )
    sometimes.expectAllMet()
  })

  it('gets no error and no warning: Fetch, waiting by faked timers', async () => {
    vi.useFakeTimers({ now: startAt, toFake: ['Date', 'setTimeout', 'clearTimeout'] })
    onTestFinished(() => {
      vi.useRealTimers()
    })
    const sometimes = new Sometimes('a rate limit', 'a lost response')
    await fc.assert(
      fc.asyncProperty(anyScene, anyClock, async (scene, kind) => {
        const followsSystem = kind === 'system'
        const clock = followsSystem
          ? ({ mode: 'system' } as const)
          : ({ mode: 'frozen', now: startAt } as const)
        const sandbox = frozenSandbox({ ...optionsOf(scene), clock })
        const isFixed = scene.tasks.some(({ event }) => event.startsWith('clock'))
        fc.pre(!isFixed)
        const time: ClientTime = {
          ...(kind === 'stands' ? { isOwn: true } : {}),
          now: () => (kind === 'moved' ? sandbox.clock.now() : Date.now()),
          sleep: (ms) =>
            new Promise((resolve) => {
              setTimeout(() => {
                if (kind === 'moved') sandbox.clock.advance(Math.ceil(ms))
                resolve()
              }, Math.ceil(ms))
            }),
        }
        const playing = play(
          scene,
          sandbox,
          inProcess(sendByFetch(createFetchHandler(sandbox)), time),
        )
        let isOver = false
        const over = playing.finally(() => {
          isOver = true
        })
        while (!isOver) {
          await vi.advanceTimersByTimeAsync(1_000)
          await new Promise(setImmediate)
          if (vi.getTimerCount() > 0) await vi.advanceTimersToNextTimerAsync()
        }
        await over
        await expectNoComplaint(sandbox)
        sometimes.meet(metIn(sandbox))
      }),
      { numRuns: draws(20) },
    )
    sometimes.expectAllMet()
  })
})
