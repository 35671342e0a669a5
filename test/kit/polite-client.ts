import { isRecord } from '../../src/input/record.ts'
import type { Sandbox } from '../../src/sandbox.ts'

/** A reply as a client reads it; `undefined` for a connection that broke. */
export interface ClientReply {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** What a client sends. */
export interface ClientRequest {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** Sends a request through some door. */
export type Send = (request: ClientRequest) => Promise<ClientReply | undefined>

/** A client's time: that of its sandbox, and how it waits. */
export interface ClientTime {
  now(): number
  /** Whether it is not that of its sandbox: then instants count from the `Date` of their reply. */
  readonly isOwn?: true
  sleep(ms: number): Promise<void>
}

/** A client's time that its waits move on. */
export function movedTime({ clock }: Sandbox): ClientTime {
  return {
    now: () => clock.now(),
    async sleep(ms) {
      if (ms > 0) clock.advance(Math.ceil(ms))
    },
  }
}

/** How often a polite client tries. */
const mostTries = 4

/** What the replies to a key have told, shared by all who know of them. */
export class Knowledge {
  /** Until when the key sends nothing. */
  pausedUntil = 0
  /** The pets that may have been added. */
  readonly unsure = new Set<string>()

  pauseUntil(at: number): void {
    this.pausedUntil = Math.max(this.pausedUntil, at)
  }
}

/** A client that does all that the interface asks of it. */
export class PoliteClient {
  readonly #key: string
  readonly #send: Send
  readonly #time: ClientTime
  readonly #known: Knowledge

  constructor(key: string, send: Send, time: ClientTime, known = new Knowledge()) {
    this.#key = key
    this.#send = send
    this.#time = time
    this.#known = known
  }

  async list(query: string): Promise<ClientReply | undefined> {
    return await this.#sendUntilServed('GET', `/v1/pets${query}`, '')
  }

  async create(name: string): Promise<void> {
    const body = JSON.stringify({ name, categoryId: 1 })
    if (this.#known.unsure.has(body) && !(await this.#isSettled(body))) return
    this.#known.unsure.add(body)
    const reply = await this.#sendUntilServed('POST', '/v1/pets', body)
    if (reply !== undefined && reply.status < 500 && isJson(reply.body)) {
      this.#known.unsure.delete(body)
    } else await this.#isSettled(body)
  }

  /** Looks whether a pet was added all the same; gives whether that is known now. */
  async #isSettled(body: string): Promise<boolean> {
    const reply = await this.list('?limit=100')
    const isSeen = reply?.status === 200 && isJson(reply.body)
    if (isSeen) this.#known.unsure.delete(body)
    return isSeen
  }

  /** Sends a request again as long as that is safe and may help. */
  async #sendUntilServed(method: string, url: string, body: string) {
    const jitter = 1 + (url.length % 7) / 10
    let reply: ClientReply | undefined
    for (let tries = 0; tries < mostTries; tries++) {
      await this.#untilAllowed()
      reply = await this.#once(method, url, body)
      const isRefused = reply?.headers['retry-after'] !== undefined
      const isOutage =
        reply === undefined || reply.status >= 500 || reply.status === 429 || !isJson(reply.body)
      if (!isRefused && (!isOutage || (method === 'POST' && reply?.status !== 429))) return reply
      if (!isRefused) await this.#time.sleep(500 * 3 ** tries * jitter)
    }
    return reply
  }

  async #once(method: string, url: string, body: string): Promise<ClientReply | undefined> {
    const reply = await this.#send({
      method,
      url,
      headers: {
        authorization: `Bearer ${this.#key}`,
        ...(body === '' ? {} : { 'content-type': 'application/json' }),
      },
      body,
    })
    const retryAfter = reply?.headers['retry-after']
    const aheadMs = this.#time.isOwn ? this.#time.now() - Date.parse(reply?.headers.date ?? '') : 0
    if (retryAfter !== undefined) this.#known.pauseUntil(this.#instantOf(retryAfter, aheadMs))
    if (reply?.headers['x-ratelimit-remaining'] === '0') {
      this.#known.pauseUntil(Number(reply.headers['x-ratelimit-reset']) * 1000 + aheadMs)
    }
    return reply
  }

  /** @param aheadMs How far the client's clock is ahead of the sandbox's. */
  #instantOf(retryAfter: string, aheadMs: number): number {
    return /^\d+$/.test(retryAfter)
      ? this.#time.now() + Number(retryAfter) * 1000
      : Date.parse(retryAfter) + aheadMs
  }

  async #untilAllowed(): Promise<void> {
    for (;;) {
      const ms = this.#known.pausedUntil - this.#time.now()
      if (ms <= 0) return
      await this.#time.sleep(ms)
    }
  }
}

function isJson(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text)
    return Array.isArray(value) || isRecord(value)
  } catch {
    return false
  }
}
