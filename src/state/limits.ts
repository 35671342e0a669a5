import { type GivenOf, type NamedSchema, object, withDefault } from '../input/object.ts'
import { described, type Given, type Read } from '../input/schema.ts'
import { whole } from '../input/values.ts'

/** The most pets of a sandbox, those of a seed or a snapshot included. */
export const mostPets = 100_000

/** The most keys of a sandbox, those of a seed or a snapshot included. */
export const mostKeys = 10_000

const limitProperties = {
  /** How many pets: 100,000 by default, which is also the most. */
  pets: withDefault(described('Pets in a sandbox; more are refused', whole(0, mostPets)), mostPets),
  /** How many keys: 10,000 by default, which is also the most. */
  keys: withDefault(described('Keys in a sandbox; more are refused', whole(0, mostKeys)), mostKeys),
} as const

/** How much can be added to each sandbox, as it is given. */
export interface LimitSettings extends GivenOf<typeof limitProperties> {}

/** How much can be added to each sandbox. */
export const sandboxLimits: NamedSchema<typeof limitProperties, LimitSettings> = object(
  limitProperties,
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
export interface SharedLimits extends Given<typeof sharedLimits> {}

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
  readonly exchanges: SharedBytes
  /** For what sandboxes were asked since they began. */
  readonly records = new SharedBytes(recordBytes)
  #lastQuestion: Promise<unknown> = Promise.resolve()

  constructor({ journalBytes = sharedLimits.read({}).journalBytes }: SharedLimits = {}) {
    this.exchanges = new SharedBytes(journalBytes)
  }

  /** Answers a question that takes long once all that came before are answered, whatever became of them. */
  ask<Result>(answer: () => Promise<Result>): Promise<Result> {
    const result = this.#lastQuestion.then(answer)
    this.#lastQuestion = result.catch(() => {})
    return result
  }
}

/** What takes some of the bytes. */
export interface Counted {
  readonly bytes: number
  /** Has who keeps it forget the oldest of what it keeps. */
  dropOldest(): void
}

/**
 * Bytes that several keep their latest in, such as the exchanges of journals; where they don't suffice, the oldest goes
 * first, whoever keeps it.
 */
export class SharedBytes {
  /** How many there are. */
  readonly most: number
  /** The oldest first. */
  readonly #all = new Set<Counted>()
  /** How many are in use. */
  used = 0

  constructor(most: number) {
    this.most = most
  }

  /** Counts what is newer than all else, and makes room for it. */
  add(added: Counted): void {
    this.#all.add(added)
    this.used += added.bytes
    while (this.used > this.most) {
      const [oldest] = this.#all
      if (oldest === undefined) return
      oldest.dropOldest()
    }
  }

  /** Counts no more what its keeper has forgotten. */
  remove(removed: Counted): void {
    if (this.#all.delete(removed)) this.used -= removed.bytes
  }
}
