import { object, withDefault } from '../input/object.ts'
import { described, type Input } from '../input/schema.ts'
import { integer } from '../input/values.ts'

/** A number of bytes. */
export const byteCount = integer(0, 2 ** 32)

/** What the sandboxes of a process share. */
export const sharedLimits = object(
  {
    /** How many bytes the exchanges in all journals take: 64 MiB by default; the oldest go first. */
    requestLogBytes: withDefault(
      described('Bytes of the requests in all logs; the oldest go first', byteCount),
      67_108_864,
    ),
  },
  { title: 'limits' },
)

/** What the sandboxes of a process share. */
export interface SharedLimits extends Input<typeof sharedLimits> {}

/** Bytes for the requests that captures and what-if replay, in a process: 32 MiB. */
const replayBytes = 33_554_432

/** The bytes that the sandboxes of a process share. */
export class SharedMemory {
  /** For the requests in logs. */
  readonly requests: ByteBudget
  /** For what was done to sandboxes since they began. */
  readonly replays = new ByteBudget(replayBytes)
  #lastQuestion: Promise<unknown> = Promise.resolve()

  constructor({ requestLogBytes = sharedLimits.parse({}).requestLogBytes }: SharedLimits = {}) {
    this.requests = new ByteBudget(requestLogBytes)
  }

  /** Runs what takes long once all that came before has ended, in whichever way. */
  ask<Result>(answer: () => Promise<Result>): Promise<Result> {
    const result = this.#lastQuestion.then(answer)
    this.#lastQuestion = result.catch(() => {})
    return result
  }
}

/** A log that keeps its latest items in bytes that it shares. */
export interface Evictable {
  /** The age of its oldest item, by {@link ByteBudget.nextAge}; `undefined` if it keeps nothing. */
  readonly oldest: number | undefined
  /** Evicts that item. */
  evictOldest(): void
}

/**
 * Bytes in which several logs keep their latest items; if these don't suffice, the oldest item of all goes first.
 *
 * A budget knows logs and not their items: V8 keeps what has left a `Set` alive until the next full collection.
 */
export class ByteBudget {
  /** The maximum. */
  readonly max: number
  /** The bytes in use. */
  used = 0
  readonly #logs = new Set<Evictable>()
  #lastAge = 0

  constructor(max: number) {
    this.max = max
  }

  /** Returns the age of an item that is newer than all others. */
  nextAge(): number {
    return ++this.#lastAge
  }

  /** Counts bytes that a log keeps already, and makes room for them. */
  add(log: Evictable, bytes: number): void {
    this.#logs.add(log)
    this.used += bytes
    while (this.used > this.max) {
      const oldest = this.#logWithOldest()
      if (oldest === undefined) return
      oldest.evictOldest()
    }
  }

  /** Removes bytes that a log has evicted. */
  remove(log: Evictable, bytes: number): void {
    this.used -= bytes
    if (log.oldest === undefined) this.#logs.delete(log)
  }

  #logWithOldest(): Evictable | undefined {
    let found: Evictable | undefined
    let age = Number.POSITIVE_INFINITY
    for (const log of this.#logs) {
      const { oldest } = log
      if (oldest === undefined || oldest >= age) continue
      found = log
      age = oldest
    }
    return found
  }
}
