import type { Finding } from '../../checks/audit/finding.ts'
import type { RequestView } from '../../client/connect-sandbox.ts'
import type { SandboxClient } from '../../client/sandbox-client.ts'
import type { UnderWayView } from '../../mock/controls/under-way.ts'

/** What a sandbox tells while it is followed. */
export type ConsoleEvent =
  | { readonly kind: 'request'; readonly entry: RequestView }
  /** The requests that wait for their response. */
  | { readonly kind: 'under-way'; readonly requests: UnderWayView['requests'] }
  /** What was changed or found has to be asked for. */
  | { readonly kind: 'changed' }
  /** The journal is another one, or exchanges are missing: all has to be asked for. */
  | { readonly kind: 'lost' }
  /** It is listened to from now on; what came before has to be asked for. */
  | { readonly kind: 'live' }
  /** Nothing is heard for now. */
  | { readonly kind: 'waiting' }
  /** It can't be followed. */
  | { readonly kind: 'refused'; readonly error: unknown }

/** What a mark of this kind means for who follows. */
export function eventOfMark(kind: string): ConsoleEvent {
  return { kind: kind === 'reset' || kind === 'restored' ? 'lost' : 'changed' }
}

/** What only a process has. */
type ProcessOnly = 'index' | 'openapi' | 'controlOpenapi' | 'sandboxes' | 'save'

/**
 * A sandbox as the console sees it: its controls, asynchronous, and what happens to it. All components use this alone,
 * so that they serve a sandbox over HTTP and one in the same page alike.
 */
export type ConsoleClient = Omit<SandboxClient, 'events' | ProcessOnly> & {
  /** Returns what was found so far; unlike `findings()`, it asks for no verdict where nobody has asked for one yet. */
  foundSoFar(): Promise<readonly Finding[]>
  /** Tells what happens from now on, until the signal aborts. */
  follow(hear: (event: ConsoleEvent) => void, signal: AbortSignal): void
}
