import { startTimer } from '../../contract/real-time.ts'

/** The parts of a server that the first request of their kind loads. */
const lateParts: readonly (() => Promise<unknown>)[] = [
  () => import('../../audit/auditor.ts'),
  () => import('../../contract/openapi/openapi.ts'),
  () => import('../../control/http/handle-control.ts'),
  () => import('../../coverage/coverage.ts'),
  () => import('../../sandbox-replays.ts'),
  () => import('../../seed/generate-pets.ts'),
]

/** The delay after which they are loaded in any case, so that they don't slow down a start. */
const delayMs = 1_000

/** Loads them while nothing happens, so that a new build of the package doesn't break a running server. */
export function loadLateParts(): void {
  startTimer(() => {
    // What can't be loaded now fails where it is used.
    for (const load of lateParts) void load().catch(() => {})
  }, delayMs).unref()
}
