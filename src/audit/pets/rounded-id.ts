import type { Exchange } from '../../state/journal/exchange.ts'
import { PerOrigin } from '../per-origin.ts'
import type { Rule } from '../rule.ts'
import type { Seen } from '../seen.ts'

/** How many large ids are kept for each origin. */
const keptIds = 500

/** How many lists are remembered, so that they aren't searched again. */
const keptLists = 4

/** The large ids in a list. */
interface IdsOf {
  readonly body: string
  readonly ids: readonly string[]
}

const none: readonly string[] = []

const largeId = /"id":(-?\d{16,19})(?!\d)/g

/** An id that lost digits on its way through the client (spec 2). */
export const roundedId: Rule = {
  severity: 'error',
  clause: 'spec 2, int64; RFC 8259, 6',
  about: 'A pet was requested by an id that had been rounded to a double.',
  advice: 'Read ids as 64-bit integers: as a BigInt or a string, not as a JavaScript number.',
  needsKnowledge: false,
  sees: ['new list', 'long id'],
  watch() {
    const memories = new PerOrigin<Map<string, Seen>>(() => new Map())
    let recent: readonly IdsOf[] = []
    const idsIn = ({ outcome, operation, petId }: Exchange): readonly string[] => {
      if (typeof petId === 'bigint') return [String(petId)]
      if (operation !== 'listPets' || !('body' in outcome) || outcome.status >= 300) return none
      const { body } = outcome
      // Most lists are the same as one of those before.
      for (const one of recent) if (one.body === body) return one.ids
      const ids = mayHaveLargeId(body) ? [...body.matchAll(largeId)].map(([, id = '']) => id) : none
      recent = [...recent.slice(1 - keptLists), { body, ids }]
      return ids
    }
    return {
      see(next, whole) {
        const given = memories.find(next)
        const found = given === undefined ? undefined : judge(next, given)
        const ids = idsIn(whole)
        if (ids.length === 0) return found
        const memory = memories.of(next)
        for (const id of ids) if (memory.size < keptIds && !memory.has(id)) memory.set(id, next)
        return found
      },
    }
  },
}

const idField = '"id":'

/** Whether there may be a large id in a list; quick, since most lists have none. */
function mayHaveLargeId(list: string): boolean {
  for (let at = list.indexOf(idField); at >= 0; at = list.indexOf(idField, at + 1)) {
    const sixteenth = list.charCodeAt(at + idField.length + 15)
    if (sixteenth >= 0x30 && sixteenth <= 0x39) return true
  }
  return false
}

function judge(next: Seen, given: Map<string, Seen>) {
  const [, asked] = /^\/v1\/pets\/(-?\d{16,19})(?:\?|$)/.exec(next.url) ?? []
  if (asked === undefined || given.has(asked)) return undefined
  for (const [id, source] of given) {
    if (Number.isSafeInteger(Number(id)) || BigInt(Number(id)) !== BigInt(asked)) continue
    // Once for each id.
    given.set(asked, next)
    return {
      verdict: `Asked for the pet ${asked}: the id ${id} of an earlier reply, rounded as doubles are; got ${next.status ?? 'no reply'}.`,
      exchanges: [source, next],
    }
  }
  return undefined
}
