/** The parts of a server that the first request of their kind needs. */
const lateParts: readonly (() => Promise<unknown>)[] = [
  () => import('../audit/auditor.ts'),
  () => import('../contract/openapi/openapi.ts'),
  () => import('../control/http/handle-control.ts'),
  () => import('../coverage/coverage.ts'),
  () => import('../sandbox-replays.ts'),
]

/** Loads them one after the other, so that a new build of the package doesn't break a running server. */
export async function loadLateParts(): Promise<void> {
  for (const load of lateParts) {
    // A part that can't be loaded fails where it is used.
    await load().catch(() => {})
  }
}
