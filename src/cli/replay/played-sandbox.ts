import { withChoices } from '../../contract/gap-settings.ts'
import { defaultGaps } from '../../contract/gaps.ts'
import { captureFile, type ReadCapture } from '../../control/reports/capture-file.ts'
import { callControl } from '../../explore/call-control.ts'
import { stepOf } from '../../explore/capture/capture-world.ts'
import { type HowToReplay, isLast } from '../../explore/capture/replay-capture.ts'
import type { Step } from '../../explore/stretch.ts'
import { TriedChoices } from '../../explore/tried-choices.ts'
import { InputError } from '../../input/input-error.ts'
import { createSandbox, type Sandbox } from '../../sandbox.ts'

/** A sandbox to which was done what a capture has. */
export interface PlayedSandbox {
  readonly sandbox: Sandbox
  /** How many requests it has answered. */
  readonly exchanges: number
}

/**
 * Makes a sandbox, and does to it what a capture has; its clock then stands still at the last step.
 *
 * @throws {@link InputError} for a control that no capture has.
 */
export async function playedSandbox(
  capture: ReadCapture,
  { until, other = {} }: HowToReplay,
): Promise<PlayedSandbox> {
  const { begin } = captureFile.write(capture)
  const { seed, gaps } = begin
  const sandbox = createSandbox({
    ...begin,
    seed: { pets: [], keys: [], ...seed },
    gaps: { ...gaps, ...other },
    clock: { now: capture.steps[0]?.at ?? 0, mode: 'frozen' },
  })
  const tried = new TriedChoices(
    other,
    capture.begin.gaps === undefined ? defaultGaps : withChoices(capture.begin.gaps),
  )
  let exchanges = 0
  for (const step of capture.steps) {
    const taken = stepOf(step)
    const at = tried.timeOf(taken)
    if (sandbox.clock.now() !== at) sandbox.clock.set(at)
    await take(sandbox, taken, tried)
    if (step.do === 'request') exchanges++
    if (isLast(step, until)) break
  }
  return { sandbox, exchanges }
}

async function take(sandbox: Sandbox, step: Step, tried: TriedChoices): Promise<void> {
  if (step.kind === 'request') {
    sandbox.state().journal.numberNext(step.number)
    const owner = new AbortController()
    const answered = sandbox.handle(step.request, owner.signal)
    // What is not answered by then waits for a clock that stands still.
    await Promise.race([answered, new Promise((resolve) => setImmediate(resolve))])
    owner.abort()
    await answered
    return
  }
  if (!step.name.startsWith('clock.')) {
    try {
      callControl(sandbox, step.name, step.given)
    } catch (thrown) {
      // What a control is about may not be there under another choice.
      if (!(thrown instanceof InputError)) throw thrown
    }
    sandbox.clock.freeze()
  }
  const again = tried.after(step, sandbox.state().gaps)
  if (Object.keys(again).length > 0) sandbox.setGaps(again)
}
