/** The tiers of coverage, and what is counted in each. */
export const tiers = {
  outcomes: 'Replies that the interface documents, by operation and status.',
  values: 'What a request may choose, and what a reply may contain.',
  situations: 'What a client has to cope with: limits, bans, keys that end, removals, faults.',
  gaps: 'Choices at gaps, each met if it was in force and an answer depended on it.',
} as const

export type TierName = keyof typeof tiers

/** One thing that a client can be made to face. */
export interface Cell {
  /** Such as `listPets 429`; unique within its tier. */
  readonly cell: string
  /**
   * A line that brings it about: JavaScript in which `sandbox` is the sandbox, and `client(key)` stands for the client
   * with a key, by default a valid one.
   */
  readonly how: string
}
