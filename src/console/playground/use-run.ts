import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import type { RequestView } from '../../client/connect-sandbox.ts'
import { parseJson } from '../../mock/api/json.ts'
import { startTimer, stopTimer } from '../../mock/api/real-time.ts'
import type { ReadCapture } from '../../sandbox/controls/reports.ts'
import { playedSandbox, readCaptureJson, requestNumbers } from '../../sandbox/played-sandbox.ts'
import { Throttle } from '../live/throttle.ts'
import { goByAddress, linkTo, routeInAddress } from '../model/route.ts'
import type { ShownSandbox } from '../panel/shown-sandbox.ts'

/** A capture, at one of its requests. */
export interface OpenRun {
  readonly name: string
  readonly capture: ReadCapture
  /** Numbers of its requests. */
  readonly steps: readonly number[]
  /** Number of the request; `undefined` if there is none. */
  readonly step: number | undefined
  /** The request that the sandbox shows. */
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
    const { capture, step } = next
    const { sandbox } = await playedSandbox(capture, { until: step })
    shown.replace(sandbox)
    const entry = step === undefined ? undefined : sandbox.requests.get(step)
    // The user may have moved on since.
    const { current } = latest
    show({ ...next, step: current?.capture === capture ? current.step : step, entry })
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
    /** @throws Error with one sentence for a file that isn't a capture. */
    async open(name: string, text: string): Promise<void> {
      const capture = readCaptureJson(jsonOf(name, text))
      const steps = requestNumbers(capture)
      const step = steps.at(-1)
      await play({ name, capture, steps, step, entry: undefined, isTakenOver: false })
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
