import { endpoints, pageLimit } from '../contract/endpoints.ts'
import type { Gap, GapChoices, GapName } from '../contract/gaps.ts'
import { namesOf } from '../input/record.ts'
import type { Exchange } from '../state/exchange.ts'
import { isInOrder, type RequestFacts, waitedMs } from './facts.ts'
import { type Found, type Rule, type SandboxFacts, watchOnce } from './rule.ts'
import { requestText, spanText } from './words.ts'

/** How many large ids that a client was shown are kept. */
const keptIds = 500

/** How many large ids are known at most; beyond, an id that is not among them may have been given, too. */
const mostKnownIds = 20_000

const largeId = /"id":-?\d{16,19}(?!\d)/g

/** An id that lost digits on its way through the client (spec 2). */
export const roundedId: Rule = {
  severity: 'error',
  clause: 'spec 2, int64; RFC 8259, 6',
  about: 'A pet was requested by an id that had been rounded to a double.',
  advice: 'Read ids as 64-bit integers: as a BigInt or a string, not as a JavaScript number.',
  needsKnowledge: false,
  watch() {
    /** The ids that the client was shown, and the reply that showed each. */
    const shown = new Map<string, RequestFacts>()
    const judge = (next: RequestFacts, exchange: Exchange): Found | undefined => {
      const asked = /^\/v1\/pets\/(-?\d{16,19})(?:\?|$)/.exec(next.url)?.[1]
      const { knownIds } = next.client.all
      // Whoever asks for a known id may have read it exactly.
      if (asked === undefined || knownIds.size >= mostKnownIds || knownIds.has(asked)) {
        return undefined
      }
      const isThere = next.status !== undefined && next.status < 300
      // Whether there is such a pet, which the client may know from elsewhere, a refusal or a fault leaves open.
      if (!isThere && !isMissing(exchange)) return undefined
      // Once for each id.
      knownIds.add(asked)
      for (const [id, source] of shown) {
        if (!isRounded(asked, id) || !isInOrder(source, next)) continue
        return {
          verdict: `Asked for the pet ${asked}: the id ${id} of an earlier reply, rounded as doubles are; got ${next.status}.`,
          exchanges: [source, next],
          ...(isThere ? doubtOfRounding : {}),
        }
      }
      return undefined
    }
    return {
      see(next, exchange) {
        const found = judge(next, exchange)
        const { knownIds } = next.client.all
        for (const id of largeIdsIn(exchange)) {
          if (knownIds.size < mostKnownIds) knownIds.add(id)
          const isNew = next.arrivedStatus !== undefined && !shown.has(id)
          if (isNew && shown.size < keptIds) shown.set(id, next)
        }
        return found
      },
      forget: () => shown.clear(),
    }
  },
}

/** What a finding is if there is a pet with the id, which nobody was shown. */
const doubtOfRounding = {
  severity: 'info',
  advice:
    'Read ids as 64-bit integers: as a BigInt or a string, not as a JavaScript number. This is for information only, since there is a pet with this id, which the client may know from elsewhere.',
} as const satisfies Pick<Found, 'severity' | 'advice'>

/** Whether there was no pet with the id that a request asked for. */
function isMissing({ refusal, strikes }: Exchange): boolean {
  return refusal?.code === 'not_found' && refusal.gap === undefined && strikes.length === 0
}

/** The large ids that a reply gives, of a new pet or in a list. */
function largeIdsIn({ outcome, operation, petId }: Exchange): readonly string[] {
  if (typeof petId === 'bigint') return [String(petId)]
  if (operation !== 'listPets' || !('body' in outcome) || outcome.status >= 300) return []
  const found = outcome.body.match(largeId) ?? []
  return found.map((one) => one.slice('"id":'.length))
}

/** Whether an id is another one as a double, written exactly or as JavaScript does. */
function isRounded(asked: string, id: string): boolean {
  const double = Number(id)
  if (Number.isSafeInteger(double)) return false
  return asked === `${BigInt(double)}` || asked === `${double}`
}

/** A list that had more pets than its page (spec 4.1). */
export const listCut: Rule = {
  severity: 'info',
  clause: 'spec 4.1',
  about:
    'A list was cut although the client had not asked for a shorter one; the interface has no next page.',
  advice: `There is no next page: set limit (up to ${pageLimit.maximum}), ask for one status at a time, and don't take one list for the whole store.`,
  needsKnowledge: false,
  watch: () =>
    watchOnce((next, { total }) => {
      if (total === undefined || next.arrivedStatus !== 200) return undefined
      const limit = cutOf(next.url)
      if (limit === undefined || total <= limit) return undefined
      return {
        verdict: `Asked for a list, and got ${limit} of the ${total} pets that match.`,
        exchanges: [next],
      }
    }),
}

/** Where a list is cut; `undefined` if the client has asked for fewer pets than it can have: then it knows. */
function cutOf(url: string): number | undefined {
  const text = /[?&]limit=(\d+)/.exec(url)?.[1]
  if (text === undefined) return pageLimit.default
  return Number(text) < pageLimit.maximum ? undefined : pageLimit.maximum
}

/** How many pets of one list tell a habit. */
const mostGets = 5

/** The longest pause before each of them: people who look at one pet after the other take longer. */
const pauseMs = 3_000

