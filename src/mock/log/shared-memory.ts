import {
  type ApiRequest,
  type ApiResponse,
  copyPart,
  type Headers,
  utf8Length,
} from '../api/message.ts'
import { object, withDefault } from '../input/object.ts'
import { described, type Input } from '../input/schema.ts'
import { integer } from '../input/values.ts'

/** A number of bytes. */
export const byteCount = integer(0, 2 ** 32)

/** Limits that the sandboxes of a process share. */
export const sharedLimits = object(
  {
    /** Maximum size of the requests that all sandboxes keep, in bytes: 64 MiB by default; the largest log drops its oldest. */
    requestLogBytes: withDefault(
      described('Bytes of the requests in all logs; the largest log drops its oldest', byteCount),
      67_108_864,
    ),
  },
  { title: 'limits' },
)

/** Limits that the sandboxes of a process share. */
export interface SharedLimits extends Input<typeof sharedLimits> {}

/** Memory that a sandbox has of its clients. */
export interface Remembered {
  /** Bytes of its requests. */
  readonly requests: number
  /** Number of tokens. */
  readonly tokens: number
  /** Characters in the names of its pets. */
  readonly names: number
}

const nothing: Remembered = { requests: 0, tokens: 0, names: 0 }

/** A sandbox that shares memory with others. */
export interface MemoryUser {
  remembered(): Remembered
  /** Forgets the oldest item of a kind, if there is one. */
  forgetOldest(kind: 'requests' | 'tokens'): void
}

/** Maximum number of tokens that all sandboxes remember. */
const maxTokens = 20_000

/** Maximum number of characters in the names of all pets of all sandboxes. */
export const maxNames = 10_000_000

/** The memory that the sandboxes of a process share. */
export class SharedMemory {
  readonly #max: Remembered
  readonly #users = new Map<MemoryUser, Remembered>()
  #used = nothing
  #lastQuestion: Promise<unknown> = Promise.resolve()

  constructor({ requestLogBytes = sharedLimits.parse({}).requestLogBytes }: SharedLimits = {}) {
    this.#max = { requests: requestLogBytes, tokens: maxTokens, names: maxNames }
  }

  /** Memory of all sandboxes, as of their latest updates. */
  get used(): Remembered {
    return this.#used
  }

  /** Counts what a sandbox remembers now; if that is too much, the sandboxes with the most forget their oldest. */
  update(user: MemoryUser): void {
    this.#count(user, user.remembered())
    while (this.#used.requests > this.#max.requests && this.#forgetOldest('requests'));
    while (this.#used.tokens > this.#max.tokens && this.#forgetOldest('tokens'));
  }

  /** Ends the share of a sandbox. */
  leave(user: MemoryUser): void {
    this.#count(user, nothing)
    this.#users.delete(user)
  }

  /** Returns whether the names of all pets may have so many more characters. */
  hasRoomForNames(more: number): boolean {
    return this.#used.names + more <= this.#max.names
  }

  /** Runs a long task after all earlier ones have ended, successfully or not. */
  ask<Result>(run: () => Promise<Result>): Promise<Result> {
    const result = this.#lastQuestion.then(run)
    this.#lastQuestion = result.catch(() => {})
    return result
  }

  #count(user: MemoryUser, now: Remembered): void {
    const before = this.#users.get(user) ?? nothing
    const { requests, tokens, names } = this.#used
    this.#used = {
      requests: requests + now.requests - before.requests,
      tokens: tokens + now.tokens - before.tokens,
      names: names + now.names - before.names,
    }
    this.#users.set(user, now)
  }

  /** Lets the sandbox with the most forget its oldest; returns whether that left less. */
  #forgetOldest(kind: 'requests' | 'tokens'): boolean {
    let most: MemoryUser | undefined
    let count = 0
    for (const [user, remembered] of this.#users) {
      if (remembered[kind] <= count) continue
      most = user
      count = remembered[kind]
    }
    if (most === undefined) return false
    most.forgetOldest(kind)
    const now = most.remembered()
    this.#count(most, now)
    return now[kind] < count
  }
}

/** Something that a sandbox keeps in its log, in its recording, or in both. */
export interface Kept {
  /** Bytes that it occupies. */
  bytes: number
  /** Number of places that keep it. */
  holders: number
}

/** Bytes that a sandbox keeps in its log and its recording; what is in both counts once. */
export class KeptBytes {
  total = 0

  hold(one: Kept): void {
    if (one.holders === 0) this.total += one.bytes
    one.holders++
  }

  release(one: Kept): void {
    one.holders--
    if (one.holders === 0) this.total -= one.bytes
  }

  /** Adds bytes to something that may be kept. */
  grow(one: Kept, bytes: number): void {
    one.bytes += bytes
    if (one.holders > 0) this.total += bytes
  }
}

/** Maximum length of a logged body, in characters. */
const maxBody = 65_536

/** Cuts the body of a message to the logged length, and adds its original size in bytes. */
export function cutBody<Message extends object>(
  message: Message,
): Message & { readonly bodyBytes?: number | undefined } {
  if (!('body' in message) || typeof message.body !== 'string') return message
  const { body } = message
  // A restored body was cut before, and has `…` at its end.
  if (body.length <= maxBody + 1) return message
  const known = 'bodyBytes' in message ? Number(message.bodyBytes ?? 0) : 0
  const kept = copyPart(body, 0, maxBody)
  return { ...message, body: `${kept}…`, bodyBytes: Math.max(known, utf8Length(body)) }
}

/** Bytes of a request without its texts. */
const plainBytes = 1_536

/** Estimates the bytes of a request: rather too many, since a character takes at most two bytes. */
export function requestBytes({
  url,
  headers,
  body,
}: Pick<ApiRequest, 'url' | 'headers' | 'body'>): number {
  return plainBytes + 2 * (url.length + lengthOf(headers) + body.length)
}

/** Estimates the bytes of an outcome in the log. */
export function outcomeBytes(outcome: object): number {
  return isResponse(outcome) ? 2 * (outcome.body.length + lengthOf(outcome.headers)) : 0
}

function isResponse(outcome: object): outcome is Pick<ApiResponse, 'headers' | 'body'> {
  return 'body' in outcome
}

/** Returns the number of characters in headers, plus some overhead for each. */
function lengthOf(headers: Headers): number {
  let length = 0
  for (const name in headers) length += 16 + name.length + (headers[name] ?? '').length
  return length
}
