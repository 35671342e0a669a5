import type { Sandbox } from '../../sandbox.ts'

/** Ends what waits for a sandbox's answers, and lets nothing wait again; hooks that run later still find the journal. */
export function dropSandbox(sandbox: Sandbox): void {
  sandbox.reset({ only: ['clock', 'faults'] })
}
