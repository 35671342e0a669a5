import type { Finding } from '../../checks/audit/finding.ts'
import type { RequestView } from '../../client/connect-sandbox.ts'
import type { Later, SandboxClient } from '../../client/sandbox-client.ts'
import type { FaultControls } from '../../sandbox/controls/faults.ts'
import type { PetControls } from '../../sandbox/controls/pets.ts'
import type { UnderWayView } from '../../sandbox/controls/under-way.ts'

/** An event of a sandbox that the console follows. */
export type ConsoleEvent =
  | { readonly kind: 'request'; readonly entry: RequestView }
  /** The requests that wait for their response. */
  | { readonly kind: 'under-way'; readonly requests: UnderWayView['requests'] }
  /** State or findings changed; reload them. */
  | { readonly kind: 'changed' }
  /** The request log was replaced or requests were missed; reload everything. */
  | { readonly kind: 'lost' }
  /** Connected; reload everything from before. */
  | { readonly kind: 'live' }
  /** Disconnected for now. */
  | { readonly kind: 'waiting' }
  /** The sandbox can't be followed. */
  | { readonly kind: 'rejected'; readonly error: unknown }

/** Returns the console event for an event of this kind. */
export function eventOfMark(kind: string): ConsoleEvent {
  return { kind: kind === 'reset' || kind === 'restored' ? 'lost' : 'changed' }
}

/** Controls that only a server or a test has. */
type Elsewhere = 'index' | 'openapi' | 'controlOpenapi' | 'sandboxes' | 'saveState' | 'tests'

/**
 * A sandbox as seen by the console: its asynchronous controls, and its events. Components use only this type, so
 * that they work with a sandbox over HTTP and with one in the same page.
 */
export interface ConsoleClient
  extends Omit<SandboxClient, 'events' | 'pets' | 'faults' | Elsewhere> {
  readonly pets: Later<Omit<PetControls, 'query'>>
  readonly faults: Later<FaultControls>
  /** Returns the findings so far; unlike `findings()`, it doesn't start checking the requests. */
  foundSoFar(): Promise<readonly Finding[]>
  /** Calls `listener` for each event from now on, until the signal aborts. */
  follow(listener: (event: ConsoleEvent) => void, signal: AbortSignal): void
}
