import { isRecord } from '../../src/mock/input/record.ts'
import type { Sandbox } from '../../src/sandbox/sandbox.ts'
import { type Forms, toldReset, toldRetry } from './told-instants.ts'

/** A reply as a client reads it; `undefined` for a connection that broke. */
export interface ClientReply {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** A reply, and whether its body could be read. */
interface ReadReply extends ClientReply {
  readonly isJson: boolean
}

/** What a client sends. */
export interface ClientRequest {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** Sends a request through some adapter. */
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

/** How many turns of the event loop nothing else has to happen in until time goes on. */
const idleTurns = 3

/** A client's time that goes on to the tasks that wake first, once all of them wait; those of one instant wake together. */
export function sharedTime({ clock }: Sandbox): ClientTime {
  let sleepers: { readonly at: number; readonly wake: () => void }[] = []
  const goOn = async (): Promise<void> => {
    while (sleepers.length > 0) {
      for (let turn = 0; turn < idleTurns; turn++) await new Promise(setImmediate)
      const nextAt = Math.min(...sleepers.map(({ at }) => at))
      if (nextAt > clock.now()) clock.advance(nextAt - clock.now())
      const due = sleepers.filter(({ at }) => at === nextAt)
      sleepers = sleepers.filter(({ at }) => at !== nextAt)
      for (const { wake } of due) wake()
    }
  }
  return {
    now: () => clock.now(),
    async sleep(ms) {
      if (ms <= 0) return
      await new Promise<void>((wake) => {
        sleepers.push({ at: clock.now() + Math.ceil(ms), wake })
        if (sleepers.length === 1) void goOn()
      })
    },
  }
}

/** How a client lengthens its pauses, in milliseconds, and how often it tries. */
interface Backoff {
  readonly tries: number
  pauseMs(tried: number, jitter: number): number
}

/** The ways in which polite clients back off. */
export const backoffs = {
  steep: { tries: 4, pauseMs: (tried, jitter) => 500 * 3 ** tried * (1 + jitter) },
  capped: { tries: 9, pauseMs: (tried) => Math.min(300 * 2 ** tried, 1_200) },
  jittered: { tries: 7, pauseMs: (tried, jitter) => Math.min(200 * 2 ** tried, 5_000) * jitter },
} as const satisfies Record<string, Backoff>

/** How a client goes about what every client has to do. */
export interface Habits {
  readonly backoff: keyof typeof backoffs
  /** Whether it counts instants from the `Date` of their reply. */
  readonly readsDate: boolean
  /** How the service writes instants, as its documentation says; by default in seconds. */
  readonly forms?: Forms
}

/** How long a client leaves a service alone once it has given up, in milliseconds. */
const restMs = 61_000

/** How many pets a client gets one by one: it knows most from lists. */
const maxGets = 4

/** What the replies to a key have told, shared by all who know of them. */
export class Knowledge {
  /** Until when the key sends nothing. */
  pausedUntil = 0
  /** The pets that may have been added. */
  readonly unsure = new Set<string>()
  /** What was rejected permanently: requests, and keys. */
  readonly rejected = new Set<string>()

  pauseUntil(at: number): void {
    this.pausedUntil = Math.max(this.pausedUntil, at)
  }
}

/** The ids that a program has read, by whichever of its keys, or knows from its tests. */
export class KnownIds {
  readonly #ids: string[] = []
  gets = 0

  add(id: string): void {
    this.#ids.push(id)
  }

  clear(): void {
    this.#ids.length = 0
  }

  has(id: string): boolean {
    return this.#ids.includes(id)
  }

  /** Reads ids from a reply, to the last digit. */
  read(body: string): void {
    for (const [, id = ''] of body.matchAll(/"id":(\d+)/g)) this.add(id)
  }

  /** The latest but so many. */
  at(place: number): string | undefined {
    return this.#ids.at(-1 - (place % Math.max(1, this.#ids.length)))
  }
}

/** A client that does all that the interface asks of it. */
export class PoliteClient {
  readonly #key: string
  readonly #send: Send
  readonly #time: ClientTime
  readonly #known: Knowledge
  readonly #habits: Habits
  readonly #ids: KnownIds
  #jitter = 0

