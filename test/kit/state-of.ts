import type { Sandbox } from '../../src/sandbox.ts'
import type { Snapshot } from '../../src/state/snapshot.ts'

/** All that a sandbox remembers, but for when its clock was set, which says nothing of one that stands still. */
export function stateOf(sandbox: Sandbox): unknown {
  return withoutAnchor(sandbox.snapshot())
}

/** The {@link stateOf} the sandbox of a server, in this process or another. */
export async function servedStateOf(sandbox: Sandbox): Promise<unknown> {
  return withoutAnchor(await sandbox.snapshot())
}

function withoutAnchor({ clock, ...rest }: Snapshot): unknown {
  return { ...rest, clock: { ...(clock as object), anchorAt: 0 } }
}
