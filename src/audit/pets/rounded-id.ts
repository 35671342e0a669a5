import type { Exchange } from '../../state/exchange.ts'
import { PerOrigin } from '../per-origin.ts'
import type { Found, Rule } from '../rule.ts'
import { isInOrder, type Seen } from '../seen.ts'

/** How many large ids that a key was shown are kept for each origin. */
const keptIds = 500

/** How many large ids are known as given at most; beyond, an id that is not among them may have been given, too. */
const keptGiven = 20_000

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
    /** The ids that each origin was shown, and the reply that showed it. */
    const memories = new PerOrigin<Map<string, Seen>>(() => new Map())
    /** The ids that anybody was given, or has asked for: whoever asks for one of them may have read it exactly. */
    const given = new Set<string>()
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
    const judge = (next: Seen, whole: Exchange): Found | undefined => {
      const asked = idAsked(next)
      if (asked === undefined || given.size >= keptGiven || given.has(asked)) return undefined
      const isThere = next.status !== undefined && next.status < 300
      // Whether there is such a pet, which the client may know from elsewhere, a refusal or a fault leaves open.
      if (!isThere && !isMissing(whole)) return undefined
      // Once for each id.
      given.add(asked)
      for (const [id, source] of memories.find(next) ?? []) {
        if (!isRounded(asked, id) || !isInOrder(source, next)) continue
        return {
          verdict: `Asked for the pet ${asked}: the id ${id} of an earlier reply, rounded as doubles are; got ${next.status}.`,
          exchanges: [source, next],
          ...(isThere ? doubt : {}),
        }
      }
      return undefined
    }
    return {
      see(next, whole) {
        const found = judge(next, whole)
        const ids = idsIn(whole)
        if (ids.length === 0) return found
        for (const id of ids) if (given.size < keptGiven) given.add(id)
        if (next.arrivedStatus === undefined) return found
        const memory = memories.of(next)
        for (const id of ids) if (memory.size < keptIds && !memory.has(id)) memory.set(id, next)
        return found
      },
      forget: () => memories.forget(),
    }
  },
}

/** What a finding is if there is a pet with the id, which nobody was shown. */
const doubt = {
  severity: 'info',
  advice:
    'Read ids as 64-bit integers: as a BigInt or a string, not as a JavaScript number. This is for information only, since there is a pet with this id, which the client may know from elsewhere.',
} as const satisfies Pick<Found, 'severity' | 'advice'>

/** Whether there was no pet with the id that a request asked for. */
function isMissing({ refusal, strikes }: Exchange): boolean {
  return refusal?.code === 'not_found' && refusal.gap === undefined && strikes.length === 0
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

/** The large id that a request asks for. */
function idAsked({ url }: Seen): string | undefined {
  return /^\/v1\/pets\/(-?\d{16,19})(?:\?|$)/.exec(url)?.[1]
}

/** Whether an id is another one as a double, written exactly or as JavaScript does. */
function isRounded(asked: string, id: string): boolean {
  const double = Number(id)
  if (Number.isSafeInteger(double)) return false
  return asked === `${BigInt(double)}` || asked === `${double}`
}