  constructor(
    key: string,
    send: Send,
    time: ClientTime,
    known = new Knowledge(),
    habits: Habits = { backoff: 'steep', readsDate: false },
    ids = new KnownIds(),
  ) {
    this.#key = key
    this.#send = send
    this.#time = time
    this.#known = known
    this.#habits = habits
    this.#ids = ids
  }

  /** Gets a pet whose id it knows. */
  async get(place: number): Promise<void> {
    const id = this.#ids.at(place)
    if (id === undefined || this.#ids.gets >= maxGets) return
    this.#ids.gets++
    await this.#sendUntilServed('GET', `/v1/pets/${id}`, '', () => this.#ids.has(id))
  }

  async list(query: string): Promise<ReadReply | undefined> {
    return await this.#sendUntilServed('GET', `/v1/pets${query}`, '')
  }

  async create(name: string): Promise<void> {
    const body = JSON.stringify({ name, categoryId: 1 })
    if (this.#known.unsure.has(body) && !(await this.#isSettled(body))) return
    this.#known.unsure.add(body)
    const reply = await this.#sendUntilServed('POST', '/v1/pets', body)
    if (reply !== undefined && reply.status < 500 && reply.isJson) {
      this.#known.unsure.delete(body)
    } else await this.#isSettled(body)
  }

  /** Looks whether a pet was added all the same; gives whether that is known now. */
  async #isSettled(body: string): Promise<boolean> {
    const reply = await this.list('?limit=100')
    const isSeen = reply?.status === 200 && reply.isJson
    if (isSeen) this.#known.unsure.delete(body)
    return isSeen
  }

  /** Sends a request, again as long as that is safe and may help, and as it is wanted. */
  async #sendUntilServed(method: string, url: string, body: string, isWanted = () => true) {
    const { tries, pauseMs } = backoffs[this.#habits.backoff]
    const asked = `${method} ${url} ${body}`
    let reply: ReadReply | undefined
    for (let tried = 0; tried < tries; tried++) {
      await this.#untilAllowed()
      if (this.#known.rejected.has(asked) || this.#known.rejected.has(this.#key)) return undefined
      if (!isWanted()) return undefined
      reply = await this.#once(method, url, body)
      const isRejected = reply?.headers['retry-after'] !== undefined
      const isOutage =
        reply === undefined || reply.status >= 500 || reply.status === 429 || !reply.isJson
      if (!isRejected && (!isOutage || (method === 'POST' && reply?.status !== 429))) {
        const isFinal = !isOutage && reply !== undefined && reply.status >= 400
        if (isFinal) this.#known.rejected.add(reply?.status === 401 ? this.#key : asked)
        return reply
      }
      if (!isRejected) await this.#time.sleep(pauseMs(tried, this.#nextJitter()))
    }
    this.#known.pauseUntil(this.#time.now() + restMs)
    return reply
  }

  /** From 0 to 1, always the same ones. */
  #nextJitter(): number {
    this.#jitter = (this.#jitter * 1_103_515_245 + 12_345) % 2 ** 31
    return this.#jitter / 2 ** 31
  }

  async #once(method: string, url: string, body: string): Promise<ReadReply | undefined> {
    const sent = await this.#send({
      method,
      url,
      headers: {
        authorization: `Bearer ${this.#key}`,
        ...(body === '' ? {} : { 'content-type': 'application/json' }),
      },
      body,
    })
    const reply = sent === undefined ? undefined : { ...sent, isJson: isJson(sent.body) }
    if (reply?.isJson) this.#ids.read(reply.body)
    const retryAfter = reply?.headers['retry-after']
    const isByDate = this.#time.isOwn || this.#habits.readsDate
    const aheadMs = isByDate ? this.#time.now() - Date.parse(reply?.headers.date ?? '') : 0
    const { forms = { retryAfterFormat: 'seconds', resetUnit: 'seconds' } } = this.#habits
    if (retryAfter !== undefined) {
      // A date is one whatever the documentation says.
      const form = /[a-z]/i.test(retryAfter) ? 'http-date' : forms.retryAfterFormat
      const at = toldRetry(retryAfter, { retryAfterFormat: form }, this.#time.now(), aheadMs)
      this.#known.pauseUntil(at)
    }
    if (reply?.headers['x-ratelimit-remaining'] === '0') {
      this.#known.pauseUntil(toldReset(reply.headers['x-ratelimit-reset'], forms) + aheadMs)
    }
    return reply
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
