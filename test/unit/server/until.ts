import { setImmediate } from 'node:timers/promises'

/** Lets the event loop turn until something is so; the test's own time limit ends what never is. */
export async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isSo())) await setImmediate()
}
