import { endpoints, pageLimit } from '../../mock/api/endpoints.ts'
import { spanText } from '../../mock/input/values.ts'
import type { LoggedRequest, RequestResult } from '../../mock/log/logged-request.ts'
import type { RequestFacts } from './facts.ts'
import { isInOrder, waitedMs } from './request-relations.ts'
import type { Found, Rule, RuleState } from './rule.ts'

const sunsetAt = endpoints.getPet.deprecated.sunsetAt['start-of-day']

/** Rules about the use of pets. */
export const petRules = {
  'id-precision-loss': {
    severity: 'error',
    source: 'spec 2, int64; RFC 8259, 6',
    summary: 'A pet was requested by an id that had been rounded to a double.',
    advice: 'Read ids as 64-bit integers: as a BigInt or a string, not as a JavaScript number.',
    createState: watchRoundedId,
  },
  'list-truncated': {
    severity: 'info',
    source: 'spec 4.1',
    summary:
      'A list was truncated although the client had not asked for a shorter one; the spec has no next page.',
    advice: `There is no next page: set limit (up to ${pageLimit.maximum}), ask for one status at a time, and don't take one list for the whole store.`,
    oncePerClient: true,
    createState: () => (next) => {
      const { total } = next.result
      if (total === undefined || next.arrivedStatus !== 200) return undefined
      const limit = cutOf(next.url)
      if (limit === undefined || total <= limit) return undefined
      return {
        message: `Asked for a list, and got ${limit} of the ${total} pets that match.`,
        requests: [next],
      }
    },
  },
  'n-plus-one': {
    severity: 'warning',
    source: 'spec 2; spec 8',
    summary:
      'At least five pets were fetched one by one, although an earlier list had given them in full.',
    advice: 'Use the pets in the list: it has every field of each.',
    requiresWarning: true,
    createState: watchNPlusOne,
  },
  'deprecated-operation': {
    severity: 'warning',
    source: 'spec 4.3; RFC 9745; RFC 8594',
    summary: 'A deprecated operation was called.',
    advice: 'Use GET /pets with the status filter instead, before the day in the Sunset header.',
    oncePerClient: true,
    createState: () => (next) => {
      const { outcome, at } = next.logged
      if (next.result.operation !== 'getPet' || !('headers' in outcome)) return undefined
      if (outcome.headers.deprecation === undefined || at >= sunsetAt) return undefined
      const left = spanText(sunsetAt - at)
      return {
        message: `Called GET /pets/{petId}, which will be removed on 5 December 2030: in ${left} by the sandbox's clock.`,
        requests: [next],
      }
    },
  },
  'removed-operation': {
    severity: 'error',
    source: 'spec 4.3; RFC 8594',
    summary: 'An operation was called after its removal.',
    advice: 'Use GET /pets with the status filter in place of GET /pets/{petId}.',
    oncePerClient: true,
    createState: () => (next) => {
      if (next.result.rejection?.gap !== 'afterSunset') return undefined
      return {
        message: `Called GET /pets/{petId} after 5 December 2030, when it was removed, and got ${next.status ?? 'no response'}.`,
        requests: [next],
      }
    },
  },
} as const satisfies Record<string, Rule>

/** Maximum number of large ids kept that a client has received. */
const keptIds = 500

/** Maximum number of known large ids; beyond it, an unknown id may have been given out, too. */
const maxKnownIds = 20_000

const largeId = /"id":-?\d{16,19}(?!\d)/g

function watchRoundedId(): RuleState {
  /** Ids that the client received, with the response that contained each. */
  const shown = new Map<string, RequestFacts>()
  const check = (next: RequestFacts): Found | undefined => {
    const requested = /^\/v1\/pets\/(-?\d{16,19})(?:\?|$)/.exec(next.url)?.[1]
    const { knownIds } = next.client.all
    // A client that requests a known id may have read it exactly.
    if (requested === undefined || knownIds.size >= maxKnownIds || knownIds.has(requested)) {
      return undefined
    }
    const isThere = next.status !== undefined && next.status < 300
    // A rejection or a fault leaves open whether the pet exists; the client may know it from elsewhere.
    if (!isThere && !isMissing(next.result)) return undefined
    // Report each id once.
    knownIds.add(requested)
    for (const [id, source] of shown) {
      if (!isRounded(requested, id) || !isInOrder(source, next)) continue
      return {
        message: `Asked for the pet ${requested}: the id ${id} of an earlier response, rounded to a double; got ${next.status}.`,
        requests: [source, next],
        ...(isThere
          ? { caveat: 'there is a pet with this id, which the client may know from elsewhere' }
          : {}),
      }
    }
    return undefined
  }
  return (next) => {
    const found = check(next)
    const { knownIds } = next.client.all
    for (const id of largeIdsIn(next.logged)) {
      if (knownIds.size < maxKnownIds) knownIds.add(id)
      const isNew = next.arrivedStatus !== undefined && !shown.has(id)
      if (isNew && shown.size < keptIds) shown.set(id, next)
    }
    return found
  }
}

/** Returns whether the requested pet doesn't exist. */
function isMissing({ rejection, appliedFaults }: RequestResult): boolean {
  return (
    rejection?.code === 'not_found' && rejection.gap === undefined && appliedFaults.length === 0
  )
}

/** Returns the large ids in a response, of a new pet or in a list. */
function largeIdsIn({ outcome, result }: LoggedRequest): readonly string[] {
  const { operation, petId } = result
  if (typeof petId === 'bigint') return [String(petId)]
  if (operation !== 'listPets' || !('body' in outcome) || outcome.status >= 300) return []
  const found = outcome.body.match(largeId) ?? []
  return found.map((one) => one.slice('"id":'.length))
}

/** Returns whether an id is another one rounded to a double, written exactly or as JavaScript does. */
function isRounded(requested: string, id: string): boolean {
  const double = Number(id)
  if (Number.isSafeInteger(double)) return false
  return requested === `${BigInt(double)}` || requested === `${double}`
}

/** Returns the length at which a list is truncated; `undefined` if the client chose a smaller `limit` itself. */
function cutOf(url: string): number | undefined {
  const text = /[?&]limit=(\d+)/.exec(url)?.[1]
  if (text === undefined) return pageLimit.default
  return Number(text) < pageLimit.maximum ? undefined : pageLimit.maximum
}

/** Number of pets from one list whose single fetches make a finding. */
const maxGets = 5

/** Maximum pause before each fetch, in milliseconds: people who look at one pet after the other take longer. */
const pauseMs = 3_000

function watchNPlusOne(): RuleState {
  let listed: RequestFacts | undefined
  /** Requests for pets of the list since then. */
  let gets: readonly RequestFacts[] = []
  /** Whether there has been a longer pause since the list. */
  let isOld = false
  return (next) => {
    const { list, listBody } = next.client
    if (next.result.operation !== 'getPet' || list === undefined) return undefined
    if (listed !== list) {
      listed = list
      gets = []
      isOld = false
    }
    if (waitedMs(gets.at(-1) ?? list, next) > pauseMs) isOld = true
    if (isOld || gets.length >= maxGets || !isInOrder(list, next)) return undefined
    const { url } = next
    const id = url.replace(/^.*\/|\?.*$/g, '')
    if (gets.some((one) => one.url === url) || !listBody.includes(`"id":${id},`)) {
      return undefined
    }
    gets = [...gets, next]
    if (gets.length < maxGets) return undefined
    return {
      message: `Fetched ${maxGets} pets one by one, just after a list had given them in full.`,
      requests: [list, ...gets],
    }
  }
}
