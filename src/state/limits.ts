import { object, withDefault } from '../input/object.ts'
import { described, type Given, type Read } from '../input/schema.ts'
import { whole } from '../input/values.ts'

/** The most pets of a sandbox, those of a seed or a snapshot included. */
export const mostPets = 100_000

/** The most keys of a sandbox, those of a seed or a snapshot included. */
export const mostKeys = 10_000

/** How much can be added to each sandbox. */
export const sandboxLimits = object(
  {
    /** How many pets: 100,000 by default, which is also the most. */
    pets: withDefault(
      described('Pets in a sandbox; more are refused', whole(0, mostPets)),
      mostPets,
    ),
    /** How many keys: 10,000 by default, which is also the most. */
    keys: withDefault(
      described('Keys in a sandbox; more are refused', whole(0, mostKeys)),
      mostKeys,
    ),
  },
  { title: 'limits' },
)

/** How much can be added to each sandbox. */
export type SandboxLimits = Read<typeof sandboxLimits>

/** How much can be added where nothing else is said. */
export const defaultLimits: SandboxLimits = sandboxLimits.read({})

/** A number of bytes. */
export const byteCount = whole(0, 2 ** 32)

/** What the sandboxes of a process share. */
export const sharedLimits = object(
  {
    /** How many bytes the exchanges in all journals take: 64 MiB by default; the oldest go first. */
    journalBytes: withDefault(
      described('Bytes of the exchanges in all journals; the oldest go first', byteCount),
      67_108_864,
    ),
  },
  { title: 'limits' },
)

/** What the sandboxes of a process share. */
type SharedLimits = Given<typeof sharedLimits>

/** How many characters a pet's name may have. */
export const mostNameLength = 1_000

/** How many characters the names of all pets of a sandbox may have together, so that a snapshot stays below 64 MiB. */
export const mostNameCharacters = 2_000_000

/** How many faults a sandbox may have. */
export const mostFaults = 1_000

/** Of how many invalid tokens a sandbox keeps the windows; the one unseen for longest goes first. */
export const mostUnknownTokens = 1_000

/** How many bytes what sandboxes were asked takes, which captures and counterfactuals replay: 32 MiB in a process. */
const recordBytes = 33_554_432

/** The bytes that the sandboxes of a process share. */
export class SharedMemory {
  /** For the exchanges in journals. */
  readonly exchanges: ByteBudget
  /** For what sandboxes were asked since they began. */
  readonly records = new ByteBudget(recordBytes)
  #lastQuestion: Promise<unknown> = Promise.resolve()

  constructor({ journalBytes = sharedLimits.read({}).journalBytes }: SharedLimits = {}) {
    this.exchanges = new ByteBudget(journalBytes)
  }

  /** Answers a question that takes long once all that came before are answered, whatever became of them. */
  ask<Result>(answer: () => Promise<Result>): Promise<Result> {
    const result = this.#lastQuestion.then(answer)
    this.#lastQuestion = result.catch(() => {})
    return result
  }
}

/** Who keeps its latest in bytes that it shares. */
export interface Evictable {
  /** The place of the oldest that it keeps; `undefined` where it keeps nothing. */
  readonly oldest: number | undefined
  /** Has it forget that. */
  dropOldest(): void
}

/**
 * Bytes that several keep their latest in, such as the exchanges of journals; where they don't suffice, the oldest goes
 * first, whoever keeps it.
 *
 * It knows who keeps something, and not what: a `Set` of all would keep what has left it alive until a full collection.
 */
export class ByteBudget {
  /** How many there are. */
  readonly most: number
  readonly #evictables = new Set<Evictable>()
  #lastPlace = 0
  /** How many are in use. */
  used = 0

  constructor(most: number) {
    this.most = most
  }

  /** The place of what comes now: it is newer than all else. */
  nextPlace(): number {
    return ++this.#lastPlace
  }

  /** Counts some that are kept already, and makes room for them. */
  add(keeper: Evictable, bytes: number): void {
    this.#evictables.add(keeper)
    this.used += bytes
    while (this.used > this.most) {
      let oldest: Evictable | undefined
      for (const one of this.#evictables) {
        if (oldest === undefined || (one.oldest ?? 0) < (oldest.oldest ?? 0)) oldest = one
      }
      if (oldest === undefined) return
      oldest.dropOldest()
    }
  }

  /** Counts some no more that their keeper has forgotten. */
  remove(keeper: Evictable, bytes: number): void {
    this.used -= bytes
    if (keeper.oldest === undefined) this.#evictables.delete(keeper)
  }
}
