import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { performance } from 'node:perf_hooks'
import { isRecord } from '../../input/record.ts'

/** A request whose client left before it had an answer. */
export interface UnansweredRequest {
  /** Such as `GET /v1/pets`. */
  readonly call: string
  readonly waitedMs: number
  /** Whether the client waited until its process ended. */
  readonly isWaitingAtEnd: boolean
}

const channel = 'http.server.request.start'

/** After which wait the process of a client is looked for, since that takes some milliseconds. */
const lookUpAfterMs = 500

/** How long before the end of its command a client that wasn't found may leave to count as waiting until then. */
const marginMs = 50

/** Sees which requests to a sandbox in this process are left unanswered, and whether their client has ended. */
export class UnansweredRequests {
  readonly #path: string
  /** When those that wait have begun. */
  readonly #waiting = new Map<ServerResponse, { readonly call: string; readonly beganAt: number }>()
  readonly #left: {
    readonly call: string
    readonly waitedMs: number
    readonly at: number
    /** `undefined` where it isn't known. */
    readonly hasEnded: boolean | undefined
  }[] = []

  /** @param path Of the sandbox, such as `/sandboxes/row-1`. */
  constructor(path: string) {
    this.#path = path
    subscribe(channel, this.#listen)
  }

  /**
   * Stops to listen.
   *
   * @param endedAt When the command ended or was told to, as `performance.now()` has it.
   */
  end(endedAt: number): readonly UnansweredRequest[] {
    unsubscribe(channel, this.#listen)
    const left = this.#left.map(({ call, waitedMs, at, hasEnded = at > endedAt - marginMs }) => ({
      call,
      waitedMs,
      isWaitingAtEnd: hasEnded || at > endedAt,
    }))
    const waiting = [...this.#waiting.values()].map(({ call, beganAt }) => ({
      call,
      waitedMs: endedAt - beganAt,
      isWaitingAtEnd: true,
    }))
    return [...left, ...waiting]
  }

  readonly #listen = (message: unknown): void => {
    const { request, response } = isRecord(message) ? message : {}
    if (!(request instanceof IncomingMessage && response instanceof ServerResponse)) return
    const { method = '', url = '', socket } = request
    if (!url.startsWith(`${this.#path}/`)) return
    const call = `${method} ${url.slice(this.#path.length)}`
    const beganAt = performance.now()
    this.#waiting.set(response, { call, beganAt })
    let client: number | undefined
    const lookUp = setTimeout(() => {
      client = peerOf(socket)
    }, lookUpAfterMs)
    response.once('close', () => {
      clearTimeout(lookUp)
      this.#waiting.delete(response)
      if (response.headersSent) return
      const at = performance.now()
      const waitedMs = at - beganAt
      const known = client === undefined ? undefined : hasLostMemory(client)
      this.#left.push({ call, waitedMs, at, hasEnded: known })
    })
  }
}

/**
 * The process at the other end of a connection within this machine, by proc(5); `undefined` where the system doesn't say.
 * What can't be read has ended, or belongs to another user.
 */
function peerOf({ localPort, remotePort }: Socket): number | undefined {
  const ends = `${portIn(remotePort)} [\\dA-F]+${portIn(localPort)}`
  const row = new RegExp(`^ *\\d+: [\\dA-F]+${ends} (?:\\S+ +){6}(\\d+) `, 'm')
  const [, node] =
    ['/proc/net/tcp', '/proc/net/tcp6'].map((file) => row.exec(textOf(file))).find(Boolean) ?? []
  if (node === undefined) return undefined
  const socket = `socket:[${node}]`
  const processes = namesIn('/proc').filter((name) => /^\d+$/.test(name))
  const found = processes.find((id) =>
    namesIn(`/proc/${id}/fd`).some((name) => linkOf(`/proc/${id}/fd/${name}`) === socket),
  )
  return found === undefined ? undefined : Number(found)
}

function portIn(port = 0): string {
  return `:${port.toString(16).toUpperCase().padStart(4, '0')}`
}

/** Whether a process ends: Linux takes its memory from it before it closes its connections. */
function hasLostMemory(id: number): boolean {
  return /^(?:0 |$)/.test(textOf(`/proc/${id}/statm`))
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

function linkOf(path: string): string {
  try {
    return readlinkSync(path)
  } catch {
    return ''
  }
}
