import type { Snapshot } from '../../src/mock/state/state.ts'
import type { Sandbox } from '../../src/sandbox/sandbox.ts'
import { without } from './without-real-time.ts'

/**
 * All that a sandbox remembers, but for when its clock was set, which says nothing of one that stands still, and for
 * where its requests stand among all that has happened to it.
 */
export function stateOf(sandbox: Sandbox): unknown {
  return withoutAnchor(sandbox.snapshot())
}

/** The {@link stateOf} the sandbox of a server, in this process or another. */
export async function servedStateOf(sandbox: Sandbox): Promise<unknown> {
  return withoutAnchor(await sandbox.snapshot())
}

function withoutAnchor({ clock, requests, ...rest }: Snapshot): unknown {
  const clockState = { ...(clock as object), anchorAt: 0 }
  return { ...rest, clock: clockState, requests: without(requests, placeInHistory) }
}

const placeInHistory = [
  'id',
  'lastId',
  'receivedMs',
  'endedMs',
  'sequence',
  'client',
  'changes',
  'order',
]
