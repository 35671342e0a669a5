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
    else {
      afterEvent(reply, 'socket', reply.socket !== null, () => {
        // A request that needs no body may be about to be answered; it gets one reply, the one to what is broken.
        reply.detachSocket(socket)
        write()
      })
    }
  }

  /** Whether a connection waits for a reply of which nothing is on its way yet. */
  isWaiting(socket: Socket): boolean {
    const reply = this.#latest.get(socket)
    return reply !== undefined && !reply.writableFinished && socket.writableLength === 0
  }

  /** Whether no request has come on a connection. */
  isUnused(socket: Socket): boolean {
    return this.#latest.get(socket) === undefined
  }
}

function afterEvent(reply: ServerResponse, event: string, isOver: boolean, then: () => void): void {
  if (isOver) then()
  else reply.once(event, then)
}
