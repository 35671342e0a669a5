import { openApiDocument } from '../mock/api/openapi.ts'
import { loadAuditor, loadCoverage } from '../sandbox/controls/audit.ts'
import { sandboxParts } from '../sandbox/sandbox.ts'

/** Parts of a server that are loaded only by the first request that needs them. */
const lateParts: readonly (() => Promise<unknown>)[] = [
  ...Object.values(sandboxParts),
  loadAuditor,
  loadCoverage,
  openApiDocument,
]

/**
 * Loads all late parts in turn, so that a new build of the package doesn't break a running server. Requests that arrive
 * meanwhile get their responses between two parts. The functions are those that load the parts later, since Node looks
 * up a file again for each importing module.
 */
export async function loadLateParts(): Promise<void> {
  for (const load of lateParts) {
    await new Promise((resolve) => setImmediate(resolve))
    // A part that can't be loaded fails when it is used.
    await load().catch(() => {})
  }
}
