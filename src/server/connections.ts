import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** The open connections of a server, each with the reply to its latest request. */
export class Connections {
  readonly #latest = new Map<Socket, ServerResponse | undefined>()

  /** How many are open. */
  get size(): number {
    return this.#latest.size
  }

  /** Adds a connection until it closes. */
  add(socket: Socket): void {
    this.#latest.set(socket, undefined)
    socket.once('close', () => this.#latest.delete(socket))
  }

  /** Notes that a request has come. */
  note({ socket }: IncomingMessage, reply: ServerResponse): void {
    this.#latest.set(socket, reply)
  }

  /** Ends the connections that no request has come on, such as those that browsers open ahead. */
  dropUnused(): void {
    for (const [socket, reply] of this.#latest) if (reply === undefined) socket.destroy()
  }

  /**
   * Calls back once something may be written on a connection whose next or latest request is broken: after the
   * replies to the requests before it. Ends the connection where the broken request has its reply already.
   */
  whenFree(socket: Socket, write: () => void): void {
    const reply = this.#latest.get(socket)
    if (reply === undefined) write()
    else if (reply.req.complete) afterEvent(reply, 'finish', reply.writableFinished, write)
    else if (reply.headersSent) socket.destroy()
    else afterEvent(reply, 'socket', reply.socket !== null, write)
  }
}

function afterEvent(reply: ServerResponse, event: string, isOver: boolean, then: () => void): void {
  if (isOver) then()
  else reply.once(event, then)
}
