import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import type { RequestView } from '../../client/connect-sandbox.ts'
import { parseJson } from '../../mock/api/json.ts'
import { startTimer, stopTimer } from '../../mock/api/real-time.ts'
import { type Run, readRun, sandboxAt, stepsOf } from '../../sandbox/sandbox-runs.ts'
import { Throttle } from '../live/throttle.ts'
import { goByAddress, linkTo, routeInAddress } from '../model/route.ts'
import type { ShownSandbox } from '../panel/shown-sandbox.ts'

/** A run from a file, at one of its steps. */
export interface OpenRun {
  readonly name: string
  readonly run: Run
  readonly steps: readonly number[]
  /** Number of the step; `undefined` if the run has no steps. */
  readonly step: number | undefined
  /** The request of the step that the sandbox shows; a report has no requests. */
  readonly entry: RequestView | undefined
  /** Whether the user has continued from the step. */
  readonly isTakenOver: boolean
}

/** Returns the run in the page, if any, and functions to open it, to go through it, and to continue from a step. */
export function useRun(shown: ShownSandbox) {
  const [opened, setOpened] = useState<OpenRun | undefined>(undefined)
  const latest = useRef(opened)
  const show = (next: OpenRun | undefined): void => {
    latest.current = next
    setOpened(next)
  }
  /** Brings the sandbox to the step of a run. */
  const play = async (next: OpenRun): Promise<void> => {
    const { run, step } = next
    const sandbox = await sandboxAt(run, step)
    shown.replace(sandbox)
    const hasEntry = run.kind !== 'report' && step !== undefined
    const entry = hasEntry ? sandbox.requests.get(step) : undefined
    // The user may have moved on since.
    show({ ...next, step: latest.current?.run === run ? latest.current.step : step, entry })
    const { place, path, query } = routeInAddress()
    // Open details follow the step.
    if (place === 'requests' && path.length > 0 && entry !== undefined) {
      goByAddress(linkTo('requests', [entry.id], query), 'replace')
    }
  }
  const moves = useMemo(() => {
    return new Throttle(0, async () => latest.current && (await play(latest.current)))
  }, [shown])
  return {
    opened,
    /** @throws Error with one sentence for a file that is no run. */
    async open(name: string, text: string): Promise<void> {
      const run = readRun(jsonOf(name, text))
      const steps = stepsOf(run)
      await play({ name, run, steps, step: steps.at(-1), entry: undefined, isTakenOver: false })
    },
    moveTo(step: number | undefined): Promise<void> {
      const { current } = latest
      if (current !== undefined) show({ ...current, step, isTakenOver: false })
      return moves.now()
    },
    takeOver: () => latest.current && show({ ...latest.current, isTakenOver: true }),
    close: () => show(undefined),
  }
}

function jsonOf(name: string, text: string): unknown {
  try {
    return parseJson(text)
  } catch {
    throw new TypeError(`Cannot read ${name}: it is not valid JSON`)
  }
}

/** Time for which a sandbox must be shown before its findings are computed, in milliseconds. */
const settledMs = 120

/** Starts the checks of each sandbox that is shown, by a first call of `findings()`. */
export function useFindings(shown: ShownSandbox): void {
  useEffect(() => {
    const leave = new AbortController()
    let timer: ReturnType<typeof startTimer> | undefined
    const watch = (): void => {
      stopTimer(timer)
      timer = startTimer(() => void shown.current.findings(), settledMs)
    }
    shown.onReplace(watch, leave.signal)
    watch()
    return () => {
      stopTimer(timer)
      leave.abort()
    }
  }, [shown])
}
