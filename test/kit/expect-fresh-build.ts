import { staleReason } from '../../build/stale-reason.ts'

/**
 * Checks that the built package is that of these sources; tests of the program or of an entry call it first.
 *
 * @throws Error when `dist/` is missing, or older than a source file.
 */
export function expectFreshBuild(): void {
  const reason = staleReason()
  if (reason === undefined) return
  throw new Error(`Cannot test the package: ${reason}; run "npm run build"`)
}
