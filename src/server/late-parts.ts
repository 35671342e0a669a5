import { loadAuditor } from '../mock/controls/audit.ts'
import { sandboxParts } from '../mock/sandbox.ts'
import { loadOpenApi } from '../mock/spec/openapi/load-openapi.ts'

/** The parts of a server that the first request of their kind needs. */
const lateParts: readonly (() => Promise<unknown>)[] = [
  ...Object.values(sandboxParts),
  loadAuditor,
  loadOpenApi,
]

/**
 * Loads them one after the other, so that a new build of the package doesn't break a running server. Each is loaded by the
 * function that loads it later, too: Node looks again for a file that another module imports.
 */
export async function loadLateParts(): Promise<void> {
  for (const load of lateParts) {
    // A part that can't be loaded fails where it is used.
    await load().catch(() => {})
  }
}
