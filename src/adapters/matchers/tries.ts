import type { JournalEntry } from '../../state/journal-entry.ts'

/** A request that was sent again after the answer to it. */
export interface Again {
  readonly first: JournalEntry
  readonly again: JournalEntry
}

/** Pairs each exchange that made its client send the request again with the next one of the same. */
export function sentAgain(
  entries: readonly JournalEntry[],
  isReason: (entry: JournalEntry) => boolean,
): readonly Again[] {
  const open: JournalEntry[] = []
  const found: Again[] = []
  for (const again of entries.toSorted((left, right) => left.order.start - right.order.start)) {
    const place = open.findIndex((first) => isSame(first, again) && isInOrder(first, again))
    const [first] = place < 0 ? [] : open.splice(place, 1)
    if (first !== undefined) found.push({ first, again })
    if (isReason(again)) open.push(again)
  }
  return found
}

function isSame(one: JournalEntry, { caller, request }: JournalEntry): boolean {
  return (
    one.caller === caller &&
    one.request.method === request.method &&
    one.request.url === request.url &&
    one.request.body === request.body &&
    one.request.bodyBytes === request.bodyBytes
  )
}

function isInOrder({ order: { answer } }: JournalEntry, { order }: JournalEntry): boolean {
  return answer !== undefined && answer < order.start
}

/** Whether its client has no answer to build on: none, a broken one, or a refusal. */
export function hasFailed(entry: JournalEntry): boolean {
  return isInDoubt(entry) || ('status' in entry.outcome && entry.outcome.status >= 400)
}

/** Whether its client can't know what became of the request. */
export function isInDoubt({ outcome, delivery, faults }: JournalEntry): boolean {
  if (delivery !== 'delivered' || !('status' in outcome) || outcome.status >= 500) return true
  return faults.length > 0 && outcome.status < 300 && !isJson(outcome.body)
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
