import type { Sandbox } from '../../src/sandbox.ts'

/** All that a sandbox remembers, but for when its clock was set, which says nothing of one that stands still. */
export function stateOf(sandbox: Sandbox): unknown {
  const { clock, ...rest } = sandbox.snapshot()
  return { ...rest, clock: { ...(clock as object), anchorAt: 0 } }
}
