import { object, withDefault } from '../input/object.ts'
import { described, type Input } from '../input/schema.ts'
import { integer } from '../input/values.ts'

/** A number of bytes. */
export const byteCount = integer(0, 2 ** 32)

/** Limits that the sandboxes of a process share. */
export const sharedLimits = object(
  {
    /** Maximum size of the requests in all request logs, in bytes: 64 MiB by default; the oldest are evicted first. */
    requestLogBytes: withDefault(
      described('Bytes of the requests in all logs; the oldest go first', byteCount),
      67_108_864,
    ),
  },
  { title: 'limits' },
)

/** Limits that the sandboxes of a process share. */
export interface SharedLimits extends Input<typeof sharedLimits> {}

/** Size of the replay history, shared by all sandboxes in a process: 32 MiB. */
const replayBytes = 33_554_432

/** The memory budgets that the sandboxes of a process share. */
export class SharedMemory {
  /** For the requests in request logs. */
  readonly requests: ByteBudget
  /** For the requests and control calls since each sandbox started. */
  readonly replays = new ByteBudget(replayBytes)
  #lastQuestion: Promise<unknown> = Promise.resolve()

  constructor({ requestLogBytes = sharedLimits.parse({}).requestLogBytes }: SharedLimits = {}) {
    this.requests = new ByteBudget(requestLogBytes)
  }

  /** Runs a long task after all earlier ones have ended, successfully or not. */
  ask<Result>(run: () => Promise<Result>): Promise<Result> {
    const result = this.#lastQuestion.then(run)
    this.#lastQuestion = result.catch(() => {})
    return result
  }
}

/** A log that keeps its latest items within a shared budget. */
export interface Evictable {
  /** The age of its oldest item, by {@link ByteBudget.nextAge}; `undefined` if it is empty. */
  readonly oldest: number | undefined
  /** Evicts the oldest item. */
  evictOldest(): void
}

/**
 * A budget of bytes in which several logs keep their latest items; if it is exceeded, the oldest item of all is evicted
 * first.
 *
 * A budget references logs and not their items, since V8 keeps items that were removed from a `Set` alive until the
 * next full collection.
 */
export class ByteBudget {
  /** The maximum in bytes. */
  readonly max: number
  /** The bytes in use. */
  used = 0
  readonly #logs = new Set<Evictable>()
  #lastAge = 0

  constructor(max: number) {
    this.max = max
  }

  /** Returns an age that is newer than all earlier ones. */
  nextAge(): number {
    return ++this.#lastAge
  }

  /** Counts bytes that a log already occupies, and evicts the oldest items until all fit. */
  add(log: Evictable, bytes: number): void {
    this.#logs.add(log)
    this.used += bytes
    while (this.used > this.max) {
      const oldest = this.#logWithOldest()
      if (oldest === undefined) return
      oldest.evictOldest()
    }
  }

  /** Subtracts bytes that a log has evicted. */
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
