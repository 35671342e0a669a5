import type { Sandbox } from '../../src/sandbox/sandbox.ts'
import { without } from './without-real-time.ts'

/**
 * All that a sandbox remembers, but for when its clock was set, which says nothing of one that stands still, and for
 * where its requests stand among all that has happened to it.
 */
export function stateOf(sandbox: Sandbox): unknown {
  const { clock, requests, ...rest } = sandbox.snapshot()
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
