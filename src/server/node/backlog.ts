import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Line, Waiting } from './line.ts'

/** Begins to answer a request. */
export type Begin = (request: IncomingMessage, response: ServerResponse) => void

/** How many requests a server has not answered yet, on all its connections together. */
export interface Load {
  unanswered: number
  /** Where requests wait for their turn of the event loop. */
  readonly line: Line
}

/** How many requests of a connection are answered at once; the next ones wait, and it isn't read meanwhile. */
const mostAtOnce = 32

/** How many of those are begun while the connection is read: none of them is answered before all that was read is seen. */
const mostWhileRead = 8

/** How many requests may be unanswered in all; a connection that sends another one upon its own is ended then. */
export const mostUnanswered = 10_000

/** The requests of a connection that were sent without waiting for the replies to those before. */
export class Backlog implements Waiting {
  readonly #socket: Socket
  readonly #load: Load
  readonly #begin: Begin
  #begun = 0
  #waiting: (readonly [IncomingMessage, ServerResponse])[] = []

  constructor(socket: Socket, load: Load, begin: Begin) {
    this.#socket = socket
    this.#load = load
    this.#begin = begin
  }

  /** Whether the connection isn't read until some of its requests are answered. */
  get isFull(): boolean {
    return this.#waiting.length > 0
  }

  /** Begins to answer a request, now or when others are answered. */
  add(request: IncomingMessage, response: ServerResponse): void {
    const { line } = this.#load
    // Node goes on with what it has read of a connection that is ended.
    if (this.#socket.destroyed) {
      forget(request, response)
      return
    }
    const hasOthers = this.#begun > 0 || this.isFull
    if (hasOthers && this.#load.unanswered >= mostUnanswered) {
      forget(request, response)
      this.#socket.destroy()
      return
    }
    this.#load.unanswered++
    if (!this.isFull && this.#begun < mostWhileRead && line.hasTime) {
      this.#beginNow(request, response)
      return
    }
    if (!this.isFull) this.#hold()
    this.#waiting.push([request, response])
    if (this.#begun < mostAtOnce) line.join(this)
  }

  beginNext(): boolean {
    const next = this.#waiting.shift()
    if (next !== undefined) this.#beginNow(...next)
    if (this.isFull) return this.#begun < mostAtOnce
    this.#release()
    return false
  }

  /** Called when a request is answered: one function for all, since V8 keeps closures long (decisions/009). */
  readonly answered = (): void => {
    // What was under way when the connection closed is counted no more.
    if (this.#begun === 0) return
    this.#begun--
    this.#load.unanswered--
    if (this.isFull) this.#load.line.join(this)
  }

  /** Forgets all, since the connection has closed. */
  close(): void {
    this.#load.unanswered -= this.#begun + this.#waiting.length
    this.#load.line.leave(this)
    this.#begun = 0
    for (const [request, response] of this.#waiting) forget(request, response)
    this.#waiting = []
  }

  #beginNow(request: IncomingMessage, response: ServerResponse): void {
    this.#begun++
    this.#load.line.count()
    this.#begin(request, response)
  }

  #hold(): void {
    this.#socket.on('resume', this.#pause)
    this.#socket.pause()
  }

  #release(): void {
    this.#socket.off('resume', this.#pause)
    this.#socket.resume()
  }

  /** Node resumes a connection after each request that it has read. */
  readonly #pause = (): void => {
    this.#socket.pause()
  }
}

/**
 * Spares a request that nobody has seen what Node does to each one of a connection that has closed: it writes the stack of
 * an error of its own, which takes as long as half an answer.
 */
function forget(request: IncomingMessage, response: ServerResponse): void {
  request.destroy = itself
  response.destroy = itself
}

function itself<Message>(this: Message): Message {
  return this
}
