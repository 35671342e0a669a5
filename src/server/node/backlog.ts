import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { setImmediate as nextTurn } from 'node:timers/promises'

/** Begins to answer a request. */
export type Begin = (request: IncomingMessage, response: ServerResponse) => void

/** How many requests a server has not answered yet, on all its connections together. */
export interface Load {
  unanswered: number
  /** How many characters the large replies have that were made in this turn of the event loop. */
  largeLength: number
}

/** How many requests of a connection are answered at once; the next ones wait, and it isn't read meanwhile. */
const mostAtOnce = 32

/** How many requests may be unanswered in all; a connection that sends another one upon its own is ended then. */
export const mostUnanswered = 10_000

/** How many characters large replies have until no more is begun in a turn of the event loop: some 10 ms. */
const mostLargeLength = 2_000_000

/** The requests of a connection that were sent without waiting for the replies to those before. */
export class Backlog {
  readonly #socket: Socket
  readonly #load: Load
  readonly #begin: Begin
  #begun = 0
  #waiting: (readonly [IncomingMessage, ServerResponse])[] = []
  #isGoingOn = false

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
    // Node goes on with what it has read of a connection that is ended.
    if (this.#socket.destroyed) return
    if (this.#begun > 0 && this.#load.unanswered >= mostUnanswered) {
      this.#socket.destroy()
      return
    }
    this.#load.unanswered++
    if (this.#canBegin && !this.isFull) {
      this.#begun++
      this.#begin(request, response)
      return
    }
    if (!this.isFull) this.#hold()
    this.#waiting.push([request, response])
    if (this.#begun < mostAtOnce) this.#goOn()
  }

  /** Called with each large reply: after some of them, the next requests wait for another turn of the event loop. */
  readonly addLarge = (length: number): void => {
    const isFirst = this.#load.largeLength === 0
    this.#load.largeLength += length
    if (!isFirst) return
    void nextTurn().then(() => {
      this.#load.largeLength = 0
    })
  }

  get #canBegin(): boolean {
    return this.#begun < mostAtOnce && this.#load.largeLength < mostLargeLength
  }

  /** Called when a request is answered: one function for all, since V8 keeps closures long (decisions/009). */
  readonly answered = (): void => {
    // What was under way when the connection closed is counted no more.
    if (this.#begun === 0) return
    this.#begun--
    this.#load.unanswered--
    if (this.isFull) this.#goOn()
  }

  /** Forgets all, since the connection has closed. */
  close(): void {
    this.#load.unanswered -= this.#begun + this.#waiting.length
    this.#begun = 0
    this.#waiting = []
  }

  /** Goes on with those that wait, in another turn of the event loop: others have theirs in between. */
  #goOn(): void {
    if (this.#isGoingOn) return
    this.#isGoingOn = true
    void nextTurn().then(() => {
      this.#isGoingOn = false
      while (this.#canBegin) {
        const next = this.#waiting.shift()
        if (next === undefined) break
        this.#begun++
        this.#begin(...next)
      }
      if (!this.isFull) this.#release()
      else if (this.#begun < mostAtOnce) this.#goOn()
    })
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
