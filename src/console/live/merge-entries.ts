import type { JournalEntry } from '../../client/connect-sandbox.ts'

/** How many of the latest exchanges the console keeps. */
export const mostEntries = 1_000

/** Puts exchanges that have come among those that are kept, each once, in their order; the oldest go. */
export function mergeEntries(
  kept: readonly JournalEntry[],
  come: readonly JournalEntry[],
): readonly JournalEntry[] {
  const lastId = kept.at(-1)?.id ?? 0
  const isLater = come.every(({ id }, at) => id > (come[at - 1]?.id ?? lastId))
  if (isLater) return [...kept, ...come].slice(-mostEntries)
  const byId = new Map([...kept, ...come].map((entry) => [entry.id, entry]))
  return [...byId.values()].sort((one, other) => one.id - other.id).slice(-mostEntries)
}
