import { withChoices } from '../../contract/gap-settings.ts'
import { defaultGaps } from '../../contract/gaps.ts'
import type { ReadCapture } from '../../control/reports/capture-file.ts'
import { callControl } from '../../explore/call-control.ts'
import { stepOf } from '../../explore/capture/capture-world.ts'
import { type HowToReplay, isLast } from '../../explore/capture/replay-capture.ts'
import type { Step } from '../../explore/step-record.ts'
import { TriedChoices } from '../../explore/tried-choices.ts'
import { InputError } from '../../input/input-error.ts'
import { definedOf } from '../../input/record.ts'
import { type Sandbox, sandboxOf } from '../../sandbox.ts'
import { PastVisit } from '../../state/exchange.ts'
import { defaultJournalSize, type Happening, inOrder } from '../../state/journal.ts'
import { SharedMemory, sandboxLimits } from '../../state/limits.ts'

/** A sandbox to which was done what a capture has. */
export interface PlayedSandbox {
  readonly sandbox: Sandbox
  /** How many requests it has answered. */
  readonly exchanges: number
}

/**
 * Makes a sandbox, and does to it what a capture has; its clock then stands still at the last step. Its clients are judged
 * by all that they did, over resets, too.
 *
 * @throws {@link InputError} for a control that no capture has.
 */
export async function playedSandbox(
  { begin, steps, marks }: ReadCapture,
  { until, other = {} }: HowToReplay,
): Promise<PlayedSandbox> {
  const begun = begin.gaps === undefined ? defaultGaps : withChoices(begin.gaps)
  const { limits = sandboxLimits.read({}), seed } = begin
  const past: Happening[] = []
  /** Where what the capture has ends. */
  let end = Number.POSITIVE_INFINITY
  const isLater = (one: Happening): boolean =>
    ('mark' in one ? one.mark.order : one.exchange.visit.startOrder) > end
  const sandbox = sandboxOf(
    {
      ...begin,
      limits,
      seed: { pets: [], keys: [], ...definedOf(seed ?? {}) },
      gaps: { ...begun, ...other },
      clock: { now: steps[0]?.at ?? 0, mode: 'frozen', scale: 1 },
      journalSize: Math.max(defaultJournalSize, steps.length),
    },
    new SharedMemory(begin.limits),
    { past: () => [...inOrder(past), ...sandbox.state().journal.past().filter(isLater)] },
  )
  sandbox.state().journal.watch((happening) => {
    const isOver = end < Number.POSITIVE_INFINITY
    if (!isOver && (marks === undefined || 'exchange' in happening)) past.push(happening)
  })
  const tried = new TriedChoices(other, begun)
  let exchanges = 0
  let order = 0
  for (const step of steps) {
    const taken = stepOf(step)
    // The clock stands still, and is not moved: what moved it then has left its mark.
    sandbox.state().clock.set(tried.timeOf(taken))
    await take(sandbox, taken, tried)
    if (step.do === 'request') {
      exchanges++
      order = Math.max(order, step.visit?.answered?.order ?? step.visit?.received.order ?? 0)
    }
    if (isLast(step, until)) break
  }
  if (marks !== undefined) {
    const made = until === undefined ? marks : marks.filter((mark) => mark.order < order)
    past.push(...made.map((mark) => ({ mark })))
    const { journal } = sandbox.state()
    const begunAnew = made.findLast(({ kind }) => kind === 'reset' || kind === 'restored')
    journal.marks.restore(made.filter((mark) => mark.order >= (begunAnew?.order ?? 0)))
    journal.goOnFrom(Math.max(order, made.at(-1)?.order ?? 0))
  }
  end = sandbox.state().journal.lastOrder
  return { sandbox, exchanges }
}

async function take(sandbox: Sandbox, step: Step, tried: TriedChoices): Promise<void> {
  if (step.kind === 'request') {
    sandbox.state().journal.numberNext(step.number)
    const owner = new AbortController()
    const visit = step.visit && new PastVisit(step.visit)
    const answered = sandbox.handle(step.request, owner.signal, visit)
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
    sandbox.state().clock.freeze()
  }
  const again = tried.after(step, sandbox.state().gaps)
  if (Object.keys(again).length > 0) sandbox.setGaps(again)
}
