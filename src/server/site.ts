import type { IncomingMessage, ServerResponse } from 'node:http'
import type { HeaderReader } from '../adapters/parts/header-reader.ts'
import type { NodeBody } from '../adapters/parts/node/node-body.ts'
import type { LatestWireText } from '../adapters/parts/node/wire-text.ts'
import type { Headers, Reply } from '../contract/message.ts'
import type { ProcessControls } from '../control/http/process-controls.ts'
import type { Sandbox } from '../sandbox.ts'
import type { SandboxPool } from '../sandbox-pool.ts'
import type { PackageFiles } from './console/package-files.ts'
import type { Target } from './find-target.ts'
import type { GuardOptions } from './guard.ts'
import type { Client } from './node/connections.ts'
import type { LongBodies } from './node/long-bodies.ts'
import type { Rooms } from './node/rooms.ts'
import type { UnreadReplies } from './node/unread-replies.ts'
import type { ServedExchange } from './server-options.ts'

/** What a process serves, to whom, and who hears of it. */
export interface Site {
  readonly sandbox: Sandbox
  readonly pool: SandboxPool
  readonly processControls: ProcessControls
  readonly guard: GuardOptions
  readonly headerReader: HeaderReader
  readonly wireText: LatestWireText
  readonly unread: UnreadReplies
  /** Lets few long bodies of the API be read at once, and answered in a turn of the event loop. */
  readonly longBodies: LongBodies
  /** The same for those of controls. */
  readonly longControls: LongBodies
  /** Admits one long upload at a time, such as a snapshot. */
  readonly longDocuments: Rooms
  readonly packageFiles: PackageFiles
  /** What stands in front of the sandbox: the user's own middleware and files. */
  readonly front: Front | undefined
  /** Where it is served, such as `http://127.0.0.1:7387`; known once it listens. */
  readonly origin: () => string
  /** The name of the file that it shows, if it is there for that; nothing in it can be changed. */
  readonly file: string | undefined
  readonly onExchange: ((exchange: ServedExchange) => void) | undefined
  /** Never throws. */
  readonly reportBug: (error: unknown) => void
}

/** A request of Node's on its way to its answer. */
export interface Call {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly target: Target
  /** Who waits for the answer. */
  readonly client: Client
  /** Its place in the order of the connection. */
  readonly place: number
  /** Its body, if others may have read it. */
  readonly body: NodeBody | undefined
}

/** What stands in front of a sandbox. */
export interface Front {
  /** Whether requests for a target pass through it. */
  takes(target: Target): boolean
  /** Answers a request, or hands it on. */
  answer(request: IncomingMessage, response: ServerResponse, rest: Rest): void
}

/** What comes after a {@link Front}. */
export interface Rest {
  /** Lets the sandbox answer, by what the `url` of the request is by then. */
  answer(body: NodeBody): void
  /** Answers with 500, and reports the error. */
  fail(error: unknown): void
}

/** What makes the reply that refuses a sandbox. */
export interface Refused {
  refuse(): Promise<Reply>
}

/** A sandbox, or what refuses it. */
export type FoundSandbox = { readonly sandbox: Sandbox } | Refused

/**
 * Finds a sandbox by its name.
 *
 * @param check What else may refuse the request, before anything is found or made.
 */
export function findSandbox(
  { sandbox, pool }: Site,
  name: string | undefined,
  { authorization = '' }: Headers,
  check?: () => void,
): FoundSandbox {
  try {
    check?.()
    return { sandbox: name === undefined ? sandbox : pool.get(name) }
  } catch (thrown) {
    // A key or the token may stand where a name belongs.
    const sent = authorization.replace(/^bearer +/i, '')
    const hide = (text: string): string => sandbox.hideKeys(text, sent)
    return {
      async refuse() {
        // Loaded late: most processes never refuse one.
        const { refusalReply } = await import('../control/http/handle-control.ts')
        const refusal = refusalReply(thrown, hide)
        // Of a sandbox that there isn't, nothing is known; the process has its own time.
        const { clock } = (name === undefined ? undefined : pool.find(name)) ?? sandbox
        const date = new Date(clock.now()).toUTCString()
        return { ...refusal, headers: { ...refusal.headers, date } }
      },
    }
  }
}
