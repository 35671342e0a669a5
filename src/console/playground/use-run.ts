import { useMemo, useRef, useState } from 'preact/hooks'
import type { ShownRun } from '../live/console-context.ts'
import { Throttle } from '../live/throttle.ts'
import { goByAddress, linkTo } from '../model/route.ts'
import { type CapturedRun, openRun } from './open-run.ts'

/** A run that is open, at one of its requests. */
interface Opened {
  readonly run: CapturedRun
  readonly step: number | undefined
  readonly changes: readonly string[]
}

/** Returns the run that is open, if any, and functions to open it, to go through it and to close it. */
export function useRun() {
  const [opened, setOpened] = useState<Opened | undefined>(undefined)
  const latest = useRef(opened)
  const show = (next: Opened | undefined): void => {
    latest.current = next
    setOpened(next)
  }
  const moves = useMemo(() => {
    return new Throttle(0, async () => {
      const { run, step } = latest.current ?? {}
      if (run === undefined || step === undefined) return
      const changes = await run.show(step)
      // The user may have moved on since.
      if (latest.current?.run === run && latest.current.step === step) show({ run, step, changes })
    })
  }, [])
  return {
    opened,
    /** @throws Error with one sentence for a text that isn't a capture. */
    async open(name: string, text: string): Promise<void> {
      const run = await openRun(name, text)
      const step = run.steps.at(-1)
      show({ run, step, changes: [] })
      goByAddress(linkTo('requests', step === undefined ? [] : [step]), 'replace')
      await moves.now()
    },
    moveTo(step: number): void {
      if (latest.current === undefined || latest.current.step === step) return
      show({ ...latest.current, step, changes: [] })
      void moves.now()
    },
    close(): void {
      show(undefined)
      goByAddress(linkTo('requests'), 'replace')
    },
  }
}

/** Returns a run as the console shows it. */
export function shownRunOf(
  { moveTo, close }: Pick<ReturnType<typeof useRun>, 'moveTo' | 'close'>,
  { run, step, changes }: Opened,
): ShownRun {
  const { name, steps, testUntil } = run
  return { name, steps, step, changes, moveTo, testUntil, close }
}
