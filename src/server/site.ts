import type { HeaderReader } from '../adapters/parts/header-reader.ts'
import type { Arrival } from '../adapters/parts/node/connections.ts'
import type { NodeBody } from '../adapters/parts/node/node-body.ts'
import type { Headers, Reply } from '../contract/message.ts'
import { refusalReply } from '../control/http/handle-control.ts'
import type { ProcessControls } from '../control/sandboxes.ts'
import type { Sandbox } from '../sandbox.ts'
import type { SandboxPool } from '../sandbox-pool.ts'
import type { Target } from './find-target.ts'
import type { GuardOptions } from './guard.ts'
import type { ServedExchange } from './server-options.ts'

/** What a process serves, to whom, and who hears of it. */
export interface Site {
  readonly sandbox: Sandbox
  readonly pool: SandboxPool
  readonly processControls: ProcessControls
  readonly guard: GuardOptions
  readonly headerReader: HeaderReader
  /** Where it is served, such as `http://127.0.0.1:7387`; known once it listens. */
  readonly origin: () => string
  /** The name of the file that it shows, if it is there for that; nothing in it can be changed. */
  readonly file: string | undefined
  readonly onExchange: ((exchange: ServedExchange) => void) | undefined
  /** Never throws. */
  readonly reportBug: (error: unknown) => void
}

/** A request on its way to its answer. */
export interface Call extends Arrival {
  readonly target: Target
  /** Its body, if others may have read it. */
  readonly body: NodeBody | undefined
}

/** How a sandbox is found. */
interface HowToFind {
  /** What else may refuse the request, before anything is found or made. */
  readonly check?: () => void
  /** Makes the reply to what is refused; by default that of a control. */
  readonly refuse?: (thrown: unknown, hide: (text: string) => string) => Reply
}

/** A sandbox, or the reply that refuses it. */
export type FoundSandbox = { readonly sandbox: Sandbox } | { readonly refusal: Reply }

/** Finds a sandbox by its name. */
export function findSandbox(
  { sandbox, pool }: Site,
  name: string | undefined,
  { authorization = '' }: Headers,
  { check = () => {}, refuse = refusalReply }: HowToFind = {},
): FoundSandbox {
  try {
    check()
    return { sandbox: name === undefined ? sandbox : pool.get(name) }
  } catch (thrown) {
    // A key or the token may stand where a name belongs.
    const sent = authorization.replace(/^bearer +/i, '')
    const refusal = refuse(thrown, (text) => sandbox.hideKeys(text, sent))
    // Of a sandbox that there isn't, nothing is known; the process has its own time.
    const { clock } = (name === undefined ? undefined : pool.find(name)) ?? sandbox
    const date = new Date(clock.now()).toUTCString()
    return { refusal: { ...refusal, headers: { ...refusal.headers, date } } }
  }
}
