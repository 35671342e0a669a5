import { parseJson } from '../../mock/api/json.ts'
import { playedSandbox, readCaptureJson, requestNumbers } from '../../sandbox/played-sandbox.ts'
import { stepsUntil } from '../../sandbox/replay/replay-capture.ts'
import { vitestForm } from '../../sandbox/replay/vitest-form.ts'
import type { Sandbox } from '../../sandbox/sandbox.ts'
import type { ConsoleClient } from '../live/console-client.ts'
import { pageClient } from '../panel/page-client.ts'
import { ShownSandbox } from '../panel/shown-sandbox.ts'
import { changesOfStep, type StepState, stepStateOf } from './step-changes.ts'

/** A capture that can be shown after each of its requests. */
export interface CapturedRun {
  readonly name: string
  readonly steps: readonly number[]
  /** The sandbox that is shown. */
  readonly shown: ShownSandbox
  /** Controls of the sandbox that is shown, with the requests of the whole run. */
  readonly client: ConsoleClient
  /** Shows the state after a request; resolves to its changes. */
  show(step: number): Promise<readonly string[]>
  testUntil(step: number): string
}

/**
 * Reads a capture, and replays it to its end.
 *
 * @throws Error with one sentence for a text that isn't a capture.
 */
export async function openRun(name: string, text: string): Promise<CapturedRun> {
  const capture = readCaptureJson(jsonOf(name, text))
  const steps = requestNumbers(capture)
  const { sandbox: whole } = await playedSandbox(capture)
  const shown = new ShownSandbox(whole)
  shown.startChecks()
  // The last state is known; each other one is replayed.
  const states = new Map<number, StepState>()
  const sandboxAt = async (step: number): Promise<Sandbox> => {
    const { sandbox } = await playedSandbox(capture, { until: step })
    states.set(step, stepStateOf(sandbox))
    return sandbox
  }
  const stateAt = async (step: number): Promise<StepState> =>
    states.get(step) ?? stepStateOf(await sandboxAt(step))
  return {
    name,
    steps,
    shown,
    client: { ...pageClient(shown), ...wholeOf(pageClient(new ShownSandbox(whole))) },
    async show(step) {
      shown.replace(await sandboxAt(step))
      const before = steps[steps.indexOf(step) - 1]
      if (before === undefined) return []
      return changesOfStep(await stateAt(before), await stateAt(step))
    },
    testUntil: (step) => vitestForm({ ...capture, steps: stepsUntil(capture.steps, step) }),
  }
}

/** Controls that are about the whole run, whatever step is shown. */
function wholeOf({ requests, whatIf, capture, coverage }: ConsoleClient) {
  return { requests, whatIf, capture, coverage }
}

function jsonOf(name: string, text: string): unknown {
  try {
    return parseJson(text)
  } catch {
    throw new TypeError(`Cannot read ${name}: it is not valid JSON`)
  }
}