/** Pets that are fetched one by one after a list that has them (spec 2). */
export const nPlusOne: Rule = {
  severity: 'warning',
  clause: 'spec 2; spec 8',
  about:
    'At least five pets were fetched one by one, although an earlier list had given them in full.',
  advice: 'Use the pets in the list: it has every field of each.',
  needsKnowledge: true,
  watch() {
    let listed: RequestFacts | undefined
    /** Those of the list that were fetched since. */
    let gets: readonly RequestFacts[] = []
    /** Whether there was a longer pause since the list. */
    let isOld = false
    return {
      see(next) {
        const { list, listBody } = next.client
        if (next.operation !== 'getPet' || list === undefined) return undefined
        if (listed !== list) {
          listed = list
          gets = []
          isOld = false
        }
        if (waitedMs(gets.at(-1) ?? list, next) > pauseMs) isOld = true
        if (isOld || gets.length >= mostGets || !isInOrder(list, next)) return undefined
        const { url } = next
        const id = url.replace(/^.*\/|\?.*$/g, '')
        if (gets.some((one) => one.url === url) || !listBody.includes(`"id":${id},`)) {
          return undefined
        }
        gets = [...gets, next]
        if (gets.length < mostGets) return undefined
        return {
          verdict: `Fetched ${mostGets} pets one by one, just after a list had given them in full.`,
          exchanges: [list, ...gets],
        }
      },
      forget() {
        listed = undefined
      },
    }
  },
}

const { sunsetAt } = endpoints.getPet.deprecated

/** A call of an operation that is announced as deprecated (spec 4.3). */
export const deprecatedOperation: Rule = {
  severity: 'warning',
  clause: 'spec 4.3; RFC 9745; RFC 8594',
  about: 'A deprecated operation was called.',
  advice: 'Use GET /pets with the status filter instead, before the day in the Sunset header.',
  needsKnowledge: false,
  watch: () =>
    watchOnce((next, { outcome, operation, at }) => {
      if (operation !== 'getPet' || !('headers' in outcome)) return undefined
      if (outcome.headers.deprecation === undefined || at >= sunsetAt) return undefined
      const left = spanText(sunsetAt - at)
      return {
        verdict: `Called GET /pets/{petId}, which will be removed on 5 December 2030: in ${left} by the sandbox's clock.`,
        exchanges: [next],
      }
    }),
}

/** A call of an operation after its removal (spec 4.3). */
export const removedOperation: Rule = {
  severity: 'error',
  clause: 'spec 4.3; RFC 8594',
  about: 'An operation was called after its removal.',
  advice: 'Use GET /pets with the status filter in place of GET /pets/{petId}.',
  needsKnowledge: false,
  watch: () =>
    watchOnce((next, { refusal }) => {
      if (refusal?.gap !== 'afterSunset') return undefined
      return {
        verdict: `Called GET /pets/{petId} after 5 December 2030, when it was removed, and got ${next.status ?? 'no reply'}.`,
        exchanges: [next],
      }
    }),
}

/** How many requests of each client are asked about. */
const keptRequests = 200

/** A gap at which another choice would have refused a request, and how. */
interface GapDependency {
  readonly gap: GapName
  readonly choice: string | number
  readonly text: string
}

/** A request that was served only by a choice where the interface says nothing (spec 9). */
export const dependsOnGap: Rule = {
  severity: 'info',
  clause: 'spec 2 to 9, where they are silent',
  about: 'A request was served that another choice at one of the gaps would have refused.',
  advice: adviceOn('NAME', 'CHOICE'),
  needsKnowledge: false,
  watch() {
    /** The choices in force for what was asked. */
    let gaps: GapChoices | undefined
    const asked = new Set<string>()
    const told = new Set<GapName>()
    return {
      see(next, exchange, sandbox) {
        if (next.status === undefined || next.status >= 300) return undefined
        if (gaps !== exchange.gaps) asked.clear()
        gaps = exchange.gaps
        const request = next.body === '' ? next.url : next.body
        if (asked.size >= keptRequests || asked.has(request)) return undefined
        asked.add(request)
        const found = dependenciesOf(exchange, told, sandbox)
        const [first] = found
        if (first === undefined) return undefined
        for (const { gap } of found) told.add(gap)
        const texts = found.map(({ text }) => text).join('; ')
        return {
          verdict: `${requestText(next)} was served only by a choice of this sandbox where the interface says nothing: ${texts}.`,
          advice: adviceOn(first.gap, first.choice),
          exchanges: [next],
        }
      },
    }
  },
}

function adviceOn(gap: string, choice: string | number): string {
  return `The real service may choose otherwise: send only what every choice accepts. To see what your client does then, run it under exec --gap ${gap}=${choice}.`
}

/** The choices that a request depends on: asks for all others at once, and looks closer only if these refuse it. */
function dependenciesOf(
  { request, at, gaps }: Exchange,
  told: ReadonlySet<GapName>,
  { gapTable, refusalUnder }: SandboxFacts,
): GapDependency[] {
  const others: Record<string, string | number> = {}
  for (const gap of namesOf(gapTable)) {
    const choice = told.has(gap) ? undefined : otherChoice(gapTable[gap], gaps[gap])
    others[gap] = choice ?? gaps[gap]
  }
  const found: GapDependency[] = []
  for (;;) {
    const gap = refusalUnder(request, { ...gaps, ...others }, at)?.gap
    const choice = gap === undefined ? undefined : others[gap]
    if (gap === undefined || choice === undefined || choice === gaps[gap]) return found
    others[gap] = gaps[gap]
    // Together they may refuse what this one alone would not.
    const refusal = refusalUnder(request, { ...gaps, [gap]: choice }, at)
    if (refusal?.gap !== gap) continue
    const text = `with ${gap}=${choice} in place of ${gaps[gap]} (spec ${gapTable[gap].spec}) it gets ${refusal.status}, ${refusal.message}`
    found.push({ gap, choice, text })
  }
}

/** The first other choice at a gap; no instant, duration or count decides whether a request is refused for what it is. */
function otherChoice(gap: Gap, inForce: string | number): string | number | undefined {
  if (gap.kind !== 'choice') return undefined
  return gap.choices.find((choice) => choice !== inForce)
}
